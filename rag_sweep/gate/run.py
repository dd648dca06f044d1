"""`rag-sweep gate`: from the words of a command to a verdict, and the report that may be left of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_sweep.config.asked import Asked
from rag_sweep.errors import UsageError
from rag_sweep.gate.baseline import baseline_of
from rag_sweep.gate.current import Current, current_of, has_champion
from rag_sweep.gate.files import read_known_misses
from rag_sweep.gate.judge import judge
from rag_sweep.gate.limits import limits_of
from rag_sweep.gate.request import Wish, asked_of
from rag_sweep.gate.steps import look
from rag_sweep.gate.verdict import Verdict
from rag_sweep.scorecard import Scorecard
from rag_sweep.tracking.registry import CHAMPION


@dataclass(frozen=True, eq=False)
class Gated:
    """A verdict with what it was made from.

    Attributes
    ----------
    report
        The verdict as plain data, with the scorecard in it: a later gate takes it for its baseline.
    notes
        What the user should be told.
    """

    verdict: Verdict
    card: Scorecard
    report: Mapping[str, Any]
    notes: tuple[str, ...]


def gate(overrides: Sequence[str], wish: Wish, config_dir: str | None = None) -> Gated:
    """Measure a configuration and judge it; all input is read and checked before anything is computed.

    Raises
    ------
    StageFailed
        If the configuration fails while it runs.
    UsageError, ConfigError, DataError
        For wrong input.
    TrackingError
        If MLflow has to be asked and can't be.
    """
    asked = asked_of(overrides, config_dir)
    known = None if wish.known_misses is None else read_known_misses(wish.known_misses)
    limits = limits_of(asked, wish)
    baseline = _baseline(asked, wish, needed=bool(limits.thresholds.drops))
    current = current_of(asked, wish)
    found = judge(
        current.card, baseline, limits.thresholds, same_corpus=wish.same_corpus, known_misses=known
    ).with_checks(limits.lowered)
    verdict = found.about(current.judged, _look(asked, current, found))
    report = {**verdict.to_dict(), "scorecard": current.card.to_dict()}
    return Gated(verdict, current.card, report, (*limits.notes, *current.notes))


def _look(asked: Asked, current: Current, verdict: Verdict) -> str | None:
    """The command that shows what is found for a question; none where no command would."""
    if current.again is None:
        return None
    folder = asked.config_dir
    others = asked.without("k", "cutoffs", "objective", "evidence")
    typed = [f"k={current.card.k}", *current.again, *others]
    return look([*typed, *(["--config-dir", folder] if folder else [])], verdict.questions)


def _baseline(asked: Asked, wish: Wish, *, needed: bool) -> Scorecard | None:
    if wish.baseline is not None:
        return baseline_of(wish.baseline, asked, wish)
    if not needed:
        return None
    if has_champion(asked, wish):
        return baseline_of(CHAMPION, asked, wish)
    raise UsageError(
        "a largest drop needs a baseline, and no registry has a champion here: "
        "--baseline REPORT, SWEEP:INDEX, or the id of a tracking run"
    )
