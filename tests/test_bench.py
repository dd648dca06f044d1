"""scripts/bench: its table tells the truth about both sides. No time is tested here."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[1]
sys.path.append(str(ROOT / "scripts"))

from benchmarks import table, zipf  # noqa: E402
from benchmarks.bandwidth import copy_bandwidth, fusion_bytes, lexical_bytes  # noqa: E402
from benchmarks.clock import Broken, medians, python, run  # noqa: E402
from benchmarks.engine import EQUAL, Knobs, Ours, differences, grid  # noqa: E402
from benchmarks.growth import write_beir  # noqa: E402
from benchmarks.material import Material  # noqa: E402
from benchmarks.naive import CUTOFF, MEASURES, Loop, rrf  # noqa: E402
from benchmarks.rows import Row, milliseconds, skipped, times  # noqa: E402
from benchmarks.scipy_loop import ScipyLoop  # noqa: E402

from rag_sweep.analyzer import SimpleAnalyzer  # noqa: E402
from rag_sweep.dataset.beir import Beir  # noqa: E402

GRID = [Knobs(0.8, 0.3, 10), Knobs(0.8, 0.3, 60), Knobs(1.6, 1.0, 10)]


def bench(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, as users start it."""
    return subprocess.run(["sh", str(ROOT / "scripts" / "bench"), *arguments], capture_output=True, text=True)


def material() -> Material:
    """A tiny synthetic collection."""
    return Material(zipf.collection(300, 12), SimpleAnalyzer())


# The command


def test_help_names_every_row() -> None:
    shown = bench("--help")
    assert shown.returncode == 0
    assert re.findall(r"^  (\w)  \w", shown.stdout, re.M) == [*"abcdefgh"]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["x"], "ROW must be one of a, b, c, d, e, f, g, h, got x"),
        (["g", "--repeat", "0"], "at least 1, got 0"),
    ],
)
def test_what_cannot_be_measured_is_refused(arguments: list[str], told: str) -> None:
    refused = bench(*arguments)
    assert refused.returncode == 2
    assert told in refused.stderr


@pytest.mark.full
@pytest.mark.parametrize("wanted", ["bg", "c"])
def test_the_quick_bench_runs_from_end_to_end_with_equal_sides(shared: Path, wanted: str) -> None:
    ran = bench("--quick", "--json", *wanted)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    rows = json.loads(ran.stdout)["rows"]
    assert {row["key"] for row in rows} == set(wanted)
    assert [row for row in rows if row["equal"] is False or row["checked"].startswith("skipped")] == []


# Synthetic collections


def test_a_synthetic_collection_has_the_asked_numbers_and_one_answer_a_question() -> None:
    made = zipf.collection(500, 30)
    assert (len(made.corpus), len(made.gold.questions)) == (500, 30)
    ids = {document.doc_id for document in made.corpus.documents}
    assert all(len(q.relevant) == 1 and set(q.relevant) <= ids for q in made.gold.questions)


def test_a_synthetic_collection_is_the_same_for_one_seed() -> None:
    one, again, other = zipf.collection(50, 5), zipf.collection(50, 5), zipf.collection(50, 5, seed=1)
    assert one.corpus.fingerprint == again.corpus.fingerprint
    assert one.gold.fingerprint == again.gold.fingerprint
    assert one.corpus.fingerprint != other.corpus.fingerprint


def test_words_of_a_synthetic_collection_are_as_unequal_as_those_of_a_language() -> None:
    df = np.sort(material().df)[::-1]
    assert df[0] > 0.9 * 300  # the most frequent word is nearly everywhere
    assert (df == 1).mean() > 0.3  # and many words are in one passage alone


def test_a_written_collection_is_read_back_equal(tmp_path: Path) -> None:
    made = zipf.collection(40, 6)
    write_beir(made, tmp_path)
    read = Beir(path=str(tmp_path)).load()
    assert read.corpus.fingerprint == made.corpus.fingerprint
    assert read.gold.fingerprint == made.gold.fingerprint


# The other sides give our values


@pytest.mark.full
@pytest.mark.parametrize("hybrid", [False, True])
def test_the_loop_gives_our_values(hybrid: bool) -> None:
    ours = Ours(material(), hybrid)
    loop = Loop(ours.material, ours.vectors())
    _, outcomes = ours.seconds(GRID, keep=len(GRID))
    found = differences(loop, GRID, outcomes)
    assert found["values"] == len(GRID) * 12 * len(MEASURES)
    assert found["worst"] <= EQUAL
    assert found["unexplained"] == 0


@pytest.mark.full
def test_a_loop_with_other_values_is_found_out() -> None:
    ours = Ours(material(), hybrid=False)
    loop = Loop(ours.material)
    _, outcomes = ours.seconds(GRID, keep=len(GRID))
    swapped = [GRID[2], GRID[1], GRID[0]]
    assert differences(loop, swapped, outcomes)["worst"] > EQUAL


def test_bm25s_finds_our_passages() -> None:
    pytest.importorskip("bm25s")
    pytest.importorskip("ranx")
    ours = Ours(material(), hybrid=True)
    loop = Loop(ours.material, ours.vectors())
    _, outcomes = ours.seconds(GRID, keep=len(GRID))
    for knobs, outcome in zip(GRID, outcomes, strict=True):
        fused = loop.fused(loop.lexical_in_our_order(knobs.k1, knobs.b)[0], knobs.k_rrf)
        assert fused.tolist() == outcome.found.documents.items[:, :CUTOFF].tolist()


def test_the_scipy_loop_gives_our_values() -> None:
    ours = Ours(material(), hybrid=False)
    loop = ScipyLoop(ours.material)
    _, outcomes = ours.seconds(GRID, keep=len(GRID))
    for knobs, outcome in zip(GRID, outcomes, strict=True):
        expected = outcome.evaluation.column(f"ndcg@{CUTOFF}")
        assert loop.ndcg(loop.lexical(knobs.k1, knobs.b)) == pytest.approx(expected, abs=1e-9)


def test_rrf_sums_over_the_lists_that_hold_a_passage() -> None:
    fused = rrf([np.array([[4, 7, -1]]), np.array([[7, 2, 5]])], 60)
    # 7: 1/62 + 1/61; 4: 1/61; 2: 1/62; 5: 1/63
    assert fused.tolist()[0][:4] == [7, 4, 2, 5]
    assert set(fused.tolist()[0][4:]) == {-1}


# Clocks, amounts, tables


def test_postings_are_counted_as_written_down_by_hand() -> None:
    from rag_sweep.records import Corpus, Dataset, Document, Gold, Question

    documents = (Document("a", "", "x y y"), Document("b", "", "x z"), Document("c", "", "q"))
    questions = (Question("1", "x x y", {"a": 1}), Question("2", "x nowhere", {"b": 1}))
    small = Material(Dataset("small", Corpus(documents), Gold(questions)), SimpleAnalyzer())
    assert small.postings == 3  # x in two documents, y in one
    assert small.touched == 5  # the first question touches all three, the second x's two


def test_bytes_of_a_configuration_are_counted_as_documented() -> None:
    assert lexical_bytes(postings=10, touched=100) == 8 * 10 + 8 * 10 + 8 * 100
    assert fusion_bytes(questions=3, depth=100, kept=10) == 3 * 12 * 210
    assert copy_bandwidth(80_000, seconds=0.01) > 0


def test_sides_take_turns_and_the_median_counts() -> None:
    log: list[str] = []
    values = iter([1.0, 10.0, 5.0, 30.0, 2.0, 20.0])

    def side(name: str) -> float:
        log.append(name)
        return next(values)

    found = medians(3, {"one": lambda: side("one"), "two": lambda: side("two")})
    assert log == ["one", "two"] * 3
    assert found == {"one": 2.0, "two": 20.0}


def test_memory_is_that_of_the_whole_process_tree(tmp_path: Path) -> None:
    child = "import time; held = bytearray(120_000_000); time.sleep(0.6)"
    code = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}]); print('{{}}')"
    ran = run(python("-c", code), tmp_path)
    assert ran.json() == {}
    assert 120 < ran.peak_mb < 400


def test_a_command_that_fails_is_told_with_its_last_words(tmp_path: Path) -> None:
    with pytest.raises(Broken, match="no such thing"):
        run(python("-c", "raise SystemExit('no such thing')"), tmp_path)


def test_grids_have_the_asked_size_and_no_value_twice() -> None:
    made = grid(4, 5, 3)
    assert len(set(made)) == len(made) == 60
    assert all(knobs.k1 > 0 and 0 < knobs.b <= 1 for knobs in made)


def test_a_table_shows_every_row_and_what_was_skipped() -> None:
    rows = [
        Row("a", "this beside that", "1 ms", "9 ms", "9.00", ">= 8", True, "all"),
        skipped("b", "other", "no disk"),
    ]
    text, page = table.as_text(rows), table.as_markdown(rows)
    assert "9.00" in text
    assert "goal >= 8" in text
    assert "skipped: no disk" in text
    assert "| a | this beside that | 1 ms | 9 ms | 9.00 | >= 8 | yes | all |" in page
    assert [row["key"] for row in json.loads(table.as_json(rows))["rows"]] == ["a", "b"]


def test_figures_have_as_many_digits_as_they_deserve() -> None:
    assert [milliseconds(v) for v in (0.234, 1.234, 123.4, 1_234.5, 12_345.6)] == [
        "0.23 ms",
        "1.2 ms",
        "123 ms",
        "1.23 s",
        "12.3 s",
    ]
    assert [times(v) for v in (1.2345, 43.21)] == ["1.23", "43"]
