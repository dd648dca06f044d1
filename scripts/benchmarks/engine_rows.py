"""Row c: the engine alone beside bm25s + ranx, and its distance to the speed of memory."""

from __future__ import annotations

from typing import Any

from benchmarks.clock import python, run
from benchmarks.engine import EQUAL
from benchmarks.material import Missing
from benchmarks.rows import Bench, Row, milliseconds, processor, skipped, times

SIZES = ((1_400, 225, 10, 10), (11_000, 225, 5, 5), (100_000, 225, 4, 3))
"""Passages, questions, values of k1 and of b."""

QUICK = ((1_400, 225, 3, 3),)
K_RRF = 4


def rows(bench: Bench, wanted: str) -> list[Row]:
    """Lexical and hybrid grids at each size."""
    found: list[Row] = []
    for size in QUICK if bench.quick else SIZES:
        for k_rrf in (0, K_RRF):
            found += _rows(bench, *size, k_rrf)
    return found


def _rows(bench: Bench, passages: int, questions: int, k1: int, b: int, k_rrf: int) -> list[Row]:
    kind = "hybrid" if k_rrf else "lexical"
    what = f"engine alone, {kind}, {passages:,} passages, {questions:,} questions"
    given = {"passages": passages, "questions": questions, "k1": k1, "b": b, "k_rrf": k_rrf}
    sample = 2 if passages > 20_000 else 4
    try:
        values = engine(bench, loop=True, sample=sample, repeat=bench.repeat, **given)
    except Missing as reason:
        return [skipped("c", what, reason)]
    equal = values["worst"] <= EQUAL and not values["unexplained"]
    used = processor(values["ours_cpu"], values["loop_cpu"])
    checked = (
        f"{used}; {values['values']} per-question values equal, {values['moved_by_ties']} of them up to ties"
    )
    own = milliseconds(values["ours"])
    against = Row(
        "c",
        f"{what}: a configuration beside bm25s + ranx",
        own,
        milliseconds(values["loop"]),
        times(values["loop"] / values["ours"]),
        ">= 40, aim 100" if kind == "lexical" and passages == SIZES[0][0] else "",
        equal,
        checked,
    )
    more = [_beside_scipy(what, values)] if "scipy" in values else []
    return [against, *more, _beside_memory(what, values)]


def _beside_scipy(what: str, values: dict[str, Any]) -> Row:
    return Row(
        "c",
        f"{what}: beside a loop over scipy's sparse product",
        milliseconds(values["ours"]),
        milliseconds(values["scipy"]),
        times(values["scipy"] / values["ours"]),
        "",
        values["scipy_worst"] < 1e-3,
        f"{processor(values['ours_cpu'], values['scipy_cpu'])}; mean ndcg@10 within "
        f"{values['scipy_worst']:.1g} (its ties are in any order)",
    )


def _beside_memory(what: str, values: dict[str, Any]) -> Row:
    return Row(
        "c",
        f"{what}: over the time to move its bytes",
        milliseconds(values["ours"]),
        milliseconds(values["bound_ms"]),
        times(values["ours"] / values["bound_ms"]),
        "",
        None,
        f"{values['bytes'] / 1e6:.1f} MB a configuration at {values['copy_gb_s']:.1f} GB/s; "
        f"{values['touched']:,} postings touched",
    )


def engine(bench: Bench, loop: bool = False, **given: int) -> dict[str, Any]:
    """What the engine's process measures. Raises Missing where it can't."""
    options = [part for name, value in given.items() for part in (f"--{name}", str(value))]
    with bench.passing() as folder:
        command = python("-m", "benchmarks.engine", *options, *(["--loop"] if loop else []))
        values = run(command, folder).json()
    if "missing" in values:
        raise Missing(values["missing"])
    return values
