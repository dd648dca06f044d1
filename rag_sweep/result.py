"""What the evaluation of one configuration leaves behind."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rag_sweep.configuration import Configuration
from rag_sweep.evaluation import NegativesReport, negatives
from rag_sweep.execute import Outcome


@dataclass(frozen=True, eq=False)
class Result:
    """A configuration with its outcome, or with the reason why there is none.

    Attributes
    ----------
    alias_of
        Index of an earlier configuration that is equal in effect; its outcome is this one's too.
    """

    configuration: Configuration
    outcome: Outcome | None
    failure: str | None = None
    alias_of: int | None = None

    @property
    def objective(self) -> float:
        """The mean that a sweep is ordered by; NaN for a failed configuration."""
        if self.outcome is None:
            return float("nan")
        return self.outcome.evaluation.mean(self.configuration.objective)

    def means(self) -> dict[str, float]:
        """Means over the answerable questions by ``ndcg@10``; empty for a failed configuration."""
        return self.outcome.evaluation.means() if self.outcome else {}

    def negatives(self) -> NegativesReport | None:
        """How the questions without an answer came out; None for a failed configuration."""
        if self.outcome is None:
            return None
        scores = self.outcome.found.documents.scores
        first = scores[:, 0] if scores.shape[1] else np.full(len(scores), -np.inf)
        comparable = self.configuration.pipeline.scores_are_comparable
        return negatives(self.outcome.evaluation.judgements, first, comparable)

    def warnings(self) -> tuple[str, ...]:
        """What the user should know about this configuration, whatever its values are."""
        if self.outcome is None:
            return ()
        pipeline, settings = self.configuration.pipeline, self.configuration.settings
        found = []
        silent = [self.outcome.evaluation.judgements.query_ids[at] for at in self.outcome.tokenless_questions]
        if silent:
            named = ", ".join(silent[:5]) + (", …" if len(silent) > 5 else "")
            found.append(
                f"{len(silent)} questions have no token under the analyzer, so find nothing: {named}"
            )
        if self.outcome.tokenless_passages:
            found.append(f"{self.outcome.tokenless_passages} passages have no token under the analyzer")
        if pipeline.fusion.pool_depth < settings.k:
            found.append(f"fusion.pool_depth={pipeline.fusion.pool_depth} is below k={settings.k}")
        width = self.outcome.effective_dim
        if width is not None and pipeline.embedder.dim > width:
            chunker = self.configuration.params.get("chunker")
            where = f" with chunker={chunker}" if chunker else ""
            found.append(
                f"embedder.dim={pipeline.embedder.dim}: the corpus gives {width}{where}, which are used"
            )
        return tuple(found)
