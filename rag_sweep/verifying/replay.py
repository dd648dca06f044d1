"""Golden questions asked again, and every difference in the first k."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import asdict, dataclass
from typing import Any

from rag_sweep.champion import GoldenQuestion
from rag_sweep.errors import ServiceError
from rag_sweep.verifying.sources import Answer, Source

TOLERANCE = 0.5e-9
"""Scores are rounded to 9 decimals: what is closer is equal."""

Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Apart:
    """A question that is answered otherwise than it was measured.

    Attributes
    ----------
    rank
        The first rank that differs, from 1.
    what
        ``documents`` or ``scores``.
    """

    query_id: str
    text: str
    rank: int
    what: str
    expected: tuple[str, ...]
    got: tuple[str, ...]
    expected_scores: tuple[float, ...]
    got_scores: tuple[float, ...] | None

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return asdict(self)


@dataclass(frozen=True)
class Replayed:
    """What came of it: `asked` questions, each compared to the first `k`."""

    source: str
    asked: int
    of: int
    k: int
    scores: bool
    apart: tuple[Apart, ...]

    @property
    def identical(self) -> int:
        """Questions that are answered as they were measured."""
        return self.asked - len(self.apart)

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        told = {key: value for key, value in vars(self).items() if key != "apart"}
        return {**told, "identical": self.identical, "apart": [one.to_dict() for one in self.apart]}


def replay(questions: Sequence[GoldenQuestion], source: Source, k: int, of: int, watch: Watch) -> Replayed:
    """Ask every question, and compare what comes with what was measured.

    Parameters
    ----------
    questions
        At least one; `of` is how many there are in all.
    k
        Ranks that are compared.

    Raises
    ------
    ServiceError
        For the first question that has no answer, naming it: then nothing is counted.
    """
    apart = []
    told_scores = True
    for done, (question, answer) in enumerate(_answers(questions, source, k), start=1):
        watch(done, len(questions))
        told_scores = told_scores and answer.scores is not None
        if (difference := _difference(question, answer, k)) is not None:
            apart.append(difference)
    return Replayed(source.shown, len(questions), of, k, told_scores, tuple(apart))


def _answers(
    questions: Sequence[GoldenQuestion], source: Source, k: int
) -> Iterator[tuple[GoldenQuestion, Answer]]:
    """Each question with its answer, in order; a few are asked at a time."""
    if source.askers == 1:
        yield from ((question, _asked(question, source, k)) for question in questions)
        return
    with ThreadPoolExecutor(source.askers) as pool:
        futures: list[Future[Answer]] = [pool.submit(_asked, one, source, k) for one in questions]
        try:
            for question, future in zip(questions, futures, strict=True):
                yield question, future.result()
        finally:
            for future in futures:
                future.cancel()


def _asked(question: GoldenQuestion, source: Source, k: int) -> Answer:
    try:
        return source.answer(question.text, k)
    except ServiceError as error:
        raise ServiceError(f"question {question.query_id}: {error}") from error


def _difference(question: GoldenQuestion, answer: Answer, k: int) -> Apart | None:
    expected = question.documents[:k]
    ids, scores = tuple(one.doc_id for one in expected), tuple(one.score for one in expected)
    rank = _first(ids, answer.doc_ids, lambda one, other: one == other)
    what = "documents"
    if rank is None and answer.scores is not None:
        rank = _first(scores, answer.scores, lambda one, other: abs(one - other) <= TOLERANCE)
        what = "scores"
    if rank is None:
        return None
    return Apart(question.query_id, question.text, rank, what, ids, answer.doc_ids, scores, answer.scores)


def _first(expected: Sequence[Any], got: Sequence[Any], same: Callable[[Any, Any], bool]) -> int | None:
    """The first rank, from 1, where two rankings differ; None if they are the same."""
    for rank, (one, other) in enumerate(zip(expected, got, strict=False), start=1):
        if not same(one, other):
            return rank
    return None if len(expected) == len(got) else min(len(expected), len(got)) + 1
