"""Scores by the texts of a pair: each pair is scored once, and comes back bit for bit."""

from __future__ import annotations

import hashlib
import pickle
import tempfile
from collections.abc import Sequence
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import pack_files, store_in

from rag_sweep.arrays import FloatArray
from rag_sweep.errors import ConfigError, StageFailed
from rag_sweep.store import blocks, diskstore, pairs
from rag_sweep.store.none import ForgetfulStore
from rag_sweep.store.pairs import PairScores


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(diskstore, "_LOOK_EVERY", 0.0)


def score_of(question: str, passage: str) -> float:
    """Any number that both texts decide, in their order."""
    digest = hashlib.sha256(f"{len(question)} {question}{passage}".encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:7], "big") / 3.0 - 1e15


class Model:
    """Scores pairs, and remembers what it was asked."""

    def __init__(self) -> None:
        self.blocks: list[list[tuple[str, str]]] = []

    def __call__(self, questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        block = list(zip(questions, passages, strict=True))
        self.blocks.append(block)
        return np.array([score_of(*pair) for pair in block])

    @property
    def asked(self) -> list[tuple[str, str]]:
        """The pairs, without those that only fill a block."""
        return [pair for block in self.blocks for pair in dict.fromkeys(block)]


def ask(scores: PairScores, given: Sequence[tuple[str, str]], model: str = "m") -> list[tuple[str, str]]:
    """Ask for pairs, check every score, and tell which ones the model was asked for."""
    asked = Model()
    found = scores.score(model, [q for q, _ in given], [p for _, p in given], asked)
    assert found.dtype == np.float64
    assert found.tolist() == [score_of(*pair) for pair in given]
    return asked.asked


def product(questions: str, passages: str) -> list[tuple[str, str]]:
    return [(question, passage) for question in questions for passage in passages]


some_pairs = st.lists(st.tuples(st.text("ab", max_size=2), st.text("abc", max_size=2)), max_size=12)


@settings(max_examples=50, deadline=None)
@given(st.lists(some_pairs, max_size=5), st.integers(1, 5))
def test_each_distinct_pair_is_scored_once_also_across_processes(
    calls: list[list[tuple[str, str]]], block: int
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        scores = PairScores(store_in(Path(folder)), block)
        asked = [pair for call in calls for pair in ask(scores, call)]
        assert len(asked) == len(set(asked))
        assert set(asked) == {pair for call in calls for pair in call}
        later = PairScores(store_in(Path(folder)), block)
        assert [pair for call in reversed(calls) for pair in ask(later, call)] == []


@settings(max_examples=50, deadline=None)
@given(st.lists(some_pairs, max_size=5))
def test_without_a_store_each_pair_is_scored_once_in_the_process(calls: list[list[tuple[str, str]]]) -> None:
    scores = PairScores(ForgetfulStore())
    asked = [pair for call in calls for pair in ask(scores, call)]
    assert sorted(asked) == sorted({pair for call in calls for pair in call})


def test_cold_and_warm_scores_are_the_same_bits(tmp_path: Path) -> None:
    values = np.array([0.1, -0.0, 5e-324, -1.7e308, 1 / 3, 1e16 + 2])
    texts = [str(at) for at in range(len(values))]

    def compute(questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        return values[[int(question) for question in questions]]

    for _ in range(2):
        found = PairScores(store_in(tmp_path), 4).score("m", texts, texts, compute)
        assert found.tobytes() == values.tobytes()
    assert len(pack_files(tmp_path)) == 1


def test_a_model_always_gets_a_whole_block_of_which_the_last_pair_is_repeated() -> None:
    model = Model()
    PairScores(ForgetfulStore(), block=4).score("m", list("abcdef"), list("abcdef"), model)
    assert [len(block) for block in model.blocks] == [4, 4]
    assert model.blocks[1] == [("e", "e"), ("f", "f"), ("f", "f"), ("f", "f")]


def test_pairs_of_like_length_stand_together_in_a_block() -> None:
    model = Model()
    lengths = [5, 1, 400, 3, 300, 2]
    PairScores(ForgetfulStore(), block=3).score("m", ["q"] * 6, ["x" * length for length in lengths], model)
    assert [[len(passage) for _, passage in block] for block in model.blocks] == [[1, 2, 3], [5, 300, 400]]


def test_models_do_not_share_scores(tmp_path: Path) -> None:
    scores = PairScores(store_in(tmp_path))
    assert ask(scores, [("q", "p")], "one") == [("q", "p")]
    assert ask(scores, [("q", "p")], "two") == [("q", "p")]
    assert ask(PairScores(store_in(tmp_path)), [("q", "p")], "two") == []
    assert ask(PairScores(store_in(tmp_path)), [("q", "p")], "three") == [("q", "p")]


def test_the_order_and_the_border_of_the_texts_matter() -> None:
    given = [("a", "b"), ("b", "a"), ("ab", ""), ("", "ab"), ("a b", ""), ("\ud800", "é"), ("e\u0301", "")]
    assert sorted(ask(PairScores(ForgetfulStore()), given)) == sorted(given)


def test_keys_that_end_in_zero_bytes_are_told_apart(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    names = {"a": b"\0", "b": b"\0\0", "c": b"\0\1", "d": b"\1\0"}
    monkeypatch.setattr(pairs, "digest", lambda text: names.get(text, b""))
    monkeypatch.setattr(pairs, "joined", lambda model, question, passage: passage.ljust(16, b"\0"))
    names["b"] = bytes(15) + b"\1"
    given = [("q", name) for name in names]
    assert len(ask(PairScores(store_in(tmp_path)), given)) == 4
    assert ask(PairScores(store_in(tmp_path)), given) == []


def test_what_another_process_scored_meanwhile_is_taken_over(tmp_path: Path) -> None:
    one, two = PairScores(store_in(tmp_path)), PairScores(store_in(tmp_path))
    assert len(ask(one, product("ab", "xy"))) == 4
    assert ask(two, product("bc", "xy")) == product("c", "xy")
    assert ask(one, product("abc", "xy")) == []


def test_one_call_is_one_pack(tmp_path: Path) -> None:
    ask(PairScores(store_in(tmp_path), block=2), product("abcd", "wxyz"))
    assert len(pack_files(tmp_path)) == 1


def test_a_long_call_is_kept_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_KEEP_EVERY", 0.0)
    ask(PairScores(store_in(tmp_path), block=2), product("abc", "wxy"))
    assert len(pack_files(tmp_path)) == 5
    assert ask(PairScores(store_in(tmp_path)), product("abc", "wxy")) == []


@pytest.mark.parametrize("error", [RuntimeError, KeyboardInterrupt])
def test_what_was_scored_before_a_failure_is_kept(tmp_path: Path, error: type[BaseException]) -> None:
    model = Model()

    def failing(questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        if len(model.blocks) == 2:
            raise error("down")
        return model(questions, passages)

    texts = list("abcdef")
    for scores in (PairScores(store_in(tmp_path), 2), PairScores(ForgetfulStore(), 2)):
        model.blocks.clear()
        with pytest.raises(error, match="down"):
            scores.score("m", texts, texts, failing)
        assert ask(scores, [(text, text) for text in texts]) == [("e", "e"), ("f", "f")]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_score_that_is_no_number_fails_and_is_not_kept(tmp_path: Path, value: float) -> None:
    def compute(questions: Sequence[str], passages: Sequence[str]) -> FloatArray:
        return np.array([value if passage == "c" else 0.5 for passage in passages])

    with pytest.raises(StageFailed, match="no number"):
        PairScores(store_in(tmp_path), 1).score("m", list("qqqq"), list("abcd"), compute)
    assert ask_stored(tmp_path, "abcd") == ["c", "d"]


def ask_stored(folder: Path, passages: str) -> list[str]:
    """Which passages a new process would score."""
    model = Model()
    PairScores(store_in(folder), 1).score("m", ["q"] * len(passages), list(passages), model)
    return [passage for _, passage in model.asked]


@pytest.mark.parametrize(
    "answer", [np.zeros(3), np.zeros((2, 1)), np.float64(1.0), None, ["a", "b"], [[1.0], [2.0, 3.0]]]
)
def test_an_answer_of_another_form_fails(answer: object) -> None:
    with pytest.raises(StageFailed, match="reranker must give"):
        PairScores(ForgetfulStore(), 2).score("m", ["q", "r"], ["p", "p"], lambda q, p: answer)  # type: ignore[arg-type, return-value]


def test_lists_and_float32_are_taken_as_scores() -> None:
    for answer in ([1, 2], np.array([1, 2], np.float32), np.array([1, 2])):
        found = PairScores(ForgetfulStore(), 2).score("m", ["q", "r"], ["p", "p"], lambda q, p, a=answer: a)  # type: ignore[misc]
        assert found.tolist() == [1.0, 2.0]
        assert found.dtype == np.float64


def test_no_pairs_are_no_scores_and_no_call() -> None:
    assert ask(PairScores(ForgetfulStore()), []) == []


def test_texts_that_do_not_pair_are_refused() -> None:
    with pytest.raises(ValueError, match="as many questions as passages"):
        PairScores(ForgetfulStore()).score("m", ["a"], [], Model())


@pytest.mark.parametrize("block", [0, -1, 1.5, True])
def test_a_block_that_is_no_count_is_refused(block: object) -> None:
    with pytest.raises(ConfigError, match="block must be an int >= 1"):
        PairScores(ForgetfulStore(), block)  # type: ignore[arg-type]


def test_a_damaged_store_only_costs_scoring_again(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    ask(PairScores(store), product("a", "xyz"))
    ask(PairScores(store), product("b", "xyz"))
    file = pack_files(tmp_path)[0]
    file.write_bytes(file.read_bytes()[:-100] + bytes(100))
    store = store_in(tmp_path)
    assert len(ask(PairScores(store), product("ab", "xyz"))) == 3
    assert len(store.notes()) == 1
    assert ask(PairScores(store_in(tmp_path)), product("ab", "xyz")) == []


def test_a_copy_in_another_process_shares_the_store(tmp_path: Path) -> None:
    scores = PairScores(store_in(tmp_path), 3)
    ask(scores, product("ab", "xy"))
    copy = pickle.loads(pickle.dumps(scores))
    assert ask(copy, product("ab", "xy")) == []
    assert copy._block == 3


def test_threads_score_no_pair_twice(tmp_path: Path) -> None:
    scores, model = PairScores(store_in(tmp_path)), Model()
    given = product("abcdef", "uvwxyz")

    def work() -> None:
        scores.score("m", [q for q, _ in given], [p for _, p in given], model)

    threads = [Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(model.asked) == sorted(given)
