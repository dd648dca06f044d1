"""`rag-sweep drill`: from the words of a command to an exercise."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_sweep.champion.finding import find
from rag_sweep.comparison.words import listed
from rag_sweep.config import build
from rag_sweep.config.asked import Asked, group_of
from rag_sweep.config.folder import PIPELINE_GROUPS
from rag_sweep.drill.running import Exercise
from rag_sweep.drill.sabotages import OWN, SABOTAGES, Bench, Broken, Sabotage
from rag_sweep.errors import ConfigError, UsageError
from rag_sweep.gate.current import chooses, has_champion, subject_of
from rag_sweep.gate.limits import limits_of
from rag_sweep.gate.request import IDLE, Wish
from rag_sweep.gate.thresholds import ALL, Thresholds
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Pipeline, Settings
from rag_sweep.store.disk import Disk
from rag_sweep.store.entry import Store

USUAL_DROP = 0.03
"""The largest drop of every measure at k that a drill judges by where nothing else is said."""


@dataclass(frozen=True)
class Order:
    """What is wanted of a drill, beside what a gate is told.

    Attributes
    ----------
    only
        Keys of the sabotages to do; all for none.
    also
        Sabotages of the user's own: overrides, such as ``embedder=hash embedder.dim=4``.
    seed
        Of every choice of a document or a question.
    """

    only: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    seed: int = 0


@dataclass(frozen=True, eq=False)
class Prepared:
    """An exercise, and what the user should be told."""

    exercise: Exercise
    notes: tuple[str, ...]


def prepared(overrides: Sequence[str], wish: Wish, order: Order, config_dir: str | None = None) -> Prepared:
    """Read and check all that a drill needs; nothing is computed.

    Raises
    ------
    UsageError, ConfigError, DataError
        For wrong input.
    TrackingError
        If a champion has to be looked for and MLflow can't be read.
    """
    asked = _asked(overrides, config_dir)
    sabotages = _sabotages(order.only)
    wish, usual = _with_limits(asked, wish)
    limits = limits_of(asked, wish)
    subject = subject_of(asked, wish, "drilled")
    _check_measured(limits.thresholds, subject.configuration.settings)
    if order.also and not chooses(asked, wish):
        raise UsageError(
            "--also stands on overrides: name the configuration, as promoted=NAME or by its knobs"
        )
    own = [_own(number, text, asked, config_dir) for number, text in enumerate(order.also, 1)]
    exercise = Exercise(
        subject.configuration,
        subject.dataset,
        limits.thresholds,
        _store(build.component(asked.config, "store")),
        order.seed,
        (*sabotages, *own),
        has_text=not _keeps_back(asked.config.get("tracking")),
    )
    return Prepared(exercise, (*subject.notes, *usual, *limits.notes))


def _asked(overrides: Sequence[str], config_dir: str | None) -> Asked:
    idle = {key: why for key, why in IDLE.items() if key != "objective"}
    return Asked.of(overrides, config_dir, idle, "a drill")


def _with_limits(asked: Asked, wish: Wish) -> tuple[Wish, tuple[str, ...]]:
    """The wish, with the usual limit where neither the command nor a champion has any."""
    if wish.minima or wish.drops or wish.thresholds is not None:
        return wish, ()
    if has_champion(asked, wish):
        champion = find(None, tracking=asked.tracking, name=wish.model, trust=wish.trust)
        if champion.thresholds:
            return wish, ()
    told = f"no thresholds are given: judged by --max-drop {USUAL_DROP:g}, every measure at k"
    return replace(wish, drops={ALL: USUAL_DROP}), (told,)


def _check_measured(thresholds: Thresholds, settings: Settings) -> None:
    """Refuse a limit on what isn't measured before anything is computed."""
    cutoffs = sorted({settings.k, *settings.cutoffs})
    for target in (*thresholds.least(), *thresholds.largest(settings.k)):
        if Measure.parse(target.measure).k not in cutoffs:
            raise ConfigError(
                f"{target} isn't measured: its cutoff must be k or one of the cutoffs "
                f"({', '.join(map(str, cutoffs))}); give it in cutoffs=[…]"
            )


def _sabotages(only: Sequence[str]) -> tuple[Sabotage, ...]:
    known = [one.key for one in SABOTAGES]
    for key in only:
        if key not in known:
            raise UsageError(f"--only must be one of {', '.join(known)}, got {key!r}")
    return tuple(one for one in SABOTAGES if not only or one.key in only)


def _own(number: int, text: str, asked: Asked, config_dir: str | None) -> Sabotage:
    """A sabotage made of overrides on top of those of the command."""
    words = shlex.split(text)
    if not words:
        raise UsageError("--also must be overrides such as 'embedder=hash embedder.dim=4', got an empty text")
    for word in words:
        if group_of(word) not in PIPELINE_GROUPS or "=" not in word:
            allowed = f"overrides of {listed(PIPELINE_GROUPS, 'or')}"
            raise UsageError(f"--also must be {allowed}, got {word!r}")
    inner = _asked([*asked.overrides, *words], config_dir)
    pipeline = build.configuration(inner.config, inner.choices, 0, inner.overrides).pipeline
    return Sabotage(f"own{number}", text, "a sabotage of your own", OWN, _Own(text, pipeline))


@dataclass(frozen=True)
class _Own:
    text: str
    pipeline: Pipeline

    def __call__(self, bench: Bench) -> Broken:
        return Broken(self.text, self.pipeline, bench.dataset)


def _keeps_back(tracking: Any) -> bool:
    """True for ``tracking.text=none``: texts of questions are shown to nobody."""
    return isinstance(tracking, Mapping) and tracking.get("text") == "none"


def _store(component: Any) -> Store | None:
    """What was computed before; where there is no store yet, none is made."""
    if isinstance(component, Disk) and not Path(component.path).is_dir():
        return None
    store: Store = component.open()
    return store
