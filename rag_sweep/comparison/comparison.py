"""A whole comparison, and its plain data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_sweep.comparison.parts import (
    Best,
    Curve,
    Decision,
    EffectInfo,
    History,
    Honest,
    Latency,
    Likes,
    Power,
    QuestionInfo,
    StandIn,
    TagInfo,
    Test,
    Warning,
)
from rag_sweep.comparison.plain import plain
from rag_sweep.comparison.row import Row
from rag_sweep.configuration import Scalar


@dataclass(frozen=True)
class Failed:
    """A configuration without values, and why; it has no row."""

    name: str
    failure: str
    sweep: int
    index: int
    row: None = None


@dataclass(frozen=True)
class DatasetInfo:
    """What was searched and what was asked: hashes, and the version that the gold declares."""

    name: str
    corpus: str
    gold: str
    gold_version: str | None


@dataclass(frozen=True)
class SweepInfo:
    """A sweep that configurations come from."""

    sweep_id: str
    name: str
    configurations: int
    corpus: str
    code: str


@dataclass(frozen=True)
class Settings:
    """How it was compared; see `settings.Decide`."""

    baseline: int | str | None
    alpha: float
    level: float
    correction: str
    resamples: int
    seed: int
    folds: int
    repeats: int
    groups: str
    difference: float | None
    rule: str
    constraint: str | None


@dataclass(frozen=True)
class KnobInfo:
    """A knob that differs, with its values in their natural order."""

    key: str
    short: str
    values: tuple[Scalar, ...]


@dataclass(frozen=True)
class Comparison:
    """Configurations compared, one of them chosen.

    `rows` come best first, and everything else names them by their place there. `baseline` is the row that
    all others are compared with, and `stand_in` says so where it isn't the user's;
    `configurations` counts failed ones and aliases too, `distinct` neither.
    """

    format: int
    objective: str
    k: int
    questions: int
    negatives: int
    configurations: int
    distinct: int
    failed: tuple[Failed, ...]
    dataset: DatasetInfo
    sweeps: tuple[SweepInfo, ...]
    notes: tuple[str, ...]
    settings: Settings
    knobs: tuple[KnobInfo, ...]
    baseline: int
    stand_in: StandIn | None
    rows: tuple[Row, ...]
    test: Test
    best: Best
    honest: Honest | None
    power: Power | None
    effects: tuple[EffectInfo, ...]
    per_question: tuple[QuestionInfo, ...]
    question_lists: Mapping[str, tuple[int, ...]]
    tags: tuple[TagInfo, ...]
    likes: tuple[Likes, ...]
    curve: Curve | None
    latency: tuple[Latency, ...] | None
    history: History | None
    warnings: tuple[Warning, ...]
    decision: Decision

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON; every number is finite or None. docs/deciding.md says what is in it."""
        result: dict[str, Any] = plain(self)
        return result
