"""The gate as a drill asks it: what it would say of a broken search beside the working one."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rag_sweep.comparison.words import counted
from rag_sweep.drill.states import Judged
from rag_sweep.gate import Thresholds, judge
from rag_sweep.gate.checks import Judging
from rag_sweep.gate.comparable import is_unchanged
from rag_sweep.gate.thresholds import ALL, Target
from rag_sweep.gate.verdict import Check, Verdict
from rag_sweep.scorecard import Scorecard

NO_LIMIT = 1.0
"""A drop that can't be exceeded: the difference is measured, and nothing fails."""


def judged(card: Scorecard, baseline: Scorecard, thresholds: Thresholds, objective: str) -> Judged:
    """What the gate says of a scorecard, with effect and power in the objective.

    Where it refuses to compare, because the gold differs, it is also asked what it would say of the values
    alone: in words, and for the effect.
    """
    verdict = judge(card, baseline, thresholds)
    if not verdict.refused:
        return _with_effect(verdict.exit_code, _reasons(verdict), card, baseline, thresholds, objective)
    # another fingerprint: with the same rankings it would count as unchanged
    alike = replace(card, gold_hash=baseline.gold_hash, fingerprint=f"other gold {card.gold_hash}")
    blind = judge(alike, baseline, thresholds)
    told = "fail" if blind.exit_code else "pass"
    reasons = (*_reasons(verdict), f"by its values alone, without that hash, it would {told}")
    return _with_effect(verdict.exit_code, reasons, alike, baseline, thresholds, objective)


def _with_effect(
    code: int,
    reasons: tuple[str, ...],
    card: Scorecard,
    baseline: Scorecard,
    thresholds: Thresholds,
    objective: str,
) -> Judged:
    unchanged = is_unchanged(card, baseline)
    judging = Judging(card, baseline, thresholds.mode, thresholds.alpha, unchanged=unchanged)
    row = judging.drop(Target(objective), NO_LIMIT, None)
    detectable = None if row.power is None else row.power.detectable
    return Judged(code, reasons, row.difference_lower, row.difference_upper, detectable)


def unfit(card: Scorecard, thresholds: Thresholds) -> str | None:
    """Why the gate fails where nothing is broken; None if it passes then.

    It is asked about the working search itself, and about one that differs in name alone: a gate that wants
    proof of no drop fails the latter where there are too few questions for any proof.
    """
    same = judge(card, card, thresholds)
    if same.exit_code != 0:
        return f"unbroken, it fails: {'; '.join(_reasons(same))}"
    renamed = judge(replace(card, fingerprint=f"renamed {card.fingerprint}"), card, thresholds)
    if renamed.exit_code != 0:
        return f"it fails a change that changes no value: {'; '.join(_reasons(renamed))}"
    return None


def without_tags(card: Scorecard, thresholds: Thresholds) -> Scorecard:
    """The scorecard for a gate that asks nothing of tags: what it says per tag isn't wanted here."""
    targets = (*thresholds.least(), *thresholds.largest(card.k))
    return card if any(target.tag for target in targets) else replace(card, tags=((),) * len(card.tags))


def in_words(thresholds: Thresholds, k: int) -> tuple[str, ...]:
    """What the gate is told."""
    minima = [f"{target} at least {limit:g}" for target, limit in thresholds.least().items()]
    drops = [
        f"{_target(key, k)} at most {limit:g} below the baseline" for key, limit in thresholds.drops.items()
    ]
    mode = thresholds.mode.replace("_", "-")
    return (*minima, *drops, f"mode {mode}")


def judged_measures(thresholds: Thresholds, k: int) -> tuple[str, ...]:
    """The measures that anything is asked of, over all questions."""
    targets: Iterable[Target] = (*thresholds.least(), *thresholds.largest(k))
    return tuple(dict.fromkeys(target.measure for target in targets if target.tag is None))


def named_measures(thresholds: Thresholds) -> tuple[str, ...]:
    """Those that are named one by one."""
    keys = (*thresholds.minima, *(key for key in thresholds.drops if key != ALL))
    targets = (Target.parse(key, "thresholds") for key in keys)
    return tuple(dict.fromkeys(target.measure for target in targets if target.tag is None))


def _target(key: str, k: int) -> str:
    return f"every measure at {k}" if key == ALL else str(Target.parse(key, "thresholds"))


def _reasons(verdict: Verdict) -> tuple[str, ...]:
    """The failed check that is missed by most, and how many more there are; or why nothing was compared."""
    if not verdict.failed:
        return verdict.refused
    worst = min(verdict.failed, key=_margin)
    more = len(verdict.failed) - 1
    also = f"; {counted(more, 'more check fails', 'more checks fail')}" if more else ""
    return (f"{worst.what}: {worst.why}{also}",)


def _margin(check: Check) -> float:
    """How far a check is missed: the lower, the farther."""
    if check.kind == "minimum":
        return (check.value or 0.0) - (check.limit or 0.0)
    return (check.difference or 0.0) + (check.limit or 0.0)
