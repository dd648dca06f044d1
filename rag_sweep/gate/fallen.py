"""Which questions the failing checks fail by, the largest fall first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rag_sweep.gate.questions import first_rank
from rag_sweep.gate.verdict import Change, Check, Fell
from rag_sweep.scorecard import Scorecard
from rag_sweep.statistics.table import TIE, settle


@dataclass(frozen=True)
class _Loss:
    """A question in one check: how far it fell, and what it lacks to 1."""

    at: int
    fall: float
    lack: float
    change: Change


def fallen(
    current: Scorecard, baseline: Scorecard | None, checks: Sequence[Check]
) -> tuple[tuple[Check, ...], tuple[Fell, ...]]:
    """The checks, with the ids of the questions that each fails by, and those questions.

    A drop fails by the questions whose value is lower than in the baseline, a minimum by those that lack
    anything to 1.

    Parameters
    ----------
    baseline
        None where there is none, or none that can be compared: with the same gold, so row by row.
    """
    found = [_losses(current, baseline, check) if check.passed is False else [] for check in checks]
    told = (
        replace(check, fell=tuple(current.query_ids[loss.at] for loss in losses))
        for check, losses in zip(checks, found, strict=True)
    )
    every: dict[int, list[_Loss]] = {}
    for loss in (loss for losses in found for loss in losses):
        every.setdefault(loss.at, []).append(loss)
    ordered = sorted(every, key=lambda at: _order(every[at]))
    return tuple(told), tuple(_fell(current, baseline, at, every[at]) for at in ordered)


def _order(losses: Sequence[_Loss]) -> tuple[float, float, int]:
    """By the largest fall in any check, then by what lacks, then as in the gold."""
    return -max(one.fall for one in losses), -max(one.lack for one in losses), losses[0].at


def _losses(current: Scorecard, baseline: Scorecard | None, check: Check) -> list[_Loss]:
    if check.measure is None:
        return []
    after = _values(current, check.measure)
    has_before = baseline is not None and check.measure in baseline.measures
    before = _values(baseline, check.measure) if baseline is not None and has_before else None
    found = []
    for at in _rows(current, check.tag):
        now, was = after[at], None if before is None else before[at]
        loss = _Loss(at, 0.0 if was is None else was - now, 1.0 - now, Change(_target(check), was, now))
        if (loss.lack if check.kind == "minimum" else loss.fall) > TIE:
            found.append(loss)
    return sorted(found, key=lambda one: _order([one]))


def _fell(current: Scorecard, baseline: Scorecard | None, at: int, losses: Sequence[_Loss]) -> Fell:
    name, grades = current.query_ids[at], current.relevant[at]
    return Fell(
        id=name,
        text=None if current.texts is None else current.texts[at],
        tags=current.tags[at],
        relevant=tuple(sorted(grades, key=lambda doc_id: (-grades[doc_id], doc_id))),
        rank=first_rank(current, name),
        baseline_rank=None if baseline is None else first_rank(baseline, name),
        changes=tuple(dict.fromkeys(one.change for one in losses)),
    )


def _rows(card: Scorecard, tag: str | None) -> list[int]:
    """The answerable questions, or those of them with a tag."""
    found: list[int] = np.flatnonzero(card.mask).tolist()
    return found if tag is None else [at for at in found if tag in card.tags[at]]


def _values(card: Scorecard, measure: str) -> list[float]:
    return [settle(value) for value in card.values[:, card.measures.index(measure)].tolist()]


def _target(check: Check) -> str:
    return str(check.measure) if check.tag is None else f"{check.tag}:{check.measure}"
