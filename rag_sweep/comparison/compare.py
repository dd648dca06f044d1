"""From a grid to a comparison: everything that is said of it, and the decision."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import cached_property

from rag_sweep.comparison.asked import questions_of, tags_of
from rag_sweep.comparison.baseline import Baseline, choose_baseline
from rag_sweep.comparison.bests import best_of
from rag_sweep.comparison.careful import cautions_of
from rag_sweep.comparison.cautions import warnings_of
from rag_sweep.comparison.choice import Choice, choose
from rag_sweep.comparison.comparison import (
    Comparison,
    DatasetInfo,
    Failed,
    KnobInfo,
    Settings,
    SweepInfo,
)
from rag_sweep.comparison.cost import Cost
from rag_sweep.comparison.curves import curve_of
from rag_sweep.comparison.decision import decision_of
from rag_sweep.comparison.effects import effects_of
from rag_sweep.comparison.findings import Findings
from rag_sweep.comparison.grid import Grid
from rag_sweep.comparison.honest import honest_value
from rag_sweep.comparison.leaderboard import rows_of
from rag_sweep.comparison.measured import Measured, fewer_resamples
from rag_sweep.comparison.parts import History, Honest, Test, Warning
from rag_sweep.comparison.power import power_at
from rag_sweep.comparison.prices import Prices, costs_in
from rag_sweep.comparison.settings import Decide
from rag_sweep.configuration import Scalar
from rag_sweep.errors import ConfigError
from rag_sweep.statistics.pairs import all_pairs

FORMAT = 1
"""The version of the plain data."""

LEADERS = 10
"""Of the leaderboard: whose curves, judgements and means by tag are told, beside promoted and baseline."""


def compare(
    grid: Grid,
    decide: Decide | None = None,
    shipped: Mapping[str, Scalar] | None = None,
    history: History | None = None,
) -> Comparison:
    """Compare the configurations of a grid and choose one.

    The order of configurations and questions changes nothing but the order of equals.

    Parameters
    ----------
    decide
        How; the defaults where it is None.
    shipped
        Params of the configuration as shipped: the default baseline.
    history
        What the gold has judged so far.

    Raises
    ------
    ConfigError
        For a baseline that isn't there.
    """
    from threadpoolctl import threadpool_limits

    how = decide or Decide()
    baseline = choose_baseline(grid, how.baseline, shipped)
    # Sums of matrix products depend on the number of threads. And several wait for each other where the
    # machine has other work: one is quicker then.
    with threadpool_limits(1):
        return _Comparing(grid, how, baseline, history).comparison()


class _Comparing:
    """The parts of a comparison, each computed once."""

    def __init__(self, grid: Grid, decide: Decide, baseline: Baseline, history: History | None) -> None:
        self.grid, self.decide, self.baseline, self.history = grid, decide, baseline, history
        self.measured = Measured.of(grid, baseline.row, decide)

    def comparison(self) -> Comparison:
        """All of it."""
        grid, findings = self.grid, self.findings
        effects, likes, notes = effects_of(grid, self.measured.table, self.decide)
        per_question, lists = questions_of(grid, self.measured.table)
        return Comparison(
            format=FORMAT,
            objective=grid.objective,
            k=grid.k,
            questions=findings.questions,
            negatives=int((~grid.answerable).sum()),
            configurations=len(grid) + len(grid.failed),
            distinct=findings.distinct,
            failed=_failed(grid),
            dataset=_dataset(grid),
            sweeps=_sweeps(grid),
            notes=(*grid.notes, self.baseline.note, *self.fewer, *notes),
            settings=Settings(**asdict(self.decide)),
            knobs=tuple(KnobInfo(knob.key, knob.short, knob.values) for knob in grid.knobs),
            baseline=self.baseline.row,
            stand_in=self.baseline.stand_in,
            rows=findings.rows,
            test=self.test,
            best=findings.best,
            honest=findings.honest,
            power=findings.power,
            effects=effects,
            per_question=per_question,
            question_lists=lists,
            tags=tags_of(grid, self.leaders, self.choice.promote, self.baseline.row),
            likes=likes,
            curve=findings.curve,
            latency=None,
            history=self.history,
            warnings=self.warnings,
            decision=decision_of(findings, cautions_of(findings, self.warnings)),
        )

    @cached_property
    def findings(self) -> Findings:
        """What the decision is told from."""
        grid, honest = self.grid, self.honest
        shares = None if isinstance(honest, str) else honest[1]
        return Findings(
            rows=rows_of(grid, self.measured, self.costs, self.baseline.row, shares),
            knobs=grid.knobs,
            choice=self.choice,
            baseline=self.baseline.row,
            stand_in=self.baseline.stand_in,
            worst=float(self.measured.differences.lower[self.chosen.pick]),
            prices=Prices.of(self.costs, self.decide.limits),
            best=best_of(grid, grid.main[self.measured.best], self.decide.alpha),
            honest=None if isinstance(honest, str) else honest[0],
            power=power_at(self.measured, self.decide),
            curve=curve_of(grid, self.leaders),
            notes=grid.notes,
            objective=grid.objective,
            k=grid.k,
            questions=grid.values.shape[1],
            distinct=len(grid.main),
            failed=len(grid.failed),
            decide=self.decide,
        )

    @cached_property
    def costs(self) -> tuple[Cost, ...]:
        """Of each member."""
        return costs_in(self.grid)

    @cached_property
    def prices(self) -> Prices:
        """Of the rows of the measured table."""
        limits = self.decide.limits
        found = Prices.of(self.costs, limits).select(self.grid.main)
        if limits is not None and not found.within.any():
            raise ConfigError(
                f"decide.constraint: no configuration keeps to {self.decide.constraint!r}; "
                f"the least that there is: {limits.nearest(self.costs)}"
            )
        return found

    @cached_property
    def chosen(self) -> Choice:
        """In rows of the measured table."""
        return choose(self.measured, self.prices, self.decide)

    @cached_property
    def choice(self) -> Choice:
        """In rows of the leaderboard; where the baseline stays, it is its own row, not that of its equal."""
        pick, promote = (int(self.grid.main[at]) for at in (self.chosen.pick, self.chosen.promote))
        kept = self.chosen.promote == self.measured.baseline
        return replace(self.chosen, pick=pick, promote=self.baseline.row if kept else promote)

    @cached_property
    def honest(self) -> tuple[Honest, list[float]] | str:
        """With the share of choices of each row of the measured table; a text where nothing can be said."""
        return honest_value(self.grid, self.measured, self.decide, self.prices, self.chosen.pick)

    @cached_property
    def leaders(self) -> list[int]:
        """The rows that details are told of."""
        first = self.grid.main[:LEADERS].tolist()
        return list(dict.fromkeys([self.choice.promote, self.choice.pick, *first, self.baseline.row]))

    @cached_property
    def warnings(self) -> tuple[Warning, ...]:
        """On the comparison as a whole."""
        found = warnings_of(self.grid, self.measured.table, self.leaders, self.history)
        if isinstance(self.honest, str) and len(self.grid.main) > 1:
            return (*found, Warning("no_honest_value", f"no honest value: {self.honest}"))
        return found

    @property
    def test(self) -> Test:
        """How differences were tested."""
        found, table, decide = self.measured.differences, self.measured.table, self.decide
        resamples = fewer_resamples(len(table), decide)
        pairs = all_pairs(table, alpha=decide.alpha, resamples=resamples, seed=decide.seed)
        apart = pairs.critical_difference if math.isfinite(pairs.critical_difference) else None
        return Test(decide.correction, found.patterns, found.exact, found.critical, apart)

    @property
    def fewer(self) -> list[str]:
        """A note where resamples were saved."""
        used = fewer_resamples(len(self.grid.main), self.decide)
        told = (
            f"intervals and the set of the best: {used:,} resamples, since there are so many configurations"
        )
        return [told] if used < self.decide.resamples else []


def _failed(grid: Grid) -> tuple[Failed, ...]:
    return tuple(
        Failed(one.name, one.record.failure or "", one.sweep, one.record.index) for one in grid.failed
    )


def _dataset(grid: Grid) -> DatasetInfo:
    basis = grid.sweeps[0].basis
    return DatasetInfo(basis.name, basis.corpus_hash, basis.gold_hash, basis.gold.version)


def _sweeps(grid: Grid) -> tuple[SweepInfo, ...]:
    members = [*grid.members, *grid.failed]
    return tuple(
        SweepInfo(
            sweep_id=sweep.sweep_id,
            name=sweep.name,
            configurations=sum(one.sweep == number for one in members),
            corpus=sweep.basis.corpus_hash,
            code=sweep.code,
        )
        for number, sweep in enumerate(grid.sweeps)
    )
