"""Rows e, f and g: workers, a warm store, and how soon the command answers."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from benchmarks import zipf
from benchmarks.clock import Broken, medians, python
from benchmarks.growth import write_beir
from benchmarks.material import Missing
from benchmarks.rows import Bench, Row, milliseconds, seconds, skipped, times
from benchmarks.sweeps import Grid, anew, results, sweep

STARTS = 5
"""Times that the command is started, at the least: a start is short."""


def workers(bench: Bench, wanted: str) -> list[Row]:
    """Row e: one worker beside two, on much small work and on little large work."""
    small = Grid(3, 2, 5) if bench.quick else Grid(10, 10, 10)
    rows = []
    what = f"1 worker beside 2, {small.size:,} on Cranfield, hybrid"
    try:
        rows.append(_workers(bench, what, small.overrides(), None))
    except Missing as reason:
        rows.append(skipped("e", what, reason))
    passages, grid = (2_000, Grid(2, 2, 1)) if bench.quick else (50_000, Grid(10, 5, 1))
    data = bench.fresh() / "data"
    write_beir(zipf.collection(passages, 225), data)
    knobs = [o for o in grid.overrides() if not o.startswith("fusion")]
    what = f"1 worker beside 2, {grid.size} on {passages:,} passages, lexical"
    return [*rows, _workers(bench, what, ["analyzer=simple", "fusion=lexical_only", *knobs], data)]


def _workers(bench: Bench, what: str, overrides: Sequence[str], data: Path | None) -> Row:
    found: dict[int, list[object]] = {}

    def side(number: int) -> Callable[[], float]:
        def measured() -> float:
            with bench.passing() as folder:
                given = [*overrides, "tracking=none", "store=none", f"execute.n_jobs={number}", *anew()]
                ran = sweep(folder, given, data)
            found[number] = list(results(ran))
            return ran.seconds

        return measured

    clock = medians(bench.repeat, {"1": side(1), "2": side(2)})
    figures = seconds(clock["2"]), seconds(clock["1"]), times(clock["1"] / clock["2"])
    return Row(
        "e", what, *figures, "", found[1] == found[2], f"all measures of {len(found[1])} configurations"
    )


def store(bench: Bench, wanted: str) -> list[Row]:
    """Row f: a sweep into an empty store, and the same again."""
    grid = Grid(3, 2, 5) if bench.quick else Grid(10, 10, 10)
    what = f"cold store beside warm, {grid.size:,} on Cranfield"
    found: dict[str, list[object]] = {}
    folders: dict[str, Path] = {}

    def side(name: str) -> Callable[[], float]:
        def measured() -> float:
            if name == "cold":
                folders["now"] = bench.fresh()
            ran = sweep(folders["now"], [*grid.overrides(), "tracking=none", *anew()])
            found[name] = list(results(ran))
            return ran.seconds

        return measured

    try:
        clock = medians(bench.repeat, {name: side(name) for name in ("cold", "warm")})
    except Missing as reason:
        return [skipped("f", what, reason)]
    figures = seconds(clock["warm"]), seconds(clock["cold"]), times(clock["cold"] / clock["warm"])
    return [
        Row(
            "f",
            what,
            *figures,
            "",
            found["cold"] == found["warm"],
            f"all measures of {grid.size} configurations",
        )
    ]


def starts(bench: Bench, wanted: str) -> list[Row]:
    """Row g: what a user waits for who asks for help or mistypes, beside an interpreter that does nothing."""
    commands = {
        "pass": (python("-c", "pass"), 0),
        "rag-sweep --help": (python("-m", "rag_sweep", "--help"), 0),
        "rag-sweep run --help": (python("-m", "rag_sweep", "run", "--help"), 0),
        "a wrong command": (python("-m", "rag_sweep", "sweeep"), 2),
        "a wrong option": (python("-m", "rag_sweep", "run", "--tpo=3"), 2),
        "a wrong knob": (python("-m", "rag_sweep", "run", "lexical.k3=1"), 2),
    }
    with bench.passing() as folder:
        sides = {name: _start(command, code, folder) for name, (command, code) in commands.items()}
        clock = medians(1 if bench.quick else max(STARTS, bench.repeat), sides)
    plain = clock.pop("pass")
    return [
        Row(
            "g",
            f"{name}, over python -c pass",
            milliseconds(1000 * found),
            milliseconds(1000 * plain),
            times(found / plain),
            "< 500 ms",
            None,
            "exit codes as they should be",
        )
        for name, found in clock.items()
    ]


def _start(command: Sequence[str], code: int, folder: Path) -> Callable[[], float]:
    def measured() -> float:
        started = time.perf_counter()
        done = subprocess.run(command, cwd=folder, capture_output=True, stdin=subprocess.DEVNULL)
        if done.returncode != code:
            raise Broken(f"{' '.join(command[1:])} ended with {done.returncode}, not {code}")
        return time.perf_counter() - started

    return measured
