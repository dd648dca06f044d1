"""The file of a whole sweep: what goes in comes out, bit for bit, and what is damaged says so."""

from __future__ import annotations

import json
import shutil
import tracemalloc
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from matrices import QUESTIONS, configuration_of, dataset, journal_of, made_up
from pipelines import pipeline_of, run_one

from rag_sweep.arrays import IndexArray
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.errors import ConfigError, DataError, JournalError
from rag_sweep.evaluation import evaluate
from rag_sweep.execute import Outcome
from rag_sweep.fusion import RRF, LexicalOnly
from rag_sweep.judgements import Judgements
from rag_sweep.lexical import BM25
from rag_sweep.matrix import SweepData, write_matrix
from rag_sweep.passages import Passages
from rag_sweep.pipeline import Settings
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.result import Result
from rag_sweep.stages import Found

PIPELINES = (
    pipeline_of(lexical=BM25(k1=0.9)),
    pipeline_of(lexical=BM25(k1=2.0), fusion=LexicalOnly()),
    pipeline_of(chunker=FixedChunker(size=6, overlap=2), fusion=RRF(k_rrf=5)),
    pipeline_of(chunker=FixedChunker(size=6, overlap=2), fusion=LexicalOnly()),
)


@pytest.fixture(scope="module")
def outcomes() -> list[Outcome]:
    return [run_one(dataset(), pipeline) for pipeline in PIPELINES]


@pytest.fixture
def matrix(tmp_path: Path, outcomes: list[Outcome]) -> Path:
    with journal_of(tmp_path / "j", [*outcomes[:2], "it broke", *outcomes[2:]]) as journal:
        write_matrix(journal, tmp_path / "matrix.npz")
    return tmp_path / "matrix.npz"


@pytest.fixture
def data(matrix: Path) -> SweepData:
    return SweepData(matrix)


WENT_WELL = (0, 1, 3, 4)
"""The rows of `matrix` that have the outcomes."""


# What is in it


def test_values_and_rankings_are_those_of_single_runs_bit_for_bit(
    data: SweepData, outcomes: list[Outcome]
) -> None:
    for row, outcome in zip(WENT_WELL, outcomes, strict=True):
        at_k = [column for column in outcome.evaluation.columns if column.k == 10]
        assert data.measures == tuple(map(str, at_k))
        alone = np.stack([outcome.evaluation.column(column) for column in at_k], axis=-1)
        assert data.values[row].tobytes() == alone.tobytes()
        assert data.top_scores[row].tobytes() == outcome.top_scores.tobytes()
        assert data.means[row].tobytes() == outcome.evaluation.mean_values().tobytes()
        assert data.columns == tuple(map(str, outcome.evaluation.columns))
        for name, recall in outcome.pool_recall.items():
            assert data.pool_recall[name][row].tobytes() == recall.tobytes()
        for at in range(len(QUESTIONS)):
            documents, passages = outcome.found.documents.items[at], outcome.found.passages.items[at]
            ids = [dataset().basis.doc_ids[number] for number in documents if number != EMPTY]
            assert data.ranking(row, at) == tuple(ids)
            kept = passages[passages != EMPTY]
            table = outcome.passages
            spans = [(dataset().basis.doc_ids[table.document[n]], table.start[n], table.end[n]) for n in kept]
            assert data.passages(row, at) == tuple(spans)
        for name, column in vars(outcome.passages).items():
            assert getattr(data.chunkings[data.chunking[row]], name).tolist() == column.tolist()


def test_a_failed_configuration_has_its_reason_and_no_number(data: SweepData) -> None:
    assert [one.failure for one in data.configurations] == [None, None, "it broke", None, None]
    for values in (data.values, data.means, data.top_scores, *data.pool_recall.values()):
        assert np.isnan(values[2]).all()
    assert (data.documents[2] == EMPTY).all()
    assert (data.passage_numbers[2] == EMPTY).all()
    assert data.chunking.tolist() == [0, 0, -1, 1, 1]
    assert data.ranking(2, 0) == data.passages(2, 0) == ()
    assert np.isnan(data.column("ndcg@3")[2]).all()


def test_a_branch_that_a_configuration_lacks_is_no_number_there(data: SweepData) -> None:
    assert sorted(data.pool_recall) == ["dense", "lexical", "pool"]
    assert np.isnan(data.pool_recall["dense"][1]).all()
    assert not np.isnan(data.pool_recall["lexical"][1]).all()


def test_it_says_what_it_is(data: SweepData) -> None:
    assert (data.sweep_id, data.k, data.cutoffs) == ("20260131-120000-a1b2c3", 10, (1, 3, 5, 10))
    assert (data.objective, data.code, data.planned, data.is_complete) == ("ndcg@10", "0.1+x", 5, True)
    assert data.basis == dataset().basis
    assert data.basis.gold_hash == dataset().gold.fingerprint
    assert [q.query_id for q in data.questions] == [q.query_id for q in QUESTIONS]
    assert data.questions[0].tags == ("leave",)
    first = data.configurations[0]
    assert (first.index, first.name, first.params) == (0, "lexical.k1=0", {"lexical.k1": 0, "chunker": "c0"})
    assert (first.overrides, first.alias_of) == (("lexical.k1=0",), None)
    assert first.metrics["ndcg@10"] == data.means[0, data.columns.index("ndcg@10")]
    assert len({one.fingerprint for one in data.configurations}) == 1
    assert repr(data) == "SweepData('small sweep': 5 of 5 configurations, 4 questions, k=10)"


def test_texts_are_in_it_only_if_the_journal_has_them(tmp_path: Path, outcomes: list[Outcome]) -> None:
    for text, shown in (("full", QUESTIONS[0].text), ("none", "")):
        with journal_of(tmp_path / text, outcomes[:1], text=text) as journal:
            write_matrix(journal, tmp_path / f"{text}.npz")
        data = SweepData(tmp_path / f"{text}.npz")
        assert (data.questions[0].text, data.has_text) == (shown, text == "full")
        assert (QUESTIONS[0].text.encode() in (tmp_path / f"{text}.npz").read_bytes()) == (text == "full")


def test_an_alias_has_the_row_of_its_original(tmp_path: Path, outcomes: list[Outcome]) -> None:
    with journal_of(tmp_path / "j", outcomes[:1], configurations=2) as journal:
        journal.copy(1, 0)
        write_matrix(journal, tmp_path / "m.npz")
    data = SweepData(tmp_path / "m.npz")
    assert [one.alias_of for one in data.configurations] == [None, 0]
    assert data.values[0].tobytes() == data.values[1].tobytes()
    assert data.ranking(1, "q0") == data.ranking(0, "q0") != ()


def test_a_sweep_that_is_not_complete_is_written_as_far_as_it_goes(
    tmp_path: Path, outcomes: list[Outcome]
) -> None:
    with journal_of(tmp_path / "j", [], configurations=4) as journal:
        journal.write([(Result.of(configuration_of(2), outcomes[2]), outcomes[2])])
        write_matrix(journal, tmp_path / "m.npz")
    data = SweepData(tmp_path / "m.npz")
    assert (data.is_complete, data.planned, len(data.configurations)) == (False, 4, 1)
    assert data.row(2) == 0
    assert data.ranking(2, "q0")
    with pytest.raises(ConfigError, match="must be the index of one of the 1 that there are, got 0"):
        data.ranking(0, "q0")


def test_a_sweep_without_results_is_empty(tmp_path: Path) -> None:
    with journal_of(tmp_path / "j", ["no", "no"]) as journal:
        write_matrix(journal, tmp_path / "m.npz")
    data = SweepData(tmp_path / "m.npz")
    assert data.values.shape == (2, 4, 7)
    assert np.isnan(data.values).all()
    assert (data.chunkings, data.frame()["failure"].tolist()) == ((), ["no", "no"])
    assert data.questions_frame()["first_relevant"].isna().all()


# The file itself


def test_numpy_alone_reads_it_without_pickle(matrix: Path, data: SweepData) -> None:
    with np.load(matrix, allow_pickle=False) as plain:
        assert plain["values"].tobytes() == data.values.tobytes()
        assert plain["documents"].dtype == np.int32
        assert json.loads(plain["sweep.json"])["measures"] == list(data.measures)
        assert {plain[name].dtype.hasobject for name in plain.files if name != "sweep.json"} == {False}


def test_arrays_are_used_where_they_lie_and_cannot_be_changed(data: SweepData) -> None:
    for array in (data.values, data.documents, data.passage_numbers, data.top_scores, data.means):
        assert isinstance(array.base, np.memmap)
        assert array.flags.aligned
        assert array.ctypes.data % 64 == 0
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0


def test_equal_results_are_equal_bytes_in_whatever_order_they_came(
    tmp_path: Path, outcomes: list[Outcome]
) -> None:
    orders: Sequence[Sequence[Sequence[int]]] = ([[0, 1, 2, 3]], [[3], [1, 2], [0]], [[2, 0], [3, 1]])
    written = []
    for number, batches in enumerate(orders):
        with journal_of(tmp_path / str(number), [], configurations=4) as journal:
            for batch in batches:
                journal.write([(Result.of(configuration_of(i), outcomes[i]), outcomes[i]) for i in batch])
            write_matrix(journal, tmp_path / f"{number}.npz")
        written.append((tmp_path / f"{number}.npz").read_bytes())
    assert written[0] == written[1] == written[2]


def test_passages_are_left_out_where_they_are_the_documents(tmp_path: Path, outcomes: list[Outcome]) -> None:
    with journal_of(tmp_path / "j", outcomes[:2]) as journal:
        write_matrix(journal, tmp_path / "m.npz")
    assert "passages.npy" not in zipfile.ZipFile(tmp_path / "m.npz").namelist()
    data = SweepData(tmp_path / "m.npz")
    assert data.passage_numbers is data.documents
    lengths = {d.doc_id: len(d.text) for d in dataset().corpus.documents}
    assert data.passages(0, 0) == tuple((doc_id, 0, lengths[doc_id]) for doc_id in data.ranking(0, 0))


def test_what_was_there_stays_until_the_new_file_is_whole(
    tmp_path: Path, outcomes: list[Outcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "m.npz"
    file.write_bytes(b"before")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with journal_of(tmp_path / "j", outcomes[:1]) as journal:
        monkeypatch.setattr("rag_sweep.matrix.archive.ArchiveWriter.array", full)
        with pytest.raises(JournalError, match=r"m\.npz can't be written: No space left on device"):
            write_matrix(journal, file)
    assert file.read_bytes() == b"before"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["j", "m.npz"]


def test_a_damaged_journal_is_named(tmp_path: Path, outcomes: list[Outcome]) -> None:
    with journal_of(tmp_path / "j", outcomes[:1]) as journal:
        (pack,) = (journal.folder / "packs").iterdir()
        content = bytearray(pack.read_bytes())
        content[-70] ^= 1
        pack.write_bytes(content)
        with pytest.raises(JournalError, match="can't be read"):
            write_matrix(journal, tmp_path / "m.npz")
    assert not (tmp_path / "m.npz").exists()


@pytest.mark.full
def test_memory_does_not_grow_with_the_configurations(tmp_path: Path) -> None:
    questions, peaks = 300, []
    for number in (150, 600):
        with journal_of(
            tmp_path / str(number), [], configurations=number, basis=made_up(questions, 40)
        ) as journal:
            outcome = random_outcome(np.random.default_rng(0), journal.decoder.judgements, 10, 40)
            for at in range(0, number, 50):
                results = [(Result.of(configuration_of(i), outcome), outcome) for i in range(at, at + 50)]
                journal.write(results)
            journal.cards  # noqa: B018 - in memory before
            tracemalloc.start()
            write_matrix(journal, tmp_path / f"{number}.npz")
            peaks.append(tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    grown = (tmp_path / "600.npz").stat().st_size - (tmp_path / "150.npz").stat().st_size
    assert peaks[1] - peaks[0] < grown / 10


# Any rankings


def random_outcome(
    random: np.random.Generator,
    judgements: Judgements,
    width: int,
    documents: int,
    kept: Settings | None = None,
    same: bool = False,
) -> Outcome:
    """Rankings by chance, some of them short or empty, over passages by chance."""
    chosen = kept or Settings()

    def rankings(items: int, width: int) -> Rankings:
        rows = np.full((len(judgements.query_ids), width), EMPTY, np.int32)
        scores = np.full(rows.shape, -np.inf)
        for row, score in zip(rows, scores, strict=True):
            length = int(random.integers(0, min(width, items) + 1))
            row[:length] = random.permutation(items)[:length]
            score[:length] = -np.sort(-random.random(length))
        return Rankings(rows, scores)

    each = np.ones(documents, int) if same else random.integers(1, 4, documents)
    start = np.arange(each.sum(), dtype=np.int32)
    passages = Passages(
        np.repeat(np.arange(documents, dtype=np.int32), each), start, start + 1, np.ones_like(start)
    )
    found = rankings(documents, width)
    branches = ["lexical", "dense", "pool"][int(random.integers(0, 3)) :]
    return Outcome(
        passages=passages,
        found=Found(found, found if same else rankings(len(passages), min(width + 2, chosen.depth))),
        evaluation=evaluate(judgements, found.items, chosen.k, chosen.cutoffs),
        pool_recall={name: random.random(len(judgements.query_ids)) for name in branches},
        tokenless_questions=(),
        tokenless_passages=0,
        effective_dim=None,
    )


def without_padding(rows: IndexArray) -> list[list[int]]:
    return [row[: np.count_nonzero(row != EMPTY)].tolist() for row in rows]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 2**32 - 1),
    kinds=st.lists(st.sampled_from(["failed", "same", "other"]), min_size=1, max_size=8),
    questions=st.integers(1, 5),
    documents=st.integers(1, 9),
    batch=st.integers(1, 4),
)
def test_any_rankings_of_any_width_come_back(
    tmp_path: Path, seed: int, kinds: list[str], questions: int, documents: int, batch: int
) -> None:
    folder = tmp_path / "any"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    random, kept = np.random.default_rng(seed), Settings(4, (1, 6))
    basis = made_up(questions, documents)
    with journal_of(folder / "j", [], configurations=len(kinds), basis=basis, chosen=kept) as journal:
        judgements = journal.decoder.judgements
        results: list[Any] = []
        for kind in kinds:
            width = int(random.integers(0, min(4, documents) + 1))
            same = kind == "same"
            results.append(
                random_outcome(random, judgements, width, documents, kept, same)
                if kind != "failed"
                else "broken"
            )
        for at in range(0, len(results), batch):
            journal.write(
                [
                    (Result(configuration_of(i, kept), None, one), None)
                    if isinstance(one, str)
                    else (Result.of(configuration_of(i, kept), one), one)
                    for i, one in enumerate(results)
                    if at <= i < at + batch
                ]
            )
        write_matrix(journal, folder / "m.npz")
    data = SweepData(folder / "m.npz")
    for row, one in enumerate(results):
        if isinstance(one, str):
            assert data.configurations[row].failure == one
            assert np.isnan(data.values[row]).all()
            continue
        for name in ("ndcg@4", "ndcg@1", "recall@6"):
            assert data.column(name)[row].tobytes() == one.evaluation.column(name).tobytes()
        width = one.found.documents.items.shape[1]
        assert np.array_equal(data.documents[row, :, :width], one.found.documents.items)
        assert (data.documents[row, :, width:] == EMPTY).all()
        assert without_padding(data.passage_numbers[row]) == without_padding(one.found.passages.items)
        assert data.top_scores[row].tobytes() == one.top_scores.tobytes()
        table = data.chunkings[data.chunking[row]]
        for name in ("document", "start", "end"):
            assert np.array_equal(getattr(table, name), getattr(one.passages, name))


# Questions to it


def test_other_cutoffs_come_from_the_rankings(data: SweepData, outcomes: list[Outcome]) -> None:
    for row, outcome in zip(WENT_WELL, outcomes, strict=True):
        for column in outcome.evaluation.columns:
            assert data.column(str(column))[row].tobytes() == outcome.evaluation.column(column).tobytes()


def test_a_cutoff_beyond_the_kept_ranks_and_an_unknown_measure_are_refused(data: SweepData) -> None:
    with pytest.raises(ConfigError, match="cutoff from 1 to 10, as ranks were kept, got 'ndcg@20'"):
        data.column("ndcg@20")
    with pytest.raises(ConfigError, match="did you mean ndcg"):
        data.column("ndgc@10")


@pytest.mark.parametrize("measure", [5, None, ["ndcg@10"]])
def test_what_is_no_measure_is_refused(data: SweepData, measure: Any) -> None:
    with pytest.raises(ConfigError, match=r"measure must be a name with a cutoff, such as 'ndcg@10', got "):
        data.column(measure)


@pytest.mark.parametrize("question", ["q9", 4, -1, 1.5, None])
def test_an_unknown_question_is_refused(data: SweepData, question: str | int) -> None:
    with pytest.raises(ConfigError, match="question must be an id, or a position below 4"):
        data.ranking(0, question)


def test_the_frame_has_a_row_for_each_configuration(data: SweepData) -> None:
    frame = data.frame()
    assert frame["index"].tolist() == [0, 1, 2, 3, 4]
    assert frame["lexical.k1"].tolist() == [0, 1, 2, 3, 4]
    assert frame["failure"].isna().tolist() == [True, True, False, True, True]
    assert frame["failure"][2] == "it broke"
    ndcg = data.means[:, data.columns.index("ndcg@10")]
    assert np.array_equal(frame["ndcg@10"], ndcg, equal_nan=True)
    assert np.isnan(frame["ndcg@10"][2])
    assert "ndcg@5" not in frame


def test_the_frame_of_questions_has_a_row_for_each_configuration_and_question(
    data: SweepData, outcomes: list[Outcome]
) -> None:
    frame = data.questions_frame()
    assert len(frame) == 5 * 4
    assert frame["question_id"].tolist() == ["q0", "q1", "q2", "q3"] * 5
    assert frame["answerable"].tolist() == [True, True, True, False] * 5
    chosen = data.questions_frame([3, 2])
    assert chosen["configuration"].tolist() == [3] * 4 + [2] * 4
    first = outcomes[2].evaluation.first_relevant
    assert chosen["first_relevant"][:3].tolist() == first[:3].tolist()
    assert chosen["first_relevant"].isna().tolist() == [False] * 3 + [True] * 5
    assert np.array_equal(chosen["ndcg@10"][:4], outcomes[2].evaluation.column("ndcg@10"), equal_nan=True)
    assert len(data.questions_frame([])) == 0


@pytest.mark.parametrize(
    ("configurations", "told"),
    [
        (3, r"configurations must be indexes of configurations, such as \[0, 3\], or None, got 3"),
        ([5], "configuration must be the index of one of the 5 that there are, got 5"),
        ([[1]], r"configuration must be the index of one of the 5 that there are, got \[1\]"),
        ("01", "configuration must be the index of one of the 5 that there are, got '0'"),
    ],
)
def test_what_is_no_index_of_a_configuration_is_refused(
    data: SweepData, configurations: Any, told: str
) -> None:
    with pytest.raises(ConfigError, match=told):
        data.questions_frame(configurations)


def test_indexes_may_be_numbers_of_numpy(data: SweepData) -> None:
    chosen = data.questions_frame(np.array([3, 2]))
    assert chosen["configuration"].tolist() == [3] * 4 + [2] * 4
    assert data.ranking(np.int64(3), np.int32(1)) == data.ranking(3, "q1")


# What is damaged


def read_everything(file: Path) -> None:
    data = SweepData(file)
    _ = data.values, data.documents, data.passage_numbers, data.top_scores, data.means, data.pool_recall
    _ = data.chunking, data.chunkings, data.frame()


def test_a_file_that_was_cut_off_anywhere_is_one_clear_error(matrix: Path, tmp_path: Path) -> None:
    content = matrix.read_bytes()
    cut = tmp_path / "cut.npz"
    for length in [0, 1, 21, *range(100, len(content), len(content) // 40), len(content) - 1]:
        cut.write_bytes(content[:length])
        with pytest.raises(DataError, match=r"cut\.npz is no whole file of a sweep: "):
            read_everything(cut)


def test_a_changed_byte_in_any_array_is_found_before_it_is_used(matrix: Path, tmp_path: Path) -> None:
    content = matrix.read_bytes()
    for info in zipfile.ZipFile(matrix).infolist():
        changed = bytearray(content)
        size = int.from_bytes(content[info.header_offset + 26 : info.header_offset + 28], "little")
        extra = int.from_bytes(content[info.header_offset + 28 : info.header_offset + 30], "little")
        end = info.header_offset + 30 + size + extra + info.file_size
        changed[end - 1] ^= 255
        (tmp_path / "changed.npz").write_bytes(changed)
        with pytest.raises(DataError, match="no whole file of a sweep: "):
            read_everything(tmp_path / "changed.npz")


def test_another_layout_is_refused_by_its_number(matrix: Path, tmp_path: Path) -> None:
    told = json.loads(zipfile.ZipFile(matrix).read("sweep.json"))
    with zipfile.ZipFile(tmp_path / "new.npz", "w") as archive:
        archive.writestr("sweep.json", json.dumps({**told, "format": 1}))
    with pytest.raises(DataError, match="of layout 1, and this version reads layout 2: run the sweep again"):
        SweepData(tmp_path / "new.npz")


@pytest.mark.parametrize(
    "array", [np.zeros((5, 4, 7), np.float32), np.zeros((5, 4)), np.zeros((5, 4, 8)), np.array([object()])]
)
def test_an_array_of_another_form_is_refused(matrix: Path, tmp_path: Path, array: np.ndarray) -> None:
    with zipfile.ZipFile(matrix) as before, zipfile.ZipFile(tmp_path / "odd.npz", "w") as after:
        after.writestr("sweep.json", before.read("sweep.json"))
        with after.open("values.npy", "w") as member:
            np.lib.format.write_array(member, array)
    with pytest.raises(DataError, match="no whole file of a sweep: values"):
        _ = SweepData(tmp_path / "odd.npz").values


def test_a_file_of_something_else_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", a=np.arange(3))
    with pytest.raises(DataError, match=r"no whole file of a sweep: There is no item named 'sweep\.json'"):
        SweepData(tmp_path / "other.npz")
    with pytest.raises(DataError, match=r"gone\.npz can't be read: No such file"):
        SweepData(tmp_path / "gone.npz")
