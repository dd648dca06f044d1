"""Outcomes and summaries as arrays and plain data, and back, bit for bit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rag_sweep.evaluation import evaluate
from rag_sweep.evidence import Evidence, Spans, handed_over, has_spans
from rag_sweep.execute import Outcome
from rag_sweep.judgements import Judgements
from rag_sweep.passages import Passages
from rag_sweep.pipeline import Settings
from rag_sweep.ranking import Rankings
from rag_sweep.records import Basis
from rag_sweep.result import Summary
from rag_sweep.stages import Found
from rag_sweep.store.entry import Arrays, Entry


@dataclass(frozen=True, eq=False)
class Decoder:
    """What all outcomes of a sweep share; values of measures and of evidence follow from the rankings."""

    judgements: Judgements
    settings: Settings
    spans: Spans | None = None

    @classmethod
    def of(cls, basis: Basis, settings: Settings) -> Decoder:
        """What the outcomes of a sweep on `basis` share."""
        spans = Spans.of(basis.gold, basis.position) if has_spans(basis.gold) else None
        return cls(Judgements.of(basis.gold, basis.doc_ids), settings, spans)

    def outcome(self, arrays: Arrays, meta: Mapping[str, Any], passages: Passages) -> Outcome:
        """The outcome that `encode_outcome` was given.

        Raises
        ------
        KeyError, ValueError
            For arrays of another shape.
        """
        documents = Rankings(arrays["documents"], arrays["scores"])
        same = "passages" not in arrays
        found = documents if same else Rankings(arrays["passages"], arrays["passage_scores"])
        names = str(meta["branches"]).split(",")
        width = meta["effective_dim"]
        settings = self.settings
        return Outcome(
            passages=passages,
            found=Found(documents, found),
            evaluation=evaluate(self.judgements, documents.items, settings.k, settings.cutoffs),
            pool_recall=dict(zip(names, arrays["pool_recall"], strict=True)),
            tokenless_questions=tuple(arrays["tokenless"].tolist()),
            tokenless_passages=int(meta["tokenless_passages"]),
            effective_dim=None if width is None else int(width),
            evidence=self._evidence(passages, found),
        )

    def _evidence(self, passages: Passages, found: Rankings) -> Evidence | None:
        if self.spans is None:
            return None
        return handed_over(self.spans, passages, found.items[:, : self.settings.k], self.settings.share)


def encode_outcome(outcome: Outcome, chunking: str) -> Entry:
    """An outcome, with the key of its passages; their ranking is left out where it is the documents'."""
    documents, passages = outcome.found.documents, outcome.found.passages
    arrays: dict[str, NDArray[Any]] = {
        "documents": documents.items,
        "scores": documents.scores,
        "pool_recall": np.array(list(outcome.pool_recall.values())),
        "tokenless": np.array(outcome.tokenless_questions, dtype=np.int64),
    }
    if not _same(documents, passages):
        arrays |= {"passages": passages.items, "passage_scores": passages.scores}
    meta: dict[str, str | int | None] = {
        "chunking": chunking,
        "branches": ",".join(outcome.pool_recall),
        "tokenless_passages": outcome.tokenless_passages,
        "effective_dim": outcome.effective_dim,
    }
    return Entry("outcome", arrays, meta)


def encode_passages(passages: Passages) -> Entry:
    """The spans that passage numbers mean, with their numbers of words."""
    return Entry("passages", {f.name: getattr(passages, f.name) for f in fields(Passages)})


def decode_passages(arrays: Arrays) -> Passages:
    """The inverse of `encode_passages`. Raises KeyError for other arrays."""
    return Passages(*(arrays[f.name] for f in fields(Passages)))


def encode_summary(summary: Summary) -> dict[str, Any]:
    """All of a summary but the values of single questions, as plain data."""
    return {"means": summary.means, "metrics": dict(summary.metrics), "warnings": list(summary.warnings)}


def decode_summary(plain: Mapping[str, Any], objective: Any) -> Summary:
    """The inverse of `encode_summary`, with the values of the objective by question."""
    means = plain["means"]
    return Summary(
        columns=tuple(means),
        mean_values=np.array(list(means.values()), dtype=np.float64),
        objective=objective,
        metrics=plain["metrics"],
        warnings=tuple(plain["warnings"]),
    )


def _same(one: Rankings, other: Rankings) -> bool:
    return np.array_equal(one.items, other.items) and np.array_equal(one.scores, other.scores)
