"""A search: its words sorted, its index out of the store, its answers marked and judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Literal

import numpy as np
import pytest
import strategies
from hypothesis import given
from indexes import CORPUS, DATASET, TEXTS, Capitals, Centred, Letters
from pipelines import pipeline_of, run
from stores import store_in

from rag_sweep.analyzer import SimpleAnalyzer, StemmedAnalyzer
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.embedder.texts import Texts
from rag_sweep.errors import DataError, UsageError
from rag_sweep.execute import Execution
from rag_sweep.fusion import RRF, LexicalOnly
from rag_sweep.index import Index
from rag_sweep.pipeline import Pipeline, Roots, Settings
from rag_sweep.plan import plan
from rag_sweep.records import Corpus, Document, Question, Span
from rag_sweep.searching.answer import Wanted
from rag_sweep.searching.building import built
from rag_sweep.searching.highlight import Highlighter
from rag_sweep.searching.request import parted
from rag_sweep.searching.search import answer
from rag_sweep.store.entry import Store
from rag_sweep.store.none import ForgetfulStore

# What was typed


def test_the_question_stands_before_the_overrides() -> None:
    assert parted(["a day off", "k=3", "+lexical.k1=2", "~sweep"], False) == (
        ("a day off",),
        ("k=3", "+lexical.k1=2", "~sweep"),
    )
    assert parted(["x=1 and y=2", "lexical.k1=2"], False) == (("x=1 and y=2",), ("lexical.k1=2",))
    assert parted(["a=b"], False) == (("a=b",), ())
    assert parted(["-"], False) == (("-",), ())


def test_with_a_question_of_the_gold_there_may_be_overrides_alone() -> None:
    assert parted([], True) == ((), ())
    assert parted(["lexical.k1=2", "k=3"], True) == ((), ("lexical.k1=2", "k=3"))
    assert parted(["another one", "k=3"], True) == (("another one",), ("k=3",))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "what is to be searched"),
        (["which", "card", "opens", "k=3"], 'put the question in quotes: "which card opens"'),
        (["lexical.k1=2"], "'lexical.k1=2' is an override: the question stands before it"),
        (["chunker=fixed", "k=2"], "'chunker=fixed' is an override"),
    ],
)
def test_a_question_that_is_not_there_or_in_pieces_is_told(words: list[str], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        parted(words, False)


# What is marked


def marked(analyzer: Any, text: str, question: str) -> list[str]:
    highlighter = Highlighter(analyzer, frozenset(analyzer.tokens(question)))
    return [text[match.start : match.end] for match in highlighter.matches(text)]


@pytest.mark.parametrize(
    ("analyzer", "text", "question", "expected"),
    [
        (StemmedAnalyzer(), "Leave: leaves, «leaving» and left.", "leave", ["Leave", "leaves", "leaving"]),
        (StemmedAnalyzer(), "В отпуске, об отпусках; отпускной.", "отпуск", ["отпуске", "отпусках"]),
        (StemmedAnalyzer(), "за\u0301мок и замо\u0301к", "замок", ["за\u0301мок", "замо\u0301к"]),
        (StemmedAnalyzer("auto", "short"), "the card of the door", "the door", ["door"]),
        (SimpleAnalyzer(), "sick-leave, SICK_day; sickness", "sick", ["sick", "SICK"]),
        (SimpleAnalyzer(), "ЁЛКА и елка", "ёлка", ["ЁЛКА"]),
        (SimpleAnalyzer(), "Straße STRASSE", "strasse", ["Straße", "STRASSE"]),
        (Capitals(), "a card. The card, a card", "card", ["card"]),
        (Capitals(), "a card. The card, a card", "card.", ["card."]),
        (SimpleAnalyzer(), "", "card", []),
        (SimpleAnalyzer(), "card", "", []),
    ],
)
def test_words_match_where_their_tokens_do(
    analyzer: Any, text: str, question: str, expected: list[str]
) -> None:
    assert marked(analyzer, text, question) == expected


@given(strategies.texts, strategies.texts)
def test_matches_are_apart_in_order_and_have_the_tokens_they_say(text: str, question: str) -> None:
    analyzer = StemmedAnalyzer()
    wanted = frozenset(analyzer.tokens(question))
    end = 0
    for match in Highlighter(analyzer, wanted).matches(text):
        assert end <= match.start < match.end <= len(text)
        assert set(match.tokens) == set(analyzer.tokens(text[match.start : match.end])) & wanted != set()
        end = match.end


# What the store has


def made(pipeline: Pipeline, store: Store, corpus: Corpus = CORPUS) -> tuple[str, ...]:
    """The parts that were computed; what is found must be what a new index finds."""
    found = built(pipeline, corpus, store)
    fresh = Index.build(pipeline, corpus).search(TEXTS, 5)
    other = found.index.search(TEXTS, 5)
    assert other.documents.items.tobytes() == fresh.documents.items.tobytes()
    assert other.documents.scores.tobytes() == fresh.documents.scores.tobytes()
    return found.computed


def test_a_second_search_computes_nothing(tmp_path: Path) -> None:
    pipeline = pipeline_of(embedder=LSAEmbedder(2, 4))
    assert made(pipeline, store_in(tmp_path)) == ("passages", "terms", "vectors")
    assert made(pipeline, store_in(tmp_path)) == ()
    assert made(replace(pipeline, embedder=LSAEmbedder(3, 4), fusion=RRF(7)), store_in(tmp_path)) == ()
    assert made(replace(pipeline, embedder=LSAEmbedder(2, 3)), store_in(tmp_path)) == ("vectors",)
    assert made(replace(pipeline, fusion=LexicalOnly()), store_in(tmp_path)) == ()
    assert made(pipeline_of(chunker=FixedChunker(4)), store_in(tmp_path)) == ("passages", "terms", "vectors")


def test_a_sweep_has_computed_passages_and_terms(tmp_path: Path) -> None:
    pipeline = pipeline_of(chunker=FixedChunker(6))
    planned = plan([pipeline], Settings(), Roots.of(DATASET))
    list(Execution(planned, DATASET, store=store_in(tmp_path)).outcomes())
    assert made(pipeline, store_in(tmp_path)) == ("vectors",)


def test_a_changed_document_and_no_store_compute_all(tmp_path: Path) -> None:
    pipeline = pipeline_of()
    store = store_in(tmp_path)
    made(pipeline, store)
    changed = Corpus((*CORPUS.documents, Document("new", "", "milk")))
    assert made(pipeline, store, changed) == ("passages", "terms", "vectors")
    for _ in range(2):
        assert made(pipeline, ForgetfulStore()) == ("passages", "terms", "vectors")


def test_components_of_ones_own_are_kept_only_if_they_declare_a_version(tmp_path: Path) -> None:
    unversioned, versioned = pipeline_of(embedder=Centred()), pipeline_of(embedder=Letters())
    for expected in (("passages", "terms", "vectors"), ("vectors",)):
        assert made(unversioned, store_in(tmp_path)) == expected
    assert made(versioned, store_in(tmp_path)) == ("vectors",)
    assert made(versioned, store_in(tmp_path)) == ()


@dataclass(frozen=True)
class Words:
    """An embedder that learns words, which are no arrays of numbers."""

    dim: int = 2
    nested: ClassVar[bool] = False
    reads: ClassVar[Literal["tokens", "text"]] = "text"
    version: ClassVar[int] = 1
    dtype: str = "O"

    def fit(self, passages: Texts) -> Mapping[str, Any]:
        return {"words": np.array(["one", "two"], dtype=self.dtype)}

    def encode(self, model: Mapping[str, Any], texts: Texts) -> Any:
        return np.array([[len(text), 1.0] for text in texts.raw], dtype=np.float64).reshape(-1, 2)


@pytest.mark.parametrize("dtype", ["O", "U3"])
def test_what_the_store_can_not_keep_is_searched_all_the_same(tmp_path: Path, dtype: str) -> None:
    pipeline = pipeline_of(embedder=Words(dtype=dtype))
    for expected in (("passages", "terms", "vectors"), ("vectors",)):
        assert made(pipeline, store_in(tmp_path)) == expected


def test_no_documents_are_refused() -> None:
    with pytest.raises(DataError, match="no documents"):
        built(pipeline_of(), Corpus(()), ForgetfulStore())


# What is answered

INDEX = Index.build(pipeline_of(chunker=FixedChunker(8), fusion=LexicalOnly()), CORPUS)


def test_a_question_of_the_gold_comes_back_judged() -> None:
    spans = (Span("door", 0, 14), Span("door", 10, 20), Span("door", 40, 60), Span("leave", 0, 5))
    grades = {"door": 2, "kitchen": 0, "empty": 1, "travel": 1}
    question = Question("q", "the side door of the office", grades, spans)
    found = answer(INDEX, question, 5)
    assert found.relevant == (Wanted("door", 2, 1), Wanted("travel", 1, 2), Wanted("empty", 1, None))
    judged = {hit.why.hit.doc_id: hit.judged for hit in found.hits if hit.judged is not None}
    assert (judged["door"].grade, judged["door"].is_relevant) == (2, True)
    assert (judged["kitchen"].grade, judged["kitchen"].is_relevant) == (0, False)
    assert (judged["leave"].grade, judged["leave"].is_relevant) == (None, False)
    passage = found.hits[0].why.hit
    assert (passage.start, passage.text) == (0, "The side door opens with the blue card.")
    assert judged["door"].evidence == ((0, 20),)  # joined where they touch, the rest is another passage's


def test_a_typed_question_has_no_judgements() -> None:
    found = answer(INDEX, "milk", 3)
    assert (found.gold, found.relevant, found.hits[0].judged) == (None, (), None)
    assert {"query_id", "relevant"} & found.to_dict().keys() == set()
    assert {"grade", "evidence", "why"} & found.to_dict()["hits"][0].keys() == set()


def test_what_could_find_nothing_says_why() -> None:
    dense = Index.build(pipeline_of(), CORPUS)
    cases = {
        (INDEX, "?!"): "SimpleAnalyzer finds no token in this question",
        (INDEX, "xylophone"): "no document has any of its words, so nothing is found",
        (dense, "xylophone"): "no document has any of its words: what is found comes from vectors alone",
    }
    for (index, text), message in cases.items():
        assert (answer(index, text, 3).note or "").startswith(message)
    assert answer(INDEX, "milk xylophone", 3).note is None
    assert answer(INDEX, "milk xylophone", 3).unknown == ("xylophone",)


def test_matches_count_characters_of_the_document() -> None:
    (hit, *_) = answer(INDEX, "fridges fridge", 1).to_dict()["hits"]
    text = next(document.text for document in CORPUS.documents if document.doc_id == hit["doc_id"])
    assert hit["start"] > 0
    assert [text[one["start"] : one["end"]] for one in hit["matches"]] == ["fridge"]
    assert hit["matches"][0]["tokens"] == ["fridge"]


def test_the_answer_is_the_sweeps() -> None:
    pipeline = pipeline_of(embedder=LSAEmbedder(3, 8))
    (outcome,) = run(DATASET, pipeline)
    index = Index.build(pipeline, CORPUS)
    for at, question in enumerate(DATASET.gold.questions):
        found = [CORPUS.position[hit.why.hit.doc_id] for hit in answer(index, question, 10).hits]
        expected = [item for item in outcome.found.documents.items[at].tolist() if item >= 0]  # type: ignore[union-attr]
        assert found == expected
