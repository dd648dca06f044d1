"""What the evaluation of one configuration leaves behind."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from rag_sweep.arrays import FloatArray
from rag_sweep.configuration import Configuration
from rag_sweep.evaluation import NegativesReport, negatives
from rag_sweep.execute import Outcome


@dataclass(frozen=True, eq=False)
class Summary:
    """What of an outcome stays in memory: a few kilobytes, where rankings take a hundred times as much.

    Attributes
    ----------
    columns
        The measures at every cutoff, by name (``ndcg@10``).
    mean_values : float64, shape (columns,)
        Their means over the answerable questions; NaN if there is none.
    objective : float64, shape (queries,)
        The values of the measure that a sweep is ordered by; NaN for negatives.
    metrics
        Means at k and the counts, as they are logged.
    warnings
        What the user should know about the configuration, whatever its values are.
    """

    columns: tuple[str, ...]
    mean_values: FloatArray
    objective: FloatArray
    metrics: Mapping[str, float]
    warnings: tuple[str, ...] = ()

    @classmethod
    def of(cls, configuration: Configuration, outcome: Outcome) -> Summary:
        """Sum an outcome up.

        Raises
        ------
        DataError
            If no question is answerable: then nothing has a value.
        """
        evaluation = outcome.evaluation
        evaluation.mean(configuration.objective)
        columns, mean_values = tuple(map(str, evaluation.columns)), evaluation.mean_values()
        means = dict(zip(columns, mean_values.tolist(), strict=True))
        return cls(
            columns=columns,
            mean_values=mean_values,
            objective=evaluation.column(configuration.objective).copy(),
            metrics=_metrics(configuration, outcome, means),
            warnings=_warnings(configuration, outcome),
        )

    def mean(self, measure: object) -> float:
        """The mean of one of the columns."""
        return float(self.mean_values[self.columns.index(str(measure))])

    @property
    def means(self) -> dict[str, float]:
        """Means by measure."""
        return dict(zip(self.columns, self.mean_values.tolist(), strict=True))


@dataclass(frozen=True, eq=False)
class Result:
    """A configuration with what was measured, or with the reason why nothing was.

    Attributes
    ----------
    alias_of
        Index of an earlier configuration that is equal in effect; its outcome is this one's too.
    """

    configuration: Configuration
    summary: Summary | None
    failure: str | None = None
    alias_of: int | None = None

    @classmethod
    def of(cls, configuration: Configuration, outcome: Outcome, alias_of: int | None = None) -> Result:
        """The result that an outcome is."""
        return cls(configuration, Summary.of(configuration, outcome), None, alias_of)

    @property
    def objective(self) -> float:
        """The mean that a sweep is ordered by; NaN for a failed configuration."""
        return self.summary.mean(self.configuration.objective) if self.summary else math.nan

    def means(self) -> dict[str, float]:
        """Means over the answerable questions by ``ndcg@10``; empty for a failed configuration."""
        return self.summary.means if self.summary else {}

    def metrics(self) -> Mapping[str, float]:
        """Means at k and counts, as they are logged; empty for a failed configuration."""
        return self.summary.metrics if self.summary else {}

    def warnings(self) -> tuple[str, ...]:
        """What the user should know about this configuration, whatever its values are."""
        return self.summary.warnings if self.summary else ()


def negatives_of(configuration: Configuration, outcome: Outcome) -> NegativesReport:
    """How the questions without an answer came out."""
    comparable = configuration.pipeline.scores_are_comparable
    return negatives(outcome.evaluation.judgements, outcome.top_scores, comparable)


def _metrics(configuration: Configuration, outcome: Outcome, means: Mapping[str, float]) -> dict[str, float]:
    """Means at k and the counts; other cutoffs are in the table."""
    evaluation = outcome.evaluation
    at_k = {name: value for name, value in means.items() if name.endswith(f"@{evaluation.k}")}
    answerable = evaluation.judgements.answerable
    recalls = {
        f"pool_recall.{name}": math.fsum(values[answerable].tolist()) / max(1, evaluation.answerable)
        for name, values in outcome.pool_recall.items()
    }
    found = {
        "questions.answerable": float(evaluation.answerable),
        "questions.negative": float(len(answerable) - evaluation.answerable),
        "questions.without_tokens": float(len(outcome.tokenless_questions)),
        "questions.empty": float((outcome.found.documents.lengths == 0).sum()),
        "passages": float(len(outcome.passages)),
        "context.words": math.fsum(outcome.words[answerable].tolist()) / max(1, evaluation.answerable),
    }
    apart = negatives_of(configuration, outcome)
    if apart.empty_share is not None:
        found["negatives.empty_share"] = apart.empty_share
    if apart.auroc is not None:
        found["negatives.auroc"] = apart.auroc
    if outcome.effective_dim is not None:
        found["effective_dim"] = float(min(outcome.effective_dim, configuration.pipeline.embedder.dim))
    evidence = outcome.evidence.means() if outcome.evidence else {}
    told = {f"evidence.{name}@{evaluation.k}": value for name, value in evidence.items()}
    return {**at_k, **recalls, **told, **found}


def _warnings(configuration: Configuration, outcome: Outcome) -> tuple[str, ...]:
    pipeline, settings = configuration.pipeline, configuration.settings
    found = []
    silent = [outcome.evaluation.judgements.query_ids[at] for at in outcome.tokenless_questions]
    if silent:
        named = ", ".join(silent[:5]) + (", …" if len(silent) > 5 else "")
        found.append(f"{len(silent)} questions have no token under the analyzer, so find nothing: {named}")
    if outcome.tokenless_passages:
        found.append(f"{outcome.tokenless_passages} passages have no token under the analyzer")
    if pipeline.fusion.pool_depth < settings.k:
        found.append(f"fusion.pool_depth={pipeline.fusion.pool_depth} is below k={settings.k}")
    width = outcome.effective_dim
    if width is not None and pipeline.embedder.dim > width:
        chunker = configuration.params.get("chunker")
        where = f" with chunker={chunker}" if chunker else ""
        found.append(f"embedder.dim={pipeline.embedder.dim}: the corpus gives {width}{where}, which are used")
    return tuple(found)
