"""The engine without tracking, beside bm25s + ranx, in a process of its own; prints JSON.

A configuration's cost is what one more costs: the time of a grid less the time of one configuration, by
the rest of the grid. What all share (tokens, vectors) cancels out; it is cached for the loop.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.bandwidth import WEIGHT, copy_bandwidth, fusion_bytes, lexical_bytes
from benchmarks.clock import medians
from benchmarks.material import CRANFIELD_PASSAGES, DEPTH, Material, Missing, dataset_of
from benchmarks.naive import CUTOFF, MEASURES, Loop
from benchmarks.scipy_loop import ScipyLoop
from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.embedder.texts import Embedder, Texts
from rag_sweep.errors import RagSweepError
from rag_sweep.execute import Execute, Execution, Outcome
from rag_sweep.fusion import RRF, LexicalOnly
from rag_sweep.lexical import BM25
from rag_sweep.pipeline import Pipeline, Roots, Settings
from rag_sweep.plan import plan
from rag_sweep.reranker import NoReranker
from rag_sweep.store.entry import Store
from rag_sweep.terms import count_terms

EQUAL = 1e-9
"""Values that differ by less are equal: sums of the same terms in another order."""


@dataclass(frozen=True)
class Knobs:
    """One configuration of the grids."""

    k1: float
    b: float
    k_rrf: int = 60


def grid(k1s: int, bs: int, k_rrfs: int = 1) -> list[Knobs]:
    """A grid of so many values each, spread over their usual ranges; k_rrf changes fastest."""
    return [
        Knobs(round(0.4 + 2.0 * i / k1s, 6), round((1 + j) / bs, 6), 10 * (1 + k))
        for i in range(k1s)
        for j in range(bs)
        for k in range(k_rrfs)
    ]


class Ours:
    """The engine on one data set."""

    def __init__(self, material: Material, hybrid: bool, store: Store | None = None) -> None:
        self.material, self._hybrid, self._store, self.cpu = material, hybrid, store, 0.0
        real = len(material.doc_ids) == CRANFIELD_PASSAGES
        self._embedder: Embedder = LSAEmbedder() if real else HashEmbedder(64)

    def pipeline(self, knobs: Knobs) -> Pipeline:
        """One configuration."""
        fusion = RRF(k_rrf=knobs.k_rrf) if self._hybrid else LexicalOnly()
        lexical = BM25(knobs.k1, knobs.b)
        return Pipeline(
            DocumentChunker(), self.material.analyzer, lexical, self._embedder, fusion, NoReranker()
        )

    def seconds(self, configurations: Sequence[Knobs], keep: int = 0) -> tuple[float, list[Outcome]]:
        """Wall time of a sweep with one worker, and the first outcomes; `cpu` has the processor time."""
        started, used = time.perf_counter(), time.process_time()
        settings = Settings(k=CUTOFF, cutoffs=())  # what the loop measures, no more
        planned = plan(map(self.pipeline, configurations), settings, Roots.of(self.material.dataset))
        kept: dict[int, Outcome] = {}
        for at, outcome in Execution(planned, self.material.dataset, Execute(), self._store).outcomes():
            if isinstance(outcome, RagSweepError):
                raise outcome
            if at < keep:
                kept[at] = outcome
        self.cpu = time.process_time() - used
        return time.perf_counter() - started, [kept[at] for at in range(keep)]

    def vectors(self) -> tuple[np.ndarray, np.ndarray] | None:
        """The vectors, for the loop to have them cached."""
        if not self._hybrid:
            return None
        from threadpoolctl import threadpool_limits

        documents, analyzer = self.material.dataset.corpus.documents, self.material.analyzer
        raw = [document.indexed_text(0, len(document.text)) for document in documents]
        asked = [question.text for question in self.material.dataset.gold.questions]
        texts = Texts(raw, count_terms(map(analyzer.tokens, raw)))
        questions = Texts(asked, count_terms(map(analyzer.tokens, asked)), "question")
        with threadpool_limits(1):
            model = self._embedder.fit(texts)
            found = [
                self._embedder.encode(model, part)[:, : self._embedder.dim] for part in (texts, questions)
            ]
        return found[0], found[1]


def differences(loop: Loop, configurations: Sequence[Knobs], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """Compare the measures of every question, and say how.

    bm25s' scores in float64, with our order of ties, must give our values exactly; the loop as it is
    timed may differ from that for questions with ties or near ties only.
    """
    worst, unlike, unexplained, values = 0.0, 0, 0, 0
    answerable = [not question.is_negative for question in loop.material.dataset.gold.questions]
    for knobs, outcome in zip(configurations, outcomes, strict=True):
        items, ties = loop.lexical_in_our_order(knobs.k1, knobs.b)
        exact = loop.measures(loop.fused(items, knobs.k_rrf))
        timed = loop.measures(loop.fused(loop.lexical(knobs.k1, knobs.b)[0], knobs.k_rrf))
        for name in MEASURES:
            own = outcome.evaluation.column(f"{name}@{CUTOFF}")[answerable]
            worst = max(worst, float(np.abs(own - exact[name]).max(initial=0)))
            moved = np.abs(timed[name] - exact[name]) > 1e-6
            unlike, unexplained = (
                unlike + int(moved.sum()),
                unexplained + int((moved & ~ties[answerable]).sum()),
            )
            values += len(moved)
    return {"values": values, "worst": worst, "moved_by_ties": unlike, "unexplained": unexplained}


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """All that one size and one grid gives."""
    dataset, analyzer = dataset_of(arguments.passages, arguments.questions)
    material = Material(dataset, analyzer)
    ours = Ours(material, arguments.k_rrf > 0)
    configurations = grid(arguments.k1, arguments.b, max(1, arguments.k_rrf))
    if not arguments.loop:
        return {**alone(ours, configurations), **amounts(material, arguments)}
    loop = Loop(material, ours.vectors())
    sample = configurations[:: max(1, len(configurations) // arguments.sample)][: arguments.sample]
    _, outcomes = ours.seconds(sample, keep=len(sample))
    checked = differences(loop, sample, outcomes)
    # one (k1, b) serves all of its k_rrf in the loop too
    share: int = max(1, arguments.k_rrf)

    def naive() -> None:
        for knobs in sample:
            found = loop.lexical(knobs.k1, knobs.b)[0]
            for k_rrf in range(share):
                loop.measures(loop.fused(found, 10 * (1 + k_rrf)))

    cpu: dict[str, list[float]] = {"ours": [], "loop": [], "scipy": []}
    sides: dict[str, Callable[[], float]] = {
        "ours": lambda: marginal(ours, configurations, cpu["ours"]),
        "loop": lambda: _each(naive, len(sample) * share, cpu["loop"]),
    }
    if not arguments.k_rrf:
        scipy, checked["scipy_worst"] = scipy_side(material, sample, outcomes)
        sides["scipy"] = lambda: _each(scipy, len(sample), cpu["scipy"])
    clock = medians(arguments.repeat, sides)
    used = {f"{name}_cpu": statistics.median(values) for name, values in cpu.items() if values}
    return {**clock, **used, **checked, **amounts(material, arguments)}


def _each(work: Callable[[], None], number: int, cpu: list[float]) -> float:
    """Milliseconds of one of so many passes; the processor's go to `cpu`."""
    started, used = time.perf_counter(), time.process_time()
    work()
    cpu.append(1000 * (time.process_time() - used) / number)
    return 1000 * (time.perf_counter() - started) / number


def scipy_side(
    material: Material, sample: Sequence[Knobs], outcomes: Sequence[Outcome]
) -> tuple[Callable[[], None], float]:
    """The scipy loop, and its greatest difference from our mean ndcg@10 (ties aside)."""
    loop = ScipyLoop(material)
    theirs = [float(loop.ndcg(loop.lexical(knobs.k1, knobs.b)).mean()) for knobs in sample]
    own = [outcome.evaluation.mean(f"ndcg@{CUTOFF}") for outcome in outcomes]

    def work() -> None:
        for knobs in sample:
            loop.ndcg(loop.lexical(knobs.k1, knobs.b))

    return work, float(np.abs(np.subtract(theirs, own)).max())


def marginal(ours: Ours, configurations: Sequence[Knobs], cpu: list[float]) -> float:
    """Milliseconds of one more configuration; the processor's go to `cpu`."""
    first, _ = ours.seconds(configurations[:1])
    used = ours.cpu
    every, _ = ours.seconds(configurations)
    cpu.append(1000 * (ours.cpu - used) / (len(configurations) - 1))
    return 1000 * (every - first) / (len(configurations) - 1)


def alone(ours: Ours, configurations: Sequence[Knobs]) -> dict[str, Any]:
    """Only our side: time of one configuration and of one more, and the peak of this process."""
    ours.seconds(configurations[:1])  # imports, and memory that the system hands out for the first time
    first, _ = ours.seconds(configurations[:1])
    used = ours.cpu
    every, _ = ours.seconds(configurations)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {
        "ours": 1000 * (every - first) / (len(configurations) - 1),
        "ours_cpu": 1000 * (ours.cpu - used) / (len(configurations) - 1),
        "first": first,
        "seconds": every,
        "peak_mb": peak,
    }


def amounts(material: Material, arguments: argparse.Namespace) -> dict[str, Any]:
    """Postings, and the time that the bytes of a configuration take at the speed of a copy."""
    questions = len(material.question_tokens)
    share = max(1, arguments.k_rrf)
    needed = lexical_bytes(material.postings, material.touched) / share
    if arguments.k_rrf:
        needed += fusion_bytes(questions, DEPTH, CUTOFF)
    speed = copy_bandwidth(WEIGHT * material.postings)
    return {
        "passages": len(material.doc_ids),
        "questions": questions,
        "configurations": arguments.k1 * arguments.b * share,
        "postings": material.postings,
        "touched": material.touched,
        "bytes": needed,
        "copy_gb_s": speed / 1e9,
        "bound_ms": 1000 * needed / speed,
    }


def main() -> None:
    """The command line of this process."""
    parser = argparse.ArgumentParser()
    for name, default in {
        "passages": 1400,
        "questions": 225,
        "k1": 10,
        "b": 10,
        "k_rrf": 0,
        "sample": 4,
        "repeat": 3,
    }.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--loop", action="store_true")
    try:
        print(json.dumps(measure(parser.parse_args())))
    except Missing as reason:
        print(json.dumps({"missing": str(reason)}))


if __name__ == "__main__":
    main()
