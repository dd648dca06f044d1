"""Row h: what it takes to come from the kept results of a sweep to a decision."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from benchmarks.clock import Ran, medians, python, run
from benchmarks.material import Missing, collection_folder
from benchmarks.rows import Bench, Row, seconds, skipped, times
from benchmarks.sweeps import Grid, anew, sweep

COLLECTIONS = ("cranfield", "rubq-paragraphs-ru")


def rows(bench: Bench, wanted: str) -> list[Row]:
    """`rag-sweep compare` beside the sweep that it judges, in English and in Russian."""
    grid = Grid(3, 2, 5) if bench.quick else Grid(10, 10, 5)
    found = []
    for name in COLLECTIONS:
        what = f"compare of {grid.size} on {name}, beside its sweep"
        try:
            found.append(_row(bench, what, grid, collection_folder(name)))
        except Missing as reason:
            found.append(skipped("h", what, reason))
    return found


def _row(bench: Bench, what: str, grid: Grid, data: Path) -> Row:
    folder = bench.fresh()
    swept = sweep(folder, [*grid.overrides(), "tracking=none", *anew()], data)
    told: list[Ran] = []

    def compared() -> float:
        told.append(run(python("-m", "rag_sweep", "compare", "--no-log", "--json"), folder))
        return told[-1].seconds

    clock = medians(bench.repeat, {"compare": partial(compared)})
    data_of = [ran.json() for ran in told]
    honest, questions = data_of[0]["honest"] or {}, data_of[0]["questions"]
    value = f"{honest['value']:.3f} on new questions, {honest['naive']:.3f} measured; " if honest else ""
    figures = seconds(clock["compare"]), seconds(swept.seconds), times(swept.seconds / clock["compare"])
    equal = all(one == data_of[0] for one in data_of)
    checked = f"{value}{questions} questions; the page is written too; {told[0].peak_mb:,.0f} MB"
    return Row("h", what, *figures, "seconds", equal, checked)
