"""A judge beside people, over the cases that both have judged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from rag_sweep.agreement.bias import Consistency, LengthBias, OrderBias, length_bias, sign_test
from rag_sweep.agreement.kappa import Kappa, Share, Weights, confusion, kappa, share

LEVEL, RESAMPLES, SEED = 0.95, 10_000, 0
"""Of every interval of an agreement."""


@dataclass(frozen=True)
class Scale:
    """What a label can be, from bad to good; in an order where there are more than two.

    Attributes
    ----------
    labels
        At least two.
    weights
        How disagreements count in kappa.
    """

    labels: tuple[str, ...]
    weights: Weights = "none"

    def height(self, label: int) -> float:
        """0 for the first label, 1 for the last."""
        return label / (len(self.labels) - 1)

    def at(self, height: float) -> int:
        """The label of a height: the other way round."""
        return max(0, round(height * (len(self.labels) - 1)))


YES_NO = Scale(("no", "yes"))


@dataclass(frozen=True)
class Pair:
    """One case: the labels by their places on the scale, and the length of the answer in words, if known."""

    id: str
    person: int
    judge: int
    words: int | None
    reason: str = ""


@dataclass(frozen=True)
class Disagreement:
    """A case that people and the judge see differently, with the reason that the judge gave."""

    id: str
    person: str
    judge: str
    reason: str


@dataclass(frozen=True)
class Agreed:
    """How far a judge agrees with people.

    Attributes
    ----------
    scale
        The labels, from bad to good.
    same
        Cases with the same label, of all.
    table
        Counts: rows are people's labels, columns the judge's.
    kinder, harsher
        Cases in which the judge is above, and below, people; `kinder_p` is the sign test of the two.
    disagreements
        Farthest apart first.
    """

    scale: tuple[str, ...]
    same: Share
    kappa: Kappa
    table: tuple[tuple[int, ...], ...]
    kinder: int
    harsher: int
    kinder_p: float | None
    length: LengthBias
    disagreements: tuple[Disagreement, ...]


@dataclass(frozen=True)
class People:
    """How far two people agree: what a judge can reach at most, as far as it is known."""

    same: Share
    kappa: Kappa
    table: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Decision:
    """Whether a judge may decide anything, and why in a sentence."""

    may: bool
    why: str


Side = Literal["judge", "rules", "person"]


class Words(NamedTuple):
    """Who is compared with people, in sentences."""

    both: str
    no_cases: str
    better: str


SIDES: Mapping[Side, Words] = {
    "judge": Words(
        "people and the judge",
        "nothing was labelled that it has judged",
        "better labels, or a better judge",
    ),
    "rules": Words(
        "people and the rules",
        "nothing was labelled that they have judged",
        "better labels, or other rules (rules.pass_rules, the rubrics)",
    ),
    "person": Words(
        "both people",
        "no case was labelled by both",
        "a clearer question",
    ),
}


@dataclass(frozen=True)
class Further:
    """What asking again has shown; None where it wasn't asked."""

    order: OrderBias | None = None
    consistency: Consistency | None = None


def agreed(
    pairs: Sequence[Pair], scale: Scale, *, level: float = LEVEL, resamples: int = RESAMPLES
) -> Agreed:
    """Compare; the order of the pairs changes nothing but that of disagreements equally far apart."""
    table, same, value = _compared(
        [one.person for one in pairs], [one.judge for one in pairs], scale, level, resamples
    )
    apart = sorted(
        (one for one in pairs if one.person != one.judge), key=lambda one: -abs(one.person - one.judge)
    )
    kinder = sum(one.judge > one.person for one in apart)
    # in an order of their own: resamples draw cases by their place
    ordered = sorted(pairs, key=lambda one: one.id)
    higher = [scale.height(one.judge) - scale.height(one.person) for one in ordered]
    return Agreed(
        scale=scale.labels,
        same=same,
        kappa=value,
        table=table,
        kinder=kinder,
        harsher=len(apart) - kinder,
        kinder_p=sign_test(kinder, len(apart) - kinder),
        length=length_bias(
            higher, [one.words for one in ordered], level=level, resamples=resamples, seed=SEED
        ),
        disagreements=tuple(
            Disagreement(one.id, scale.labels[one.person], scale.labels[one.judge], one.reason)
            for one in apart
        ),
    )


def people(
    first: Sequence[int],
    second: Sequence[int],
    scale: Scale,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> People:
    """Compare two people over the cases that both have labelled."""
    table, same, value = _compared(first, second, scale, level, resamples)
    return People(same, value, table)


def decide(found: Kappa, least: float, side: Side = "judge") -> Decision:
    """A judge may decide where even the lower end of its kappa reaches `least`.

    The end, not the value: a few lucky labels are no licence, and more labels are the way to get one.

    Parameters
    ----------
    side
        Who is beside people: it changes the words only.
    """
    words = SIDES[side]
    if found.value is None or found.lower is None or found.upper is None:
        told = {
            "no_cases": words.no_cases,
            "one_kind": f"{words.both} gave every case the same label, so kappa isn't defined",
            "constant": "one side gave every case the same label, so there is no agreement beyond chance",
            "too_few_of_a_kind": "one of the labels is too rare for an interval of kappa",
        }[found.reason or "no_cases"]
        return Decision(False, f"{told}: label more cases, of every kind")
    shown = f"kappa {_number(found.value)} ({_number(found.lower)} to {_number(found.upper)})"
    if found.lower >= least:
        return Decision(True, f"{shown} reaches {least:g} even at its lower end")
    if found.value >= least:
        return Decision(False, f"{shown} may be below {least:g}: label more than {found.of} cases")
    return Decision(False, f"{shown} is below {least:g}: {words.better}")


def _number(value: float) -> str:
    """With three decimals and a minus sign where it is below 0."""
    text = f"{value:.3f}"
    return "0.000" if float(text) == 0.0 else text.replace("-", "−")


def _compared(
    a: Sequence[int], b: Sequence[int], scale: Scale, level: float, resamples: int
) -> tuple[tuple[tuple[int, ...], ...], Share, Kappa]:
    rows, columns = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
    table = confusion(rows, columns, len(scale.labels))
    value = kappa(table, scale.weights, level=level, resamples=resamples, seed=SEED)
    same = share(int(np.trace(table)), int(table.sum()), level)
    return tuple(tuple(int(cell) for cell in row) for row in table), same, value
