"""What is judged by: the options of the command, a file of thresholds, or those of the champion."""

from __future__ import annotations

from dataclasses import dataclass

from rag_sweep.champion.finding import find
from rag_sweep.config.asked import Asked
from rag_sweep.errors import UsageError
from rag_sweep.gate.current import has_champion
from rag_sweep.gate.policy import Policy, lowered
from rag_sweep.gate.request import Wish
from rag_sweep.gate.thresholds import Thresholds
from rag_sweep.gate.verdict import Check


@dataclass(frozen=True)
class Limits:
    """Thresholds, and those of the file that were lowered without a reason, as checks that fail."""

    thresholds: Thresholds
    lowered: tuple[Check, ...] = ()
    notes: tuple[str, ...] = ()


def limits_of(asked: Asked, wish: Wish) -> Limits:
    """What a wish judges by.

    Raises
    ------
    UsageError
        If it judges nothing, or says a thing twice.
    ConfigError, DataError
        For what is no threshold.
    """
    if wish.thresholds_before is not None and wish.thresholds is None:
        raise UsageError("--thresholds-before is the former version of --thresholds: give both")
    policy, notes = _policy(asked, wish)
    thresholds = _together(policy, wish)
    if thresholds.is_empty:
        raise UsageError("nothing to judge: give --min, --max-drop or --thresholds (--suggest proposes some)")
    before = None if wish.thresholds_before is None else Policy.read(wish.thresholds_before)
    found = {} if before is None else lowered(policy, before)
    return Limits(thresholds, tuple(_check(key, why) for key, why in found.items()), notes)


def _policy(asked: Asked, wish: Wish) -> tuple[Policy, tuple[str, ...]]:
    if wish.thresholds is not None:
        return Policy.read(wish.thresholds), ()
    if not wish.minima and not wish.drops and has_champion(asked, wish):
        champion = find(None, tracking=asked.tracking, name=wish.model, trust=wish.trust)
        if champion.thresholds:
            told = f"judged by the thresholds that were promoted with {champion.title}"
            return Policy.of(champion.thresholds, f"{champion.source}/thresholds.json"), (told,)
    return Policy("the command"), ()


def _together(policy: Policy, wish: Wish) -> Thresholds:
    """The file with the options beside it; what the file says, an option can't say otherwise."""
    kept = policy.thresholds()
    given = {f"minima.{key}": "--min" for key in wish.minima}
    given |= {f"max_drop.{key}": "--max-drop" for key in wish.drops}
    given |= {key: f"--{key}" for key in ("mode", "alpha") if getattr(wish, key) is not None}
    for key, option in given.items():
        if key in policy.entries:
            raise UsageError(f"{key} stands in {policy.source}: change it there, not by {option}")
    return Thresholds(
        {**kept.minima, **wish.minima},
        {**kept.drops, **wish.drops} or None,
        wish.mode or kept.mode,
        kept.alpha if wish.alpha is None else wish.alpha,
    )


def _check(key: str, why: str) -> Check:
    return Check(
        kind="thresholds",
        what=f"{key} not lowered without a new reason",
        measure=None,
        tag=None,
        limit=None,
        value=None,
        passed=False,
        why=why,
    )
