"""How long a question takes, one at a time: measured on this machine, only to be shown."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from rag_sweep.checks import is_count, require
from rag_sweep.errors import ConfigError
from rag_sweep.index import Index
from rag_sweep.pipeline import Pipeline
from rag_sweep.records import Corpus, Dataset


@dataclass(frozen=True)
class Latency:
    """What was measured.

    Attributes
    ----------
    p50_ms, p95_ms
        Median and 95th percentile of the time for a question, from its text to the ranking of documents.
    build_s
        Seconds from the documents' texts to an index in memory.
    queries
        How many times were taken.
    """

    p50_ms: float
    p95_ms: float
    build_s: float
    queries: int


def measure(
    pipeline: Pipeline,
    dataset: Dataset,
    questions: int = 50,
    repeats: int = 3,
    *,
    depth: int = 10,
    clock: Callable[[], float] = time.perf_counter,
) -> Latency:
    """Build one configuration and ask it questions one at a time, in one thread; nothing is from a store.

    The chosen questions are asked once before (warm), then `repeats` times.

    Parameters
    ----------
    questions
        How many of the gold's, spread evenly over it; all if it has fewer.
    repeats
        How often each is asked.
    depth
        Documents that are asked for.
    clock
        Seconds.

    Raises
    ------
    ConfigError
        For numbers below 1, and for a gold without questions.
    StageFailed
        If a component fails.
    """
    require("questions", questions, "an int >= 1", is_count(questions))
    require("repeats", repeats, "an int >= 1", is_count(repeats))
    asked = _spread([question.text for question in dataset.gold.questions], questions)
    if not asked:
        raise ConfigError("the gold has no questions, so there is no latency to measure")
    return _measured(pipeline, dataset.corpus, asked, repeats, depth, clock)


def _measured(
    pipeline: Pipeline,
    corpus: Corpus,
    asked: Sequence[str],
    repeats: int,
    depth: int,
    clock: Callable[[], float],
) -> Latency:
    begun = clock()
    index = Index.build(pipeline, corpus)
    build = clock() - begun
    for question in asked:
        index.search([question], depth)
    times = []
    for question in [*asked] * repeats:
        begun = clock()
        index.search([question], depth)
        times.append((clock() - begun) * 1000)
    p50, p95 = np.percentile(times, [50, 95]).tolist()
    return Latency(p50, p95, build, len(times))


def _spread(texts: Sequence[str], number: int) -> list[str]:
    chosen = np.linspace(0, len(texts) - 1, min(number, len(texts))).round().astype(int)
    return [texts[at] for at in chosen.tolist()]
