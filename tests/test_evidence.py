"""Evidence against sets of characters: whatever passages and spans there are, each character counts once."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.errors import ConfigError
from rag_sweep.evidence import Evidence, Spans, handed_over, has_spans
from rag_sweep.passages import Passages
from rag_sweep.records import Gold, Question, Span

DOCUMENTS = ("a", "b", "c")
POSITION = {doc_id: at for at, doc_id in enumerate(DOCUMENTS)}
LENGTH = 14

pieces = st.tuples(st.integers(0, LENGTH), st.integers(0, LENGTH)).map(lambda ends: tuple(sorted(ends)))
documents_with_passages = st.lists(
    st.lists(pieces, unique=True, max_size=4).map(sorted), min_size=len(DOCUMENTS), max_size=len(DOCUMENTS)
)
spans = st.builds(
    lambda doc_id, piece: Span(doc_id, piece[0], piece[1] + 1), st.sampled_from([*DOCUMENTS, "zz"]), pieces
)
questions = st.lists(st.tuples(st.lists(spans, max_size=4), st.booleans()), max_size=4)
shares = st.sampled_from([1.0, 0.5, 0.1, 0.3, 1e-12, 1 / 3, 0.7])


def passages_of(cut: list[list[tuple[int, int]]]) -> Passages:
    rows = [(at, start, end) for at, found in enumerate(cut) for start, end in found]
    columns = np.array(rows, dtype=np.int32).reshape(-1, 3).T
    return Passages(columns[0], columns[1], columns[2], np.zeros(len(rows), np.int32))


def gold_of(asked: list[tuple[list[Span], bool]]) -> Gold:
    return Gold(
        tuple(
            Question(f"q{at}", "", {} if negative else {"a": 1}, tuple(found))
            for at, (found, negative) in enumerate(asked)
        )
    )


def characters(doc_id: str, start: int, end: int) -> set[tuple[str, int]]:
    return {(doc_id, at) for at in range(start, end)}


def by_hand(question: Question, passages: Passages, items: list[int], share: float) -> list[float]:
    """Recall, precision and spans found of one question, by sets."""
    if not question.spans or question.is_negative:
        return [math.nan] * 3
    handed: set[tuple[str, int]] = set()
    for item in (item for item in items if item >= 0):
        doc_id = DOCUMENTS[passages.document[item]]
        handed |= characters(doc_id, int(passages.start[item]), int(passages.end[item]))
    wanted = {span: characters(span.doc_id, span.start, span.end) for span in question.spans}
    every = set().union(*wanted.values())
    least = Fraction(share).limit_denominator(10**6) or Fraction(1, 10**12)
    found = [len(part & handed) >= least * len(part) for part in wanted.values()]
    return [
        len(every & handed) / len(every),
        len(every & handed) / max(1, len(handed)),
        sum(found) / len(found),
    ]


@given(documents_with_passages, questions, shares, st.integers(1, 3), st.integers(0, 5), st.randoms())
def test_it_is_what_sets_of_characters_give(cut, asked, share, configurations, depth, random) -> None:
    passages, gold = passages_of(cut), gold_of(asked)
    items = np.full((configurations, len(asked), depth), -1, np.int32)
    for row in (row for one in items for row in one):
        for place, item in enumerate(random.sample(range(len(passages)), min(depth, len(passages)))):
            row[place] = item if random.random() < 0.7 else -1
    found = handed_over(Spans.of(gold, POSITION), passages, items, share)
    for at in range(configurations):
        one = found.select(at)
        rows = np.stack([one.recall, one.precision, one.found], axis=1)
        expected = [
            by_hand(question, passages, row.tolist(), share)
            for question, row in zip(gold.questions, items[at], strict=True)
        ]
        np.testing.assert_array_equal(rows, np.array(expected).reshape(-1, 3))


def evidence_of(
    found: list[Span], passages: list[list[tuple[int, int]]], *items: int, share: float = 1.0
) -> Evidence:
    spans = Spans.of(gold_of([(found, False)]), POSITION)
    return handed_over(spans, passages_of(passages), np.array([items], np.int32), share)


def test_a_span_is_found_by_passages_that_cover_it_together() -> None:
    span = [Span("b", 2, 12)]
    cut = [[], [(0, 6), (4, 9), (9, 14)], []]
    assert evidence_of(span, cut, 0, 1).found.tolist() == [0.0]
    assert evidence_of(span, cut, 0, 1, share=0.7).found.tolist() == [1.0]
    assert evidence_of(span, cut, 2, 0, 1).found.tolist() == [1.0]


def test_a_character_in_two_passages_counts_once() -> None:
    found = evidence_of([Span("a", 0, 4)], [[(0, 4), (0, 8)], [], []], 0, 1)
    assert (found.recall.tolist(), found.precision.tolist()) == ([1.0], [0.5])


def test_a_character_in_two_spans_counts_once_and_each_span_is_one() -> None:
    found = evidence_of([Span("a", 0, 6), Span("a", 4, 8)], [[(0, 6)], [], []], 0)
    assert (found.recall.tolist(), found.found.tolist()) == ([0.75], [0.5])


def test_nothing_found_is_0_and_nothing_asked_is_no_number() -> None:
    gold = gold_of([([Span("a", 0, 3)], False), ([], False), ([Span("a", 0, 3)], True)])
    nothing = np.full((3, 2), -1, np.int32)
    found = handed_over(Spans.of(gold, POSITION), passages_of([[(0, 3)], [], []]), nothing)
    for values in (found.recall, found.precision, found.found):
        np.testing.assert_array_equal(values, [0.0, np.nan, np.nan])
    assert found.means() == {"recall": 0.0, "precision": 0.0, "found": 0.0}


def test_a_mean_is_over_the_questions_that_have_spans() -> None:
    gold = gold_of([([Span("a", 0, 3)], False), ([], False), ([Span("b", 0, 3)], False)])
    items = np.array([[0], [0], [0]], np.int32)
    found = handed_over(Spans.of(gold, POSITION), passages_of([[(0, 3)], [], []]), items)
    assert found.means() == {"recall": 0.5, "precision": 0.5, "found": 0.5}
    without = handed_over(Spans.of(gold_of([([], False)]), POSITION), passages_of([[], [], []]), items[:1])
    assert all(math.isnan(value) for value in without.means().values())


def test_a_span_in_a_document_that_is_not_there_is_missed_not_left_out() -> None:
    found = evidence_of([Span("a", 0, 3), Span("zz", 0, 9)], [[(0, 3)], [], []], 0)
    assert (found.recall.tolist(), found.found.tolist()) == ([0.25], [0.5])


def test_the_last_bit_of_a_share_decides_nothing() -> None:
    assert 0.07 * 100 > 7
    assert evidence_of([Span("a", 0, 100)], [[(0, 7)], [], []], 0, share=0.07).found.tolist() == [1.0]
    assert evidence_of([Span("a", 0, 30)], [[(40, 50)], [], []], 0, share=1e-15).found.tolist() == [0.0]


@pytest.mark.parametrize("share", [0, 0.0, -0.5, 1.01, math.nan, math.inf])
def test_another_share_is_refused(share: float) -> None:
    with pytest.raises(ConfigError, match=r"^evidence\.share must be a number above 0, at most 1, got "):
        evidence_of([Span("a", 0, 3)], [[(0, 3)], [], []], 0, share=share)


def test_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    random = np.random.default_rng(3)
    gold = gold_of([([Span("a", 0, 9), Span("b", 2, 5)], False)] * 5)
    passages = passages_of([[(0, 4), (3, 9)], [(1, 4), (4, 8)], [(0, 14)]])
    items = np.argsort(random.random((11, 5, 5)), axis=2)[..., :3].astype(np.int32)
    spans = Spans.of(gold, POSITION)
    whole = handed_over(spans, passages, items)
    monkeypatch.setattr("rag_sweep.evidence._CELLS", 1)
    for name, values in vars(handed_over(spans, passages, items)).items():
        np.testing.assert_array_equal(values, getattr(whole, name))


def test_only_evidence_of_answerable_questions_is_evidence() -> None:
    assert has_spans(gold_of([([], False), ([Span("a", 0, 3)], False)]))
    assert not has_spans(gold_of([([], False), ([Span("a", 0, 3)], True)]))
