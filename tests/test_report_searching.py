"""Answers in the terminal: what matches is marked there and only there, and nothing is obeyed."""

from __future__ import annotations

import io
from typing import Any

import pytest
from indexes import CORPUS, DenseFirst
from pipelines import dataset_of, pipeline_of
from rich.console import Console

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.fusion import RRF, LexicalOnly
from rag_sweep.index import Index
from rag_sweep.records import Corpus, Document, Question, Span
from rag_sweep.report.searching import LONGEST, answer_text
from rag_sweep.reranker import ZSum
from rag_sweep.searching.search import answer


def printed(
    answer: Any, *, k: int = 3, terminal: bool = False, whole: bool = False, explained: bool = False
) -> str:
    """What stands on a page, or on a terminal."""
    out = io.StringIO()
    console = Console(
        file=out,
        width=200,
        force_terminal=terminal,
        highlight=False,
        markup=False,
        legacy_windows=False,
        _environ={},
    )
    for thing in answer_text(answer.to_dict(explained), k, whole):
        console.print(thing)
    return out.getvalue()


INDEX = Index.build(pipeline_of(analyzer=StemmedAnalyzer(), fusion=LexicalOnly()), CORPUS)


def test_words_are_marked_on_a_terminal_and_plain_elsewhere() -> None:
    found = answer(INDEX, "days of leave", 1)
    assert "Twenty eight \x1b[1mdays\x1b[0m \x1b[1mof\x1b[0m paid \x1b[1mleave\x1b[0m" in printed(
        found, terminal=True
    )
    plain = printed(found)
    assert "Twenty eight days of paid leave a year. Ask two weeks before the first of the days." in plain
    assert not set(plain) & set("\x1b«»▸◂*")


def test_evidence_and_relevant_documents_are_marked_everywhere() -> None:
    text = "milk stands in the fridge"
    question = Question("q7", "milk", {"a": 1, "c": 1}, (Span("a", 5, 11),))
    index = Index.build(
        pipeline_of(fusion=LexicalOnly()), dataset_of({"a": text, "b": "milk", "c": "tea"}, ["x"]).corpus
    )
    plain = printed(answer(index, question, 3))
    assert plain.startswith("q7: milk\nrelevant (✓): a at rank 2; not among the candidates: c\n")
    assert "evidence stands between ▸ and ◂" in plain
    assert " 2  ✓ a  " in plain
    assert "milk ▸stands◂ in the fridge" in plain
    assert "✓ b" not in plain
    assert "no document answers it" in printed(answer(index, Question("n", "milk"), 3))


HOSTILE = "milk \x1b[2J\x1b]0;title\x07 \x9b31m \u202emilk\u2066 \r\nx\x08\x00\ud800"


def test_no_escape_of_a_document_or_a_question_is_printed() -> None:
    corpus = Corpus((Document(f"id{HOSTILE}", f"title {HOSTILE}", HOSTILE),))
    index = Index.build(pipeline_of(fusion=RRF(), reranker=ZSum()), corpus)
    for explained in (False, True):
        found = answer(index, Question(f"q{HOSTILE}", HOSTILE, {corpus.documents[0].doc_id: 1}), 3)
        out = printed(found, explained=explained)
        assert "milk" in out
        assert {sign for sign in out if not sign.isprintable()} == {"\n"}


def test_a_long_passage_is_cut_around_the_rarest_words() -> None:
    filler = "the day is long and the door is shut " * 40
    text = f"{filler}a marmot sleeps {filler}"
    corpus = dataset_of({"long": text, "other": filler}, ["x"]).corpus
    index = Index.build(pipeline_of(fusion=LexicalOnly()), corpus)
    found = answer(index, "the day of the marmot", 1)
    before, shown, behind = printed(found, k=1).split("…")
    assert "long" in before
    assert not behind.strip()
    assert "marmot" in shown
    assert LONGEST - 2 <= len(" ".join(shown.split())) <= LONGEST + 120
    assert set(shown.split()) <= set(text.split())  # no word is cut
    assert text.strip().replace("  ", " ") in " ".join(printed(found, whole=True).split())


def test_a_span_of_evidence_is_what_a_cut_passage_is_cut_around() -> None:
    text = f"{'milk and tea ' * 60}here it stands{' milk and tea' * 60}"
    start = text.index("here")
    question = Question("q", "milk", {"a": 1}, (Span("a", start, start + 4),))
    index = Index.build(pipeline_of(fusion=LexicalOnly()), dataset_of({"a": text}, ["x"]).corpus)
    assert "▸here◂ it stands" in printed(answer(index, question, 1))


@pytest.mark.parametrize("size", [LONGEST - 1, LONGEST, LONGEST + 1, LONGEST + 200])
def test_a_word_of_any_length_can_be_shown(size: int) -> None:
    for text in ("x" * size, f"milk {'x' * size}", f"{'x' * size} milk {'y' * size}"):
        index = Index.build(pipeline_of(fusion=LexicalOnly()), dataset_of({"a": text}, ["x"]).corpus)
        for question in ("x" * size, "milk"):
            assert printed(answer(index, question, 1))


def test_an_explanation_tells_terms_branches_and_the_reranker() -> None:
    index = Index.build(pipeline_of(fusion=RRF(10, 4), reranker=ZSum(1.0, 2)), CORPUS)
    out = printed(answer(index, "which card opens the door door", 4), k=4, explained=True)
    assert "tokens: which card opens the door door" in out
    assert "5 passages of 11.8 tokens on average; candidates: lexical 4, dense 4; BM25 → RRF → ZSum" in out
    assert "in no document: which" in out
    lines = [line.strip() for line in out.splitlines()]
    assert "door   +2.0549  tf 2  df 2  idf 0.8755  ×2 in the question" in lines
    assert "not in this passage: card and opens" in lines
    assert "lexical: score 5.23157, rank 1 of 4, adds 0.0909091 (50 %)" in lines
    assert "ZSum: passage from rank 1 (score 0.181818) to rank 1" in lines
    assert any(line.startswith("ZSum: not looked at") for line in lines)


def test_missing_words_are_those_of_the_question_and_no_stems() -> None:
    index = Index.build(pipeline_of(analyzer=StemmedAnalyzer(), fusion=LexicalOnly()), CORPUS)
    found = answer(index, "Сколько дней leave? Частями, doesn't matter", 1)
    out = printed(found, explained=True)
    assert "in no document: Сколько, дней, Частями" in out
    assert {one["term"]: one["word"] for one in found.to_dict()["terms"]}["част"] == "Частями"


def test_an_explanation_says_nothing_that_a_component_does_not_say() -> None:
    index = Index.build(pipeline_of(fusion=DenseFirst()), CORPUS)
    out = printed(answer(index, "door", 2), explained=True)
    assert "adds" not in out
    assert "rank 1 of 4" in out
    alone = printed(answer(INDEX, "door", 2), explained=True)
    assert "adds" not in alone
    needed = Index.build(pipeline_of(fusion=LexicalOnly(), reranker=ZSum()), CORPUS)
    assert "for the reranker" in printed(answer(needed, "door", 2), explained=True)


def test_what_found_nothing_or_little_says_so() -> None:
    assert printed(answer(INDEX, "?!", 3)).splitlines()[1].startswith("StemmedAnalyzer finds no token")
    assert printed(answer(INDEX, "xylophone", 3)).splitlines()[1] == (
        "no document has any of its words, so nothing is found"
    )
    assert "1 document in all: no other one is a candidate" in printed(answer(INDEX, "milk", 3))
    assert "in all" not in printed(answer(INDEX, "milk", 1), k=1)


def test_an_empty_passage_is_told() -> None:
    corpus = dataset_of({"empty": "", "other": "tea"}, ["x"]).corpus
    index = Index.build(pipeline_of(fusion=RRF()), Corpus((Document("e", "Milk", ""), *corpus.documents)))
    assert "(an empty passage)" in printed(answer(index, "milk", 3))
