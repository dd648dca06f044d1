"""Questions that failed, beside what was known and beside the baseline."""

from __future__ import annotations

from collections.abc import Collection

from rag_sweep.gate.verdict import Fell, Missed, Questions
from rag_sweep.scorecard import Scorecard


def questions_of(
    current: Scorecard,
    baseline: Scorecard | None,
    known: Collection[str] | None = None,
    fell: tuple[Fell, ...] = (),
) -> Questions:
    """Which questions failed, which of them are new, and which are found again.

    Parameters
    ----------
    baseline
        None where there is none, or none that can be compared.
    known
        Ids of known misses; None without a file of them.
    fell
        Those that the failing checks fail by.
    """
    failed = current.zero_hits()
    expected = set(known or ())
    before = None if baseline is None else set(baseline.zero_hits())
    now = set(failed)
    answered = [
        i for i, is_answerable in zip(current.query_ids, current.answerable, strict=True) if is_answerable
    ]
    return Questions(
        failed=tuple(_missed(current, baseline, i, known) for i in failed),
        incomplete=current.incomplete(),
        empty=current.empty(),
        new=None if known is None else tuple(i for i in failed if i not in expected),
        newly_found=tuple(i for i in answered if i in expected and i not in now),
        unknown=tuple(sorted(expected.difference(current.query_ids))) if not current.filters else (),
        lost=None
        if before is None
        else tuple(_missed(current, baseline, i, known) for i in failed if i not in before),
        found=None if before is None else tuple(i for i in answered if i in before and i not in now),
        fell=fell,
    )


def _missed(
    current: Scorecard, baseline: Scorecard | None, query_id: str, known: Collection[str] | None
) -> Missed:
    at = current.position[query_id]
    return Missed(
        id=query_id,
        text=None if current.texts is None else current.texts[at],
        tags=current.tags[at],
        relevant=current.missed(at),
        rank=first_rank(current, query_id),
        baseline_rank=None if baseline is None else first_rank(baseline, query_id),
        known=None if known is None else query_id in known,
    )


def first_rank(card: Scorecard, query_id: str) -> int | None:
    """Rank of the first relevant document of a question; None if none was kept."""
    at = card.position[query_id]
    ranks = (rank for rank, doc_id in enumerate(card.rankings[at], 1) if doc_id in card.relevant[at])
    return next(ranks, None)
