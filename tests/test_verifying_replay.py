"""Every difference in the first k is found and named; what could not be asked is no difference."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field

import pytest

from rag_sweep.champion.golden import GoldenQuestion, Ranked
from rag_sweep.errors import ServiceError
from rag_sweep.verifying.replay import replay
from rag_sweep.verifying.sources import Answer


def golden(query_id: str, *documents: tuple[str, float]) -> GoldenQuestion:
    return GoldenQuestion(query_id, f"text of {query_id}", tuple(Ranked(*one) for one in documents))


QUESTIONS = (
    golden("q1", ("a", 3.0), ("b", 2.0), ("c", 1.0)),
    golden("q2", ("d", 1.5)),
    golden("q3"),
)
RIGHT = {
    "text of q1": Answer(("a", "b", "c"), (3.0, 2.0, 1.0)),
    "text of q2": Answer(("d",), (1.5,)),
    "text of q3": Answer((), ()),
}


@dataclass
class Told:
    """Answers by question."""

    answers: dict[str, Answer]
    shown: str = "told"
    askers: int = 1
    asked: list[tuple[str, int]] = field(default_factory=list)

    def answer(self, question: str, k: int) -> Answer:
        self.asked.append((question, k))
        found = self.answers.get(question)
        if found is None:
            raise ServiceError("it has gone")
        scores = None if found.scores is None else found.scores[:k]
        return Answer(found.doc_ids[:k], scores)


def played(answers: dict[str, Answer], k: int = 3, askers: int = 1) -> list[tuple[str, int, str]]:
    source = Told({**RIGHT, **answers}, askers=askers)
    found = replay(QUESTIONS, source, k, 3, lambda done, total: None)
    assert found.identical + len(found.apart) == found.asked == 3
    return [(one.query_id, one.rank, one.what) for one in found.apart]


@pytest.mark.parametrize("askers", [1, 4])
@pytest.mark.parametrize("k", [1, 2, 3, 10])
def test_the_same_answers_are_identical(k: int, askers: int) -> None:
    assert played({}, k, askers) == []


@pytest.mark.parametrize(
    ("answer", "apart"),
    [
        (Answer(("b", "a", "c"), (3.0, 2.0, 1.0)), (1, "documents")),
        (Answer(("a", "c", "b"), (3.0, 2.0, 1.0)), (2, "documents")),
        (Answer(("a", "b"), (3.0, 2.0)), (3, "documents")),
        (Answer(("a", "b", "c", "d"), (3.0, 2.0, 1.0, 0.5)), (4, "documents")),
        (Answer(()), (1, "documents")),
        (Answer(("a", "a", "b"), (3.0, 3.0, 2.0)), (2, "documents")),
        (Answer(("a", "b", "c"), (3.0, 2.000000001, 1.0)), (2, "scores")),
    ],
)
def test_a_difference_is_found_at_its_first_rank(answer: Answer, apart: tuple[int, str]) -> None:
    assert played({"text of q1": answer}, k=10) == [("q1", *apart)]


def test_scores_are_compared_to_nine_decimals() -> None:
    close = Answer(("a", "b", "c"), (3.0000000004, 2.0, 1.0))
    assert played({"text of q1": close}) == []


def test_scores_that_are_not_told_are_not_compared_and_that_is_said() -> None:
    source = Told({**RIGHT, "text of q2": Answer(("d",))})
    found = replay(QUESTIONS, source, 3, 3, lambda done, total: None)
    assert found.apart == ()
    assert found.scores is False


def test_a_difference_beyond_k_does_not_count() -> None:
    assert played({"text of q1": Answer(("a", "c", "b"), (3.0, 2.0, 1.0))}, k=1) == []


def test_what_is_found_where_nothing_was_expected_is_a_difference() -> None:
    assert played({"text of q3": Answer(("x",), (1.0,))}) == [("q3", 1, "documents")]


@pytest.mark.parametrize("askers", [1, 4])
def test_a_question_without_an_answer_ends_it_and_is_named(askers: int) -> None:
    source = Told({key: value for key, value in RIGHT.items() if "q2" not in key}, askers=askers)
    with pytest.raises(ServiceError, match="question q2: it has gone"):
        replay(QUESTIONS, source, 3, 3, lambda done, total: None)


def test_several_are_asked_at_a_time_and_told_in_order() -> None:
    barrier = threading.Barrier(3, timeout=20)

    class Together(Told):
        def answer(self, question: str, k: int) -> Answer:
            barrier.wait()
            return super().answer(question, k)

    seen: list[int] = []
    found = replay(QUESTIONS, Together(RIGHT, askers=3), 3, 3, lambda done, total: seen.append(done))
    assert (found.identical, seen) == (3, [1, 2, 3])


def test_after_a_failure_the_rest_is_not_asked() -> None:
    many = tuple(golden(f"q{at}") for at in range(200))
    source = Told({}, askers=2)
    with pytest.raises(ServiceError, match="question q0"):
        replay(many, source, 3, 200, lambda done, total: None)
    assert len(source.asked) < 100


def test_the_plain_data_says_everything() -> None:
    source = Told({**RIGHT, "text of q2": Answer(("x",), (1.5,))})
    told = replay(QUESTIONS, source, 3, 9, lambda done, total: None).to_dict()
    assert told == {
        "source": "told",
        "asked": 3,
        "of": 9,
        "k": 3,
        "scores": True,
        "identical": 2,
        "apart": [
            {
                "query_id": "q2",
                "text": "text of q2",
                "rank": 1,
                "what": "documents",
                "expected": ("d",),
                "got": ("x",),
                "expected_scores": (1.5,),
                "got_scores": (1.5,),
            }
        ],
    }
