"""What a comparison says beside its leaderboard. A row number is a place on that, from 0.

NaN and None stand for what can't be said; as plain data both are null.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rag_sweep.configuration import Scalar


@dataclass(frozen=True)
class Test:
    """How differences were tested: `critical` is of the absolute t, `exact` where no pattern was left out.

    `apart`: any two configurations whose means are further apart differ, all pairs taken together; None where
    no difference would do.
    """

    __test__ = False  # it is no test of ours, whatever pytest thinks

    correction: str
    resamples: int
    exact: bool
    critical: float
    apart: float | None = None


@dataclass(frozen=True)
class StandIn:
    """That the baseline only stands in for the user's configuration, which isn't among those compared.

    `differs` says where it isn't like that one, such as ``dim=32 instead of 64``; `overrides` are what
    ``rag-sweep run`` measures that one with.
    """

    differs: tuple[str, ...]
    overrides: tuple[str, ...]


@dataclass(frozen=True)
class SharedKnob:
    """A knob that has one value in the whole set of the best."""

    key: str
    value: Scalar


@dataclass(frozen=True)
class OpenKnob:
    """A knob with several values in the set of the best, `of` all that were tried."""

    key: str
    values: tuple[Scalar, ...]
    of: tuple[Scalar, ...]


@dataclass(frozen=True)
class Leaning:
    """A free knob of which one value is far more frequent in the set of the best: in `count` of `of` rows."""

    key: str
    value: Scalar
    count: int
    of: int


@dataclass(frozen=True)
class Best:
    """The set of the best: its rows, what they share, where they differ, and that in words.

    `free` knobs have all their values in it, `narrowed` ones some; `leaning` ones are free, too.
    """

    rows: tuple[int, ...]
    alpha: float
    shared: tuple[SharedKnob, ...]
    free: tuple[OpenKnob, ...]
    narrowed: tuple[OpenKnob, ...]
    leaning: tuple[Leaning, ...]
    sentences: tuple[str, ...]


@dataclass(frozen=True)
class Winner:
    """How often a configuration is chosen when only a part of the questions may choose."""

    row: int
    share: float


@dataclass(frozen=True)
class Honest:
    """What the choice is worth on questions that it was not made by.

    `naive` is the mean of what the rule chooses from all questions, `optimism` how much too high it is. `top`
    has value, naive and optimism of the plain choice of the highest mean, where the rule is another one.
    """

    value: float
    lower: float
    upper: float
    naive: float
    optimism: float
    folds: int
    repeats: int
    rule: str
    winners: tuple[Winner, ...]
    top: Mapping[str, float] | None = None


@dataclass(frozen=True)
class Wanted:
    """Questions that are needed to find a difference; None if more than any gold has."""

    difference: float
    questions: int | None


@dataclass(frozen=True)
class Power:
    """The smallest difference from the baseline that this gold finds, all comparisons taken into account.

    `alone` is the same for one comparison, `deviation` the standard deviation of a question's difference.
    """

    deviation: float
    detectable: float
    alone: float
    power: float
    alpha: float
    comparisons: int
    wanted: Wanted | None = field(metadata={"key": "for"})


@dataclass(frozen=True)
class EffectInfo:
    """Effect of a knob or of two; see `statistics.effects.Effect`."""

    knobs: tuple[str, ...]
    levels: tuple[tuple[str, ...], ...]
    counts: tuple[int, ...]
    mean: tuple[float, ...]
    effect: tuple[float, ...]
    lower: tuple[float, ...]
    upper: tuple[float, ...]
    share: float
    partial_eta: float


@dataclass(frozen=True)
class QuestionInfo:
    """A question across the configurations; `decides` counts those that would win without it."""

    id: str
    text: str | None
    tags: tuple[str, ...]
    mean: float
    deviation: float
    best: float
    worst: float
    dead: bool
    decides: int


@dataclass(frozen=True)
class TagInfo:
    """A tag: who is best on its questions, means by row, and the promoted one minus the baseline.

    `tied` is how many are as good as the best one there, itself among them.
    """

    tag: str
    questions: int
    winner: int
    tied: int
    means: Mapping[int, float]
    difference: float


@dataclass(frozen=True)
class Likes:
    """For how many questions each level of a knob is the best one; for `indifferent` several are."""

    key: str
    levels: tuple[str, ...]
    questions: tuple[int, ...]
    indifferent: int


@dataclass(frozen=True)
class CurveRow:
    """The curve of one configuration.

    `cut_short` is the share of questions for which more might have fitted than was kept: where it is large,
    `values` are lower bounds.
    """

    row: int
    values: tuple[float, ...]
    cut_short: tuple[float, ...]


@dataclass(frozen=True)
class Curve:
    """A measure against the number of words handed over."""

    measure: str
    budgets: tuple[int, ...]
    rows: tuple[CurveRow, ...]


@dataclass(frozen=True)
class Latency:
    """Times of a finalist, one question at a time."""

    row: int
    p50_ms: float
    p95_ms: float
    build_s: float
    queries: int


@dataclass(frozen=True)
class History:
    """What this gold has judged so far, this comparison's sweeps included."""

    sweeps: int
    configurations: int


@dataclass(frozen=True)
class Warning:
    """What should keep a reader from trusting a number; `kind` is one word for programs."""

    kind: str
    text: str


@dataclass(frozen=True)
class Decision:
    """What to do, and why, in words for somebody who knows the product and no statistics.

    `why` is one word for programs; see `choice.Choice`. `named` are the rows that the reasons name beside the
    one to promote.
    """

    promote: int
    named: tuple[int, ...]
    why: str
    rule: str
    keeps_baseline: bool
    headline: str
    reasons: tuple[str, ...]
    cautions: tuple[str, ...]
