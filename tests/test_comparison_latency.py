"""Latency: what is timed, and what can't be."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import Any

import pytest
from indexes import DATASET, PIPELINES
from pipelines import pipeline_of

from rag_sweep.comparison.latency import measure
from rag_sweep.errors import ConfigError, StageFailed
from rag_sweep.pipeline import Pipeline
from rag_sweep.records import Gold, Question


def clock(*seconds: float) -> Any:
    """A clock that goes on by these steps, over and over."""
    steps = itertools.cycle(seconds)
    now = itertools.accumulate(iter(lambda: next(steps), None), initial=0.0)
    return lambda: next(now)


def test_times_are_those_between_a_question_and_its_answer() -> None:
    # building takes 3 s; then, after a pause of 1 s each, a question 2 s
    found = measure(PIPELINES["lexical"], DATASET, 4, 2, clock=clock(3.0))
    assert (found.build_s, found.p50_ms, found.p95_ms, found.queries) == (3.0, 3000.0, 3000.0, 8)
    found = measure(PIPELINES["lexical"], DATASET, 100, 1, clock=clock(2.0, 1.0))
    assert (found.build_s, found.p50_ms, found.queries) == (2.0, 2000.0, 6)


def test_questions_are_spread_over_the_gold_and_asked_once_before() -> None:
    asked: list[str] = []

    @dataclass(frozen=True)
    class Listening:
        def tokens(self, text: str) -> list[str]:
            asked.append(text)
            return text.split()

    gold = Gold(tuple(Question(f"q{at}", f"question {at}", {"door": 1}) for at in range(9)))
    measure(pipeline_of(analyzer=Listening()), replace(DATASET, gold=gold), 3, 2)
    assert asked[len(DATASET.corpus) :] == ["question 0", "question 4", "question 8"] * 3


def test_what_can_not_be_measured_is_refused() -> None:
    for questions, repeats, message in ((0, 1, "questions must be an int >= 1"), (1, 0, "repeats must be")):
        with pytest.raises(ConfigError, match=message):
            measure(pipeline_of(), DATASET, questions, repeats)
    with pytest.raises(ConfigError, match="the gold has no questions"):
        measure(pipeline_of(), replace(DATASET, gold=Gold(())))


@dataclass(frozen=True)
class Broken:
    """An analyzer that always fails."""

    def tokens(self, text: str) -> list[str]:
        raise ZeroDivisionError("no way")


def test_a_component_that_fails_is_named() -> None:
    broken: Pipeline = pipeline_of(analyzer=Broken())
    with pytest.raises(StageFailed, match="passage_terms: ZeroDivisionError: no way"):
        measure(broken, DATASET)
