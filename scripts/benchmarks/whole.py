"""Rows a and b: a whole sweep beside the honest loop, and beside the floor of its MLflow calls."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.clock import Broken, medians, python, run
from benchmarks.material import CRANFIELD_PASSAGES, Missing
from benchmarks.naive import CUTOFF, MEASURES
from benchmarks.rows import Bench, Row, processor, seconds, skipped, times
from benchmarks.sweeps import Grid, anew, children, sweep

WARM = 1
"""(k1, b) whose jobs fill the loop's caches: they count as a fixed cost."""

NAIVE = {"naive": "true", "naive again": "false"}
"""Sides of the loop, and whether they keep rankings."""

STATED = "naive again"
"""The side that the goals are about: the better one is told beside it."""


def rows(bench: Bench, wanted: str) -> list[Row]:
    """The rows a and b; `wanted` holds their letters."""
    try:
        return Whole(bench).rows(wanted)
    except Missing as reason:
        return [skipped(key, "whole sweep", reason) for key in wanted]


class Whole:
    """The sides of both rows, each a process of its own in a fresh folder, timed from start to end."""

    def __init__(self, bench: Bench) -> None:
        self.bench = bench
        self.grid = Grid(3, 2, 2) if bench.quick else Grid(10, 10, 10)
        self.sampled = self._sample()
        self._all: Path | None = None
        self._naive: dict[str, Path] = {}
        self._cpu: dict[str, list[float]] = {}
        self._runs = 0

    def _sample(self) -> dict[str, list[str]]:
        """Three (k1, b) of the grid with all their k_rrf: a kept ranking serves as many as in the grid."""
        values = self.grid.values()
        k1, b = values["k1"], values["b"]
        return {"k1": [k1[0], k1[len(k1) // 2], k1[-1]], "b": [b[len(b) // 2]], "k_rrf": values["k_rrf"]}

    @property
    def _measured(self) -> int:
        """Jobs of the sample whose times count."""
        return (3 - WARM) * self.grid.k_rrf

    def rows(self, wanted: str) -> list[Row]:
        """Check, measure, and tell."""
        sides: dict[str, Callable[[], float]] = {"all": self.all_children}
        if "a" in wanted:
            sides |= {name: partial(self.naive, name) for name in NAIVE}
            sides["none"] = self.no_children
        if "b" in wanted:
            sides["floor"] = self.floor
        found = medians(self.bench.repeat, sides)
        return [
            *(self._beside_loop(found) if "a" in wanted else []),
            *([self._beside_floor(found)] if "b" in wanted else []),
        ]

    def all_children(self) -> float:
        """Every configuration with a run and a table; the store is kept for the other sides."""
        folder = self.bench.fresh()
        ran = sweep(folder, [*self.grid.overrides(), *self._every_child(), *anew()])
        self._all = self._all or folder
        return self._timed("all", ran.seconds, ran.cpu)

    @staticmethod
    def _every_child() -> list[str]:
        try:
            return [children("all")]
        except Missing:
            return []  # an older version logs every child

    def no_children(self) -> float:
        """One run for the whole sweep."""
        try:
            which = children("none")
        except Missing:
            return math.nan
        with self.bench.passing() as folder:
            ran = sweep(folder, [*self.grid.overrides(), which, *anew()])
        return self._timed("none", ran.seconds, ran.cpu)

    def _timed(self, side: str, wall: float, cpu: float) -> float:
        """Note the processor time, which other work on the machine doesn't lengthen; give the wall time."""
        self._cpu.setdefault(side, []).append(cpu)
        return wall

    def _cpu_of(self, side: str, other: str) -> str:
        own, theirs = (statistics.median(self._cpu[name]) for name in (side, other))
        return processor(1000 * own, 1000 * theirs)

    def naive(self, name: str) -> float:
        """The loop on a sample of the grid, scaled: what comes once counts once, each job as the sample's."""
        folder = self.bench.fresh()
        given = [f"{knob}={','.join(values)}" for knob, values in self.sampled.items()]
        module = python("-m", "benchmarks.naive_app", "-m", *given, f"keep={NAIVE[name]}")
        ran = run(module, folder)
        self._naive.setdefault(name, folder)
        clock = json.loads((folder / "times.json").read_text())
        warm = WARM * self.grid.k_rrf
        jobs = [
            (end - start) / self._measured
            for end, start in zip(clock["ended"][-1], clock["began"][warm], strict=True)
        ]
        more = self.grid.size - warm - self._measured
        wall, cpu = ran.seconds + more * jobs[0], ran.cpu + more * jobs[1]
        return self._timed(name, wall, cpu)

    def floor(self) -> float:
        """The calls of the finished sweep once more."""
        if self._all is None:
            raise Broken("the floor needs a finished sweep")
        with self.bench.passing() as folder:
            ran = run(python("-m", "benchmarks.floor", str(self._all), str(folder)), folder)
            self._runs = ran.json()["runs"]
        reading = ran.json()
        wall, cpu = ran.seconds - reading["reading"], ran.cpu - reading["reading_cpu"]
        return self._timed("floor", wall, cpu)

    def _beside_loop(self, found: dict[str, float]) -> list[Row]:
        equal, how = self._compared()
        size = self.grid.size
        scaled = f"loop measured on {self._measured} configurations and scaled to {size}; {how}"
        loops = {STATED: "tokens and vectors cached", "naive": "rankings kept too"}
        rows = []
        for side, goal, what in (("all", 8, "all children logged"), ("none", 25, "tracking.children=none")):
            for loop, cached in loops.items():
                name = f"whole sweep of {size}, {what}, beside the loop ({cached})"
                if math.isnan(found[side]):
                    rows.append(skipped("a", name, "this version has no tracking.children"))
                    continue
                figures = seconds(found[side]), seconds(found[loop]), times(found[loop] / found[side])
                wanted = f">= {goal}" if loop == STATED else ""
                rows.append(Row("a", name, *figures, wanted, equal, f"{self._cpu_of(side, loop)}; {scaled}"))
        return rows

    def _beside_floor(self, found: dict[str, float]) -> Row:
        equal = self._runs == self.grid.size + 1
        what = f"whole sweep of {self.grid.size}, all children logged, over its MLflow calls alone"
        figures = seconds(found["all"]), seconds(found["floor"]), times(found["all"] / found["floor"])
        checked = f"{self._cpu_of('all', 'floor')}; {self._runs} runs with equal payload on both sides"
        return Row("b", what, *figures, "<= 1.3", equal, checked)

    def _compared(self) -> tuple[bool, str]:
        """Per-question values that both sides left in MLflow, on the sample of the grid.

        The loop's must be ours wherever no two passages of the lexical list are (nearly) tied; with our
        order of ties they must be ours everywhere.
        """
        from benchmarks.naive_app import loop as cached

        if self._all is None:
            raise Broken("nothing to compare")
        sizes = CRANFIELD_PASSAGES, 225
        loop, values, moved = cached(*sizes), 0, 0
        own = tables(
            self._all / "mlruns" / "mlflow.db", "rag-sweep", "lexical.k1", "lexical.b", "fusion.k_rrf"
        )
        theirs = tables(self._naive["naive"] / "mlflow.db", "naive", "k1", "b", "k_rrf")
        for knobs in theirs:
            items, tied = loop.lexical_in_our_order(*knobs[:2])
            exact = loop.measures(loop.fused(items, int(knobs[2])))
            for name in MEASURES:
                column = f"{name}@{CUTOFF}"
                if np.abs(own[knobs][column] - exact[name]).max() > 1e-9:
                    return False, f"{column} differs at {knobs}"
                off = np.abs(own[knobs][column] - theirs[knobs][column]) > 1e-6
                if (off & ~tied).any():
                    return False, f"{column} differs without a tie at {knobs}"
                values, moved = values + len(off), moved + int(off.sum())
        return bool(values), f"{values} per-question values equal, {moved} of them up to ties"


def tables(database: Path, experiment: str, *knobs: str) -> dict[tuple[float, ...], dict[str, np.ndarray]]:
    """Each child's table by its knobs, column by column."""
    from mlflow import MlflowClient

    client = MlflowClient(tracking_uri=f"sqlite:///{database}")
    runs = client.search_runs(experiments(client, experiment), max_results=5000)
    return {
        tuple(float(run.data.params[knob]) for knob in knobs): _columns(run)
        for run in runs
        if "mlflow.parentRunId" in run.data.tags
    }


def experiments(client: Any, name: str) -> list[str]:
    """The id of an experiment, as a search takes it. Raises Broken if it isn't there."""
    found = client.get_experiment_by_name(name)
    if found is None:
        raise Broken(f"no experiment {name} was written")
    return [found.experiment_id]


def _columns(run: Any) -> dict[str, np.ndarray]:
    file = Path(run.info.artifact_uri.removeprefix("file://")) / "per_question.json"
    table = json.loads(file.read_text())
    wanted = {f"{name}@{CUTOFF}" for name in MEASURES}
    return {
        name: np.array([row[at] for row in table["data"]], dtype=float)
        for at, name in enumerate(table["columns"])
        if name in wanted
    }
