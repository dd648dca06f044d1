"""The rows of a verdict: a minimum, or a drop from the baseline."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray
from rag_sweep.comparison.words import counted, signed
from rag_sweep.errors import ConfigError
from rag_sweep.gate.thresholds import Mode, Target
from rag_sweep.gate.verdict import Check, Power, TagRow
from rag_sweep.scorecard import Scorecard
from rag_sweep.statistics.differences import against_baseline
from rag_sweep.statistics.intervals import bootstrap_differences, bootstrap_means
from rag_sweep.statistics.power import (
    detectable_difference,
    is_too_few,
    paired_deviation,
    questions_needed,
)
from rag_sweep.statistics.table import TIE, settle

CHANCE = 0.8
"""The power that is told, as is usual (Cohen 1988, section 2.4)."""


class Judging:
    """Judges one scorecard, alone or beside another one that it can be compared with.

    Parameters
    ----------
    baseline
        None where there is none, or none that can be compared.
    unchanged
        True if nothing that a value depends on differs: then a difference of 0 is no estimate.
    """

    def __init__(
        self, current: Scorecard, baseline: Scorecard | None, mode: Mode, alpha: float, *, unchanged: bool
    ) -> None:
        self._current, self._baseline = current, baseline
        self._mode, self._alpha, self._unchanged = mode, alpha, unchanged

    def minimum(self, target: Target, limit: float) -> Check:
        """A mean that has to be at least `limit`."""
        values = self.values(self._current, target)
        interval = bootstrap_means(values[np.newaxis], level=1.0 - self._alpha)
        mean = _mean(values)
        holds = mean >= limit - TIE
        lower, upper = float(interval.lower[0]), float(interval.upper[0])
        relation = "is at least" if holds else f"is {limit - mean:.2g} below"
        return Check(
            kind="minimum",
            what=f"{target} at least {_number(limit)}",
            measure=target.measure,
            tag=target.tag,
            limit=limit,
            value=mean,
            passed=holds,
            why=f"{_number(mean)} {relation} {_number(limit)}",
            questions=len(values),
            lower=lower,
            upper=upper,
        )

    def drop(self, target: Target, limit: float, refused: str | None) -> Check:
        """A drop that may be at most `limit`; not judged where it is refused."""
        values = self.values(self._current, target)
        row = Check(
            kind="max_drop",
            what=f"{target} at most {_number(limit)} below the baseline",
            measure=target.measure,
            tag=target.tag,
            limit=limit,
            value=_mean(values),
            passed=None,
            why=refused or "there is no baseline",
            questions=len(values),
        )
        if self._baseline is None or refused is not None:
            return row
        if target.measure not in self._baseline.measures:
            return replace(row, why=f"the baseline wasn't measured by {target.measure}")
        before = self.values(self._baseline, target)
        of_tag = target.tag is not None
        found = _Difference.of(before, values, self._alpha, unchanged=self._unchanged, of_tag=of_tag)
        passed, why = found.judged(limit, self._mode)
        return replace(
            row,
            passed=passed,
            why=why,
            baseline=_mean(before),
            difference=found.mean,
            difference_lower=found.lower,
            difference_upper=found.upper,
            p_value=found.p_value,
            power=found.power(limit),
        )

    def tag_row(self, tag: str, measure: str) -> TagRow:
        """A measure over the questions of a tag."""
        target = Target(measure, tag)
        values = self.values(self._current, target)
        row = TagRow(tag, measure, len(values), _mean(values))
        if self._baseline is None or measure not in self._baseline.measures:
            return row
        before = self.values(self._baseline, target)
        found = _Difference.of(before, values, self._alpha, unchanged=self._unchanged, of_tag=True)
        return replace(
            row,
            baseline=_mean(before),
            difference=found.mean,
            difference_lower=found.lower,
            difference_upper=found.upper,
            power=found.power(0.0),
        )

    def values(self, card: Scorecard, target: Target) -> FloatArray:
        """The values that a target is the mean of.

        Raises
        ------
        ConfigError
            If the measure wasn't computed, or no answerable question has the tag.
        """
        if target.measure not in self._current.measures:
            ks = sorted({card.k, *card.cutoffs})
            raise ConfigError(
                f"thresholds: {target.measure} isn't measured: its cutoff must be k or one of the cutoffs "
                f"({', '.join(map(str, ks))}); give it in cutoffs=[…]"
            )
        column = card.column(target.measure)
        if target.tag is None:
            return column
        rows: BoolArray = card.tagged(target.tag)
        if not rows.any():
            known = ", ".join(self._current.all_tags) or "none"
            raise ConfigError(
                f"thresholds: no answerable question has the tag {target.tag!r}; there are: {known}"
            )
        chosen: FloatArray = column[rows]
        return chosen


class _Difference:
    """A paired difference, this one minus the baseline, with all that is said of it."""

    def __init__(self, values: FloatArray, alpha: float, mean: float, lower: float, upper: float) -> None:
        self._values, self._alpha = values, alpha
        self.mean, self.unchanged = mean, False
        self.too_few = False
        self.lower: float | None = lower
        self.upper: float | None = upper
        self._excluded = settle(max(-lower, 0.0))

    @classmethod
    def of(
        cls, before: FloatArray, values: FloatArray, alpha: float, *, unchanged: bool, of_tag: bool
    ) -> _Difference:
        """The difference of two columns; of a tag with too few questions without an interval."""
        table = np.stack([before, values])
        interval = bootstrap_differences(table, 0, level=1.0 - alpha)
        mean = _mean(values - before)
        found = cls(table, alpha, mean, float(interval.lower[1]), float(interval.upper[1]))
        if unchanged:
            found.mean = found.lower = found.upper = 0.0
            found.unchanged = True
        elif of_tag and is_too_few(table.shape[1], alpha):
            found.lower = found.upper = None
            found.too_few = True
        return found

    @property
    def p_value(self) -> float | None:
        """Two-sided, against no difference at all; None where so few questions can show none."""
        return (
            None if self.too_few else float(against_baseline(self._values, 0, alpha=self._alpha).p_value[1])
        )

    def judged(self, limit: float, mode: Mode) -> tuple[bool, str]:
        """Whether a drop of at most `limit` is accepted, and why."""
        if self.unchanged:
            return True, "nothing that a value depends on has changed, and no ranking has"
        if self.lower is None or self.upper is None:
            return self._judged_by_mean(limit, mode)
        drop, largest, least, most = -self.mean, -self.lower, -self.upper, _number(limit)
        interval = f"{100 * (1.0 - self._alpha):g} % interval {signed(self.lower)} to {signed(self.upper)}"
        change = f"{signed(self.mean)} ({interval})"
        if mode == "non_inferiority":
            if largest <= limit + TIE:
                return True, f"{change}: a drop beyond {most} is excluded"
            return False, f"{change}: a drop beyond {most} isn't excluded, {_number(largest)} is possible"
        if least > limit + TIE:
            return False, f"{change}: a drop beyond {most} is shown, the whole interval lies beyond it"
        if drop > limit + TIE:
            return False, f"{change}: the measured drop exceeds {most}, though none beyond it is shown"
        return True, f"{change}: no drop beyond {most} was measured"

    def _judged_by_mean(self, limit: float, mode: Mode) -> tuple[bool, str]:
        """As `judged`, where the questions are too few for an interval: they can't exclude anything."""
        number, most = counted(self._values.shape[1], "question"), _number(limit)
        change = f"{signed(self.mean)} ({number}: too few for an interval)"
        if -self.mean > limit + TIE:
            return False, f"{change}: the measured drop exceeds {most}"
        if mode == "non_inferiority":
            return False, f"{change}: so few can't exclude a drop beyond {most}"
        return True, f"{change}: no drop beyond {most} was measured"

    def power(self, limit: float) -> Power | None:
        """What could have been detected; None where so few questions can show no difference."""
        questions = self._values.shape[1]
        if self.too_few:
            return None
        deviation = paired_deviation(self._values, 0)
        if math.isnan(deviation):
            return Power(None, None, None, None, self._excluded)
        found = detectable_difference(deviation, questions, power=CHANCE, alpha=self._alpha)
        needed = self._needed(limit, deviation)
        return Power(settle(deviation), settle(found), settle(limit + found), needed, self._excluded)

    def _needed(self, limit: float, deviation: float) -> int | None:
        if limit <= 0.0:
            return None
        try:
            return questions_needed(limit, deviation, power=CHANCE, alpha=self._alpha)
        except ConfigError:  # more than anybody asks
            return None


def _mean(values: FloatArray) -> float:
    return settle(math.fsum(values.tolist()) / len(values))


def _number(value: float) -> str:
    """A limit as it was typed, a mean with four decimals."""
    return f"{round(value, 4):g}"
