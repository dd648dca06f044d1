"""Questions seen across all configurations: hard, easy, divisive, dead, decisive."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray, IntArray
from rag_sweep.checks import is_count, require
from rag_sweep.statistics.table import TIE, checked, settled


@dataclass(frozen=True, eq=False)
class QuestionView:
    """What each question does, in the order of the questions.

    Attributes
    ----------
    mean : float64, shape (questions,)
        Over the configurations: low is hard.
    deviation : float64, shape (questions,)
        Standard deviation over the configurations (ddof 0): high is where they disagree.
    dead : bool, shape (questions,)
        True where every configuration has the same value: it can't choose.
    decisive : int64, shape (questions,)
        How many configurations that don't win (or share the win) would do so without the question. 0 where
        its removal brings no new winner.
    """

    mean: FloatArray
    deviation: FloatArray
    dead: BoolArray
    decisive: IntArray

    def hardest(self, number: int) -> IntArray:
        """The questions with the lowest means, lowest first, int64, at most `number`; ties by position."""
        return _first(self.mean, number)

    def easiest(self, number: int) -> IntArray:
        """The questions with the highest means, highest first, int64, at most `number`; ties by position."""
        return _first(-self.mean, number)

    def divisive(self, number: int) -> IntArray:
        """The questions on which configurations disagree most, at most `number`; never a dead one."""
        order = _first(-self.deviation, number)
        result: IntArray = order[~self.dead[order]]
        return result


def view_questions(values: FloatArray) -> QuestionView:
    """See each question across the configurations.

    Parameters
    ----------
    values : float64, shape (configurations, questions)
        One measure; answerable questions only.

    Raises
    ------
    ConfigError
        For values that aren't finite.
    """
    table = checked(values)
    ranked = np.sort(table, axis=0)  # one order of sums, whatever the order of the configurations
    dead: BoolArray = np.ptp(table, axis=0) <= TIE
    new = _winners_without(table) & ~_winners(table.sum(axis=1, keepdims=True))
    return QuestionView(
        mean=settled(ranked.mean(axis=0)),
        deviation=settled(np.where(dead, 0.0, ranked.std(axis=0))),
        dead=dead,
        decisive=new.sum(axis=0),
    )


def winners_without(values: FloatArray, question: int) -> IntArray:
    """The rows that win when one question is left out, int64, rising; all of them if it is the only one."""
    table = checked(values)
    number = table.shape[1]
    known = is_count(question, 0) and question < number
    require("question", question, f"a column from 0 to {number - 1}", known)
    rows: IntArray = np.flatnonzero(_winners_without(table)[:, question])
    return rows


def _winners_without(table: FloatArray) -> BoolArray:
    """Shape (configurations, questions): who wins when the question is left out."""
    return _winners(table.sum(axis=1, keepdims=True) - table)


def _winners(sums: FloatArray) -> BoolArray:
    result: BoolArray = sums >= sums.max(axis=0) - TIE
    return result


def _first(keys: FloatArray, number: int) -> IntArray:
    require("number", number, "an int >= 0", is_count(number, 0))
    return np.argsort(keys, kind="stable")[:number]
