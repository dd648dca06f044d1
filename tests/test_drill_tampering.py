"""Documents and GOLD that something has happened to."""

from __future__ import annotations

from typing import Any

import pytest
from pipelines import dataset_of

from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.drill import tampering
from rag_sweep.records import Dataset, Question, Span


def made(documents: int = 8, questions: Any = ()) -> Dataset:
    texts = {f"d{at}": f"text number {at} of the house" for at in range(documents)}
    default = (
        Question("q1", "first", {"d1": 1, "d2": 2}),
        Question("q2", "second", {"d2": 1, "d5": 0}),
        Question("q3", "third", {"d3": 1}),
        Question("q4", "nothing", {}),
    )
    return dataset_of(texts, questions or default)


def texts_of(dataset: Dataset) -> dict[str, str]:
    return {document.doc_id: document.text for document in dataset.corpus.documents}


def test_the_most_wanted_document_is_relevant_to_most_questions() -> None:
    assert tampering.most_wanted(made(), 0) == "d2"


def test_of_equally_wanted_documents_the_seed_picks_one() -> None:
    dataset = made(questions=(Question("q1", "a", {"d1": 1}), Question("q2", "b", {"d2": 1})))
    picked = {tampering.most_wanted(dataset, seed) for seed in range(20)}
    assert picked == {"d1", "d2"}
    assert tampering.most_wanted(dataset, 3) == tampering.most_wanted(dataset, 3)


def test_a_document_that_is_not_there_is_never_the_most_wanted() -> None:
    assert tampering.most_wanted(made(questions=(Question("q1", "a", {"gone": 1}),)), 0) is None


def test_a_lost_document_is_gone_and_the_gold_still_asks_for_it() -> None:
    dataset = made()
    found = tampering.without(dataset, "d2")
    assert texts_of(dataset).keys() - texts_of(found.dataset).keys() == {"d2"}
    assert found.dataset.gold is dataset.gold
    assert found.documents == ("d2",)
    assert found.questions == ("q1", "q2")


def test_half_of_a_stale_index_has_texts_of_other_documents_and_no_text_is_lost() -> None:
    dataset = made(9)
    found = tampering.stale(dataset, 0)
    assert found is not None
    before, after = texts_of(dataset), texts_of(found.dataset)
    moved = {doc_id for doc_id in before if before[doc_id] != after[doc_id]}
    assert moved == set(found.documents)
    assert len(moved) == 4
    assert sorted(before.values()) == sorted(after.values())
    assert found.questions == tuple(q.query_id for q in dataset.gold.answerable if moved & set(q.relevant))


def test_which_half_is_stale_depends_on_ids_and_seed_alone() -> None:
    def half(dataset: Dataset, seed: int) -> tuple[str, ...]:
        found = tampering.stale(dataset, seed)
        assert found is not None
        return found.documents

    other_texts = dataset_of({f"d{at}": "other" for at in range(8)}, ["which"])
    assert half(made(), 0) == half(other_texts, 0)
    assert len({half(made(), seed) for seed in range(10)}) > 1


def test_an_index_of_three_documents_has_no_half() -> None:
    dataset = dataset_of({"d1": "a", "d2": "b", "d3": "c"}, ["which"])
    assert tampering.stale(dataset, 0) is None


def test_passages_as_documents_hold_the_same_texts_under_other_ids() -> None:
    dataset = dataset_of({"b": "one two three four five", "a": "six"}, ["which"])
    found = tampering.as_passages(dataset, FixedChunker(2)).dataset
    assert texts_of(found) == {"a#0001": "six", "b#0001": "one two", "b#0002": "three four", "b#0003": "five"}
    assert found.gold is dataset.gold


def test_a_wrong_line_gives_a_question_another_document_of_the_same_grade() -> None:
    dataset = made()
    found = tampering.with_wrong_line(dataset, 0)
    assert found is not None
    (query_id,), (right, wrong) = found.questions, found.documents
    changed = {
        one.query_id: (one.grades, other.grades)
        for one, other in zip(dataset.gold.questions, found.dataset.gold.questions, strict=True)
        if one != other
    }
    assert list(changed) == [query_id]
    before, after = changed[query_id]
    assert right in before
    assert right not in after
    assert wrong not in before
    assert after[wrong] == before[right] == max(before.values())
    assert wrong in texts_of(dataset)
    assert found.dataset.corpus is dataset.corpus


def test_a_wrong_line_takes_the_evidence_of_the_right_document_along() -> None:
    question = Question("q", "a", {"d1": 1}, spans=(Span("d1", 0, 4),))
    found = tampering.with_wrong_line(made(questions=(question,)), 0)
    assert found is not None
    assert found.dataset.gold.questions[0].spans == ()


@pytest.mark.parametrize("questions", [(Question("q", "a", {}),), (Question("q", "a", {"d0": 1, "d1": 1}),)])
def test_a_gold_without_a_place_for_a_wrong_document_has_no_wrong_line(questions: Any) -> None:
    assert tampering.with_wrong_line(made(2, questions), 0) is None


def test_without_spans_nothing_else_is_missing() -> None:
    question = Question("q", "a", {"d1": 1}, spans=(Span("d1", 0, 4),), tags=("t",))
    dataset = made(questions=(question,))
    (bare,) = tampering.without_spans(dataset).gold.questions
    assert bare == Question("q", "a", {"d1": 1}, tags=("t",))
