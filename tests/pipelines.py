"""Small data sets, and pipelines run over them as a sweep runs them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.analyzer import SimpleAnalyzer
from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.configuration import Configuration
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.errors import RagSweepError
from rag_sweep.execute import Execution, Outcome
from rag_sweep.fusion import RRF
from rag_sweep.lexical import BM25
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Pipeline, Roots, Settings
from rag_sweep.plan import plan
from rag_sweep.ranking import EMPTY, Rankings
from rag_sweep.records import Corpus, Dataset, Document, Gold, Question
from rag_sweep.report.questions import question_table
from rag_sweep.reranker import NoReranker
from rag_sweep.result import Result
from rag_sweep.tracking.artifacts import table_json


def dataset_of(documents: Mapping[str, str], questions: Sequence[str | Question]) -> Dataset:
    """Documents without a title; a question given as a text has the first document as its answer."""
    first = next(iter(documents))
    asked = tuple(
        question if isinstance(question, Question) else Question(f"q{at}", question, {first: 1})
        for at, question in enumerate(questions)
    )
    corpus = Corpus(tuple(Document(doc_id, "", text) for doc_id, text in documents.items()))
    return Dataset("small", corpus, Gold(asked))


def pipeline_of(**choices: Any) -> Pipeline:
    """A quick pipeline, with other choices where they are given."""
    quick: dict[str, Any] = {
        "chunker": DocumentChunker(),
        "analyzer": SimpleAnalyzer(),
        "lexical": BM25(),
        "embedder": HashEmbedder(64),
        "fusion": RRF(),
        "reranker": NoReranker(),
    }
    return Pipeline(**{**quick, **choices})


def run(
    dataset: Dataset, *pipelines: Pipeline, settings: Settings | None = None
) -> list[Outcome | RagSweepError]:
    """The outcomes of a sweep over `pipelines`, in their order."""
    planned = plan(pipelines, settings or Settings(), Roots.of(dataset))
    found = dict(Execution(planned, dataset).outcomes())
    return [found[at] for at in range(len(pipelines))]


def run_one(dataset: Dataset, pipeline: Pipeline, settings: Settings | None = None) -> Outcome:
    """The outcome of one pipeline that doesn't fail."""
    (outcome,) = run(dataset, pipeline, settings=settings)
    if isinstance(outcome, RagSweepError):
        raise outcome
    return outcome


def failure_of(dataset: Dataset, pipeline: Pipeline) -> str:
    """The reason why a pipeline fails."""
    (outcome,) = run(dataset, pipeline)
    if not isinstance(outcome, RagSweepError):
        raise AssertionError("it was to fail")
    return str(outcome)


def documents_of(outcome: Outcome, dataset: Dataset) -> list[list[str]]:
    """The ids that each question found, best first."""
    ids = [document.doc_id for document in dataset.corpus.documents]
    return [[ids[item] for item in row if item != EMPTY] for row in outcome.found.documents.items.tolist()]


def rows_of(rankings: Rankings) -> list[list[tuple[int, float]]]:
    """Each row's (item, score) pairs, without padding."""
    pairs = zip(rankings.items.tolist(), rankings.scores.tolist(), strict=True)
    return [[(i, s) for i, s in zip(*row, strict=True) if i != EMPTY] for row in pairs]


def result_of(
    outcome: Outcome | RagSweepError, pipeline: Pipeline, settings: Settings | None = None
) -> Result:
    """An outcome with its configuration, as reports take it."""
    chosen = settings or Settings()
    configuration = Configuration(0, (), {}, pipeline, chosen, Measure("ndcg", chosen.k))
    if isinstance(outcome, RagSweepError):
        return Result(configuration, None, str(outcome))
    return Result.of(configuration, outcome)


def table_of(
    outcome: Outcome | RagSweepError, pipeline: Pipeline, dataset: Dataset, settings: Settings | None = None
) -> bytes:
    """The per-question artifact of one configuration, byte by byte."""
    if isinstance(outcome, RagSweepError):
        raise outcome
    return table_json(question_table(outcome, dataset.basis))


def tables_of(dataset: Dataset, *pipelines: Pipeline) -> list[bytes]:
    """The per-question artifacts of a sweep over `pipelines`."""
    outcomes = run(dataset, *pipelines)
    return [table_of(outcome, one, dataset) for outcome, one in zip(outcomes, pipelines, strict=True)]
