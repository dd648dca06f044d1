"""Row d: time and memory as configurations, passages and questions grow."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import zipf
from benchmarks.engine import Knobs, Ours
from benchmarks.engine_rows import engine
from benchmarks.material import CRANFIELD_PASSAGES, Material, Missing, dataset_of
from benchmarks.naive import CUTOFF, MEASURES
from benchmarks.rows import Bench, Row, milliseconds, seconds, skipped, times
from benchmarks.sweeps import Grid, anew, children, results, sweep
from rag_sweep import load_sweep
from rag_sweep.records import Dataset
from rag_sweep.store.disk import Disk

SWEEPS = (Grid(5, 5, 4), Grid(10, 10, 10), Grid(20, 20, 25))
SAMPLED = 50
"""Configurations that are evaluated again alone."""

COLLECTIONS = ((10_000, 100), (100_000, 100), (100_000, 1_000))


def rows(bench: Bench, wanted: str) -> list[Row]:
    """Configurations on Cranfield; passages and questions of synthetic text, by the engine and as a sweep."""
    found = []
    for grid in (Grid(2, 2, 3),) if bench.quick else SWEEPS:
        what = f"sweep of {grid.size:,} on Cranfield, best:100 logged"
        try:
            found.append(_configurations(bench, what, grid))
        except Missing as reason:
            found.append(skipped("d", what, reason))
    sizes = ((1_000, 20), (2_000, 20)) if bench.quick else COLLECTIONS
    return [*found, *_collections(bench, sizes), _large_sweep(bench, *sizes[-1])]


def _configurations(bench: Bench, what: str, grid: Grid) -> Row:
    with bench.passing() as folder:
        ran = sweep(folder, [*grid.overrides(), children("best:100"), *anew()])
        equal, checked = _alone(folder, grid.size)
    goal = "< 90 s, < 2,000 MB" if grid.size == SWEEPS[-1].size else ""
    each = milliseconds(1000 * ran.seconds / grid.size)
    figures = seconds(ran.seconds), f"{ran.peak_mb:,.0f} MB", f"{each} each"
    checked = f"processor time {seconds(ran.cpu)}; {checked}"
    return Row("d", what, *figures, goal, equal, checked)


def _alone(folder: Path, size: int) -> tuple[bool, str]:
    """Compare some configurations of a sweep with the same evaluated alone: every byte of every question."""
    found = load_sweep(path=folder / "mlruns", journal=folder / "mlruns" / ".sweeps")
    store = Disk(str(folder / "alone")).open()  # the vectors are the same for all
    ours = Ours(Material(*dataset_of(CRANFIELD_PASSAGES, 225)), hybrid=True, store=store)
    number = min(SAMPLED, size)
    if len(found.configurations) != size:
        return False, f"{len(found.configurations)} configurations of {size} are in the matrix"
    for at in range(0, size, size // number)[:number]:
        params = found.configurations[at].params
        knobs = Knobs(
            float(str(params["lexical.k1"])),
            float(str(params["lexical.b"])),
            int(str(params["fusion.k_rrf"])),
        )
        _, (outcome,) = ours.seconds([knobs], keep=1)
        names = [f"{name}@{CUTOFF}" for name in MEASURES]
        values = all(np.array_equal(found.column(n)[at], outcome.evaluation.column(n)) for n in names)
        if not values or not np.array_equal(found.documents[at], outcome.found.documents.items):
            return False, f"configuration {at} differs from the same alone"
    return True, f"rankings and values of {number} sampled configurations equal the same alone"


def _collections(bench: Bench, sizes: Sequence[tuple[int, int]]) -> list[Row]:
    """Time of one more (k1, b) by the postings that it touches, each size beside the one before."""
    side = 4 if bench.quick else 10
    found, before = [], None
    for passages, questions in sizes:
        values = engine(bench, passages=passages, questions=questions, k1=side, b=side)
        # processor time: it doesn't grow with what else the machine does
        per = 1e6 * values["ours_cpu"] / values["touched"]
        what = f"engine, {passages:,} passages x {questions:,} questions x {side * side} (k1, b)"
        found.append(
            Row(
                "d",
                f"{what}: a configuration, peak memory",
                milliseconds(values["ours"]),
                f"{values['peak_mb']:,.0f} MB",
                f"{per:.2f} ns a posting",
                "" if before is None else f"<= {before:.2f} ns a posting",
                None,
                f"{values['touched']:,} postings touched; the first one took {seconds(values['first'])}",
            )
        )
        before = per
    return found


def _large_sweep(bench: Bench, passages: int, questions: int) -> Row:
    """The largest collection through the command, nothing left out."""
    grid = Grid(2, 2, 1) if bench.quick else Grid(10, 10, 1)
    what = f"sweep, {passages:,} passages x {questions:,} questions x {grid.size} (k1, b)"
    knobs = [o for o in grid.overrides() if not o.startswith("fusion")]
    with bench.passing() as folder:
        write_beir(zipf.collection(passages, questions), folder / "data")
        try:
            few = [children("none")]
        except Missing:
            few = ["tracking=none"]
        given = ["analyzer=simple", "fusion=lexical_only", *knobs, *few, *anew()]
        ran = sweep(folder, given, folder / "data")
    each = times(ran.seconds / grid.size)
    goal = "" if bench.quick else "< 4,000 MB"
    checked = f"with reading, tokens, index and store; {len(results(ran))} configurations reported"
    return Row(
        "d", what, seconds(ran.seconds), f"{ran.peak_mb:,.0f} MB", f"{each} s each", goal, None, checked
    )


def write_beir(dataset: Dataset, folder: Path) -> None:
    """Write a collection in BEIR layout."""
    (folder / "qrels").mkdir(parents=True)
    questions = dataset.gold.questions
    _lines(
        folder / "corpus.jsonl",
        [{"_id": d.doc_id, "title": d.title, "text": d.text} for d in dataset.corpus.documents],
    )
    _lines(folder / "queries.jsonl", [{"_id": q.query_id, "text": q.text} for q in questions])
    judged = [f"{q.query_id}\t{doc_id}\t{grade}" for q in questions for doc_id, grade in q.grades.items()]
    (folder / "qrels" / "test.tsv").write_text("\n".join(["query-id\tcorpus-id\tscore", *judged, ""]))


def _lines(file: Path, rows: Sequence[dict[str, Any]]) -> None:
    with file.open("w", encoding="utf-8") as out:
        out.writelines(json.dumps(row) + "\n" for row in rows)
