"""The ways in which search is broken: one row of a table each, every one small and known."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from rag_sweep.analyzer import SimpleAnalyzer, StemmedAnalyzer
from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.configuration import Configuration
from rag_sweep.drill import tampering
from rag_sweep.drill.broken import CutBranch, CutShort, Reversed, ReversedPairs
from rag_sweep.drill.tampering import Tampered
from rag_sweep.fusion import Fusion
from rag_sweep.pipeline import Pipeline
from rag_sweep.records import Dataset
from rag_sweep.reranker import PairReranker, Reranker


@dataclass(frozen=True, eq=False)
class Bench:
    """What is to be broken, and the seed of every choice that has to be made."""

    configuration: Configuration
    dataset: Dataset
    seed: int = 0

    @property
    def pipeline(self) -> Pipeline:
        """The search that works."""
        return self.configuration.pipeline


@dataclass(frozen=True, eq=False)
class Broken:
    """A broken search.

    Attributes
    ----------
    told
        What exactly was done, in words: ``lexical.k1 1.2 → 12``.
    pipeline, dataset
        What is evaluated.
    documents, questions
        Those that it was done to; empty where it concerns all.
    """

    told: str
    pipeline: Pipeline
    dataset: Dataset
    documents: tuple[str, ...] = ()
    questions: tuple[str, ...] = ()


@dataclass(frozen=True)
class NotApplicable:
    """Why a sabotage can't be done to this configuration."""

    why: str


OWN = "own"
"""The kind of a sabotage that the user gave."""

Done: TypeAlias = Broken | NotApplicable


@dataclass(frozen=True)
class Sabotage:
    """One way to break search.

    Attributes
    ----------
    key
        Names it in data and on the command line.
    title
        What a row of the table is called.
    story
        What it stands for in real life: one sentence.
    kind
        What it breaks: what is said of it when it isn't noticed depends on this.
    do
        Does it.
    """

    key: str
    title: str
    story: str
    kind: str
    do: Callable[[Bench], Done]


def steeper(factor: int) -> Callable[[Bench], Done]:
    """BM25's k1 times a factor."""

    def do(bench: Bench) -> Done:
        lexical = bench.pipeline.lexical
        if "lexical" not in bench.pipeline.branches:
            return NotApplicable("the configuration has no lexical branch")
        k1 = _number(lexical, "k1")
        if not k1:
            return NotApplicable(
                "the lexical branch has no k1" if k1 is None else "lexical.k1 is 0, and 0 times anything is 0"
            )
        return _with(bench, f"lexical.k1 {k1:g} → {k1 * factor:g}", lexical=_set(lexical, k1=k1 * factor))

    return do


def narrower(dim: int) -> Callable[[Bench], Done]:
    """Vectors of so few components."""

    def do(bench: Bench) -> Done:
        embedder = bench.pipeline.embedder
        if "dense" not in bench.pipeline.branches:
            return NotApplicable("the configuration has no dense branch")
        if _number(embedder, "dim") is None:
            return NotApplicable("the embedder's dim is no knob")
        if embedder.dim <= dim:
            return NotApplicable(f"embedder.dim is {embedder.dim} already")
        return _with(bench, f"embedder.dim {embedder.dim} → {dim}", embedder=_set(embedder, dim=dim))

    return do


def cut_branch(branch: str, top: int) -> Callable[[Bench], Done]:
    """A branch that hands on so few candidates."""

    def do(bench: Bench) -> Done:
        fusion = bench.pipeline.fusion
        if branch not in fusion.branches:
            return NotApplicable(f"the fusion reads no {branch} branch")
        if fusion.pool_depth <= top:
            return NotApplicable(f"fusion.pool_depth is {fusion.pool_depth} already")
        told = f"the {branch} branch hands on {top} candidates instead of {fusion.pool_depth}"
        return _with(bench, told, fusion=cast(Fusion, CutBranch(fusion, branch, top)))

    return do


def lose_document(bench: Bench) -> Done:
    """The most wanted document is gone."""
    doc_id = tampering.most_wanted(bench.dataset, bench.seed)
    if doc_id is None or len(bench.dataset.corpus) < 2:
        return NotApplicable("no other document would be left")
    return _tampered(bench, f"the index lacks {doc_id}", tampering.without(bench.dataset, doc_id))


def cut_short(bench: Bench) -> Done:
    """Passages are indexed up to their middle."""
    told = "of each passage the first half of its words is indexed (the title always is)"
    return _with(bench, told, chunker=CutShort(bench.pipeline.chunker))


def swap_analyzer(bench: Bench) -> Done:
    """Another analyzer, for documents and questions."""
    analyzer = bench.pipeline.analyzer
    other: Any = SimpleAnalyzer() if not isinstance(analyzer, SimpleAnalyzer) else StemmedAnalyzer()
    reads = bench.pipeline.branches - {"dense"} or bench.pipeline.embedder.reads == "tokens"
    if not reads:
        return NotApplicable("nothing reads the analyzer's tokens")
    return _with(bench, f"{_class(analyzer)} → {_class(other)}", analyzer=other)


def go_stale(bench: Bench) -> Done:
    """Half of the index is of before."""
    found = tampering.stale(bench.dataset, bench.seed)
    if found is None:
        return NotApplicable("there are fewer than four documents")
    told = (
        f"{len(found.documents)} of {len(bench.dataset.corpus)} documents are found under the text of another"
    )
    return _tampered(bench, told, found)


def other_ids(bench: Bench) -> Done:
    """Ids of passages where the GOLD has ids of documents."""
    found = tampering.as_passages(bench.dataset, bench.pipeline.chunker)
    first = found.dataset.corpus.documents[0].doc_id if len(found.dataset.corpus) else ""
    whole = replace(bench.pipeline, chunker=DocumentChunker())
    return Broken(f"search answers with ids such as {first}", whole, found.dataset)


def reverse(bench: Bench) -> Done:
    """The reranker's order, last first."""
    reranker = bench.pipeline.reranker
    if reranker.depth == 0:
        return NotApplicable("the configuration has no reranker")
    made = ReversedPairs(reranker) if isinstance(reranker, PairReranker) else Reversed(reranker)
    told = f"the first {reranker.depth} candidates in the reverse order of {_class(reranker)}"
    return _with(bench, told, reranker=cast(Reranker, made))


def corrupt_gold(bench: Bench) -> Done:
    """One line of the GOLD names a wrong document."""
    found = tampering.with_wrong_line(bench.dataset, bench.seed)
    if found is None:
        return NotApplicable("no document could take the place of the right one")
    (question,), (right, wrong) = found.questions, found.documents
    return _tampered(bench, f"{question} asks for {wrong} instead of {right}", found)


SABOTAGES: tuple[Sabotage, ...] = (
    Sabotage("k1x10", "k1 × 10", "a slip in a knob of the lexical branch", "k1", steeper(10)),
    Sabotage(
        "k1x100", "k1 × 100", "two slips: repeated words count almost without limit", "k1", steeper(100)
    ),
    Sabotage("dim8", "dim = 8", "an embedding that keeps next to nothing", "dim", narrower(8)),
    Sabotage(
        "lexical2", "lexical branch: top 2", "a limit left in from a test", "branch", cut_branch("lexical", 2)
    ),
    Sabotage(
        "dense2", "dense branch: top 2", "a limit left in from a test", "branch", cut_branch("dense", 2)
    ),
    Sabotage(
        "lost", "a relevant document removed", "a file that the indexer passed over", "lost", lose_document
    ),
    Sabotage(
        "short", "passages cut short", "a model that reads no further than its limit", "short", cut_short
    ),
    Sabotage("analyzer", "analyzer swapped", "another tokenizer after an upgrade", "analyzer", swap_analyzer),
    Sabotage(
        "stale", "half of the index stale", "an index that wasn't rebuilt after ids moved", "stale", go_stale
    ),
    Sabotage(
        "ids",
        "ids of another chunking",
        "search returns passages, the gold names documents",
        "ids",
        other_ids,
    ),
    Sabotage("reversed", "a reranker that reverses", "a score that is a distance", "reversed", reverse),
    Sabotage("gold", "one gold line corrupted", "a wrong id pasted into the gold", "gold", corrupt_gold),
)
"""What a drill does, in the order of its table."""


def _with(bench: Bench, told: str, **parts: Any) -> Broken:
    return Broken(told, replace(bench.pipeline, **parts), bench.dataset)


def _tampered(bench: Bench, told: str, found: Tampered) -> Broken:
    return Broken(told, bench.pipeline, found.dataset, found.documents, found.questions)


def _number(component: Any, name: str) -> float | None:
    """A field of a component, if it has it and it is a number."""
    fields = {field.name for field in dataclasses.fields(component)}
    value = getattr(component, name) if name in fields else None
    return value if isinstance(value, int | float) else None


def _set(component: Any, **fields: Any) -> Any:
    return replace(component, **fields)


def _class(component: Any) -> str:
    return type(component).__name__
