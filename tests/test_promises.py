"""The same configuration gives the same bytes: alone, in any grid, in any order, in any process."""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from pipelines import pipeline_of, run, table_of, tables_of
from threadpoolctl import threadpool_limits

from rag_sweep.analyzer import SimpleAnalyzer, StemmedAnalyzer
from rag_sweep.chunker.document import DocumentChunker
from rag_sweep.chunker.fixed import FixedChunker
from rag_sweep.chunker.sentence import SentenceChunker
from rag_sweep.dataset.files import Files
from rag_sweep.dataset.handbook import Handbook
from rag_sweep.embedder.hash import HashEmbedder
from rag_sweep.embedder.lsa import LSAEmbedder
from rag_sweep.fusion import RRF, DenseOnly, LexicalOnly
from rag_sweep.lexical import BM25, Overlap
from rag_sweep.pipeline import Pipeline
from rag_sweep.records import Dataset, Gold, Question
from rag_sweep.reranker import NoReranker, ZSum

GRID = [
    pipeline_of(
        chunker=chunker, analyzer=StemmedAnalyzer(), embedder=embedder, fusion=fusion, reranker=reranker
    )
    for chunker in (DocumentChunker(), FixedChunker(40, 10))
    for embedder in (LSAEmbedder(dim=8), LSAEmbedder(dim=64), HashEmbedder(32))
    for fusion in (RRF(), DenseOnly())
    for reranker in (NoReranker(), ZSum(depth=5))
]
WATCHED = (0, 5, 11, 14, 23)
"""Those that are also run alone: each embedder, chunker, fusion and reranker is among them."""

OTHERS = [
    pipeline_of(analyzer=SimpleAnalyzer(), chunker=SentenceChunker(2), fusion=RRF(1, 7)),
    pipeline_of(lexical=Overlap(), fusion=LexicalOnly()),
    pipeline_of(
        lexical=BM25(0.4, 0.1), embedder=LSAEmbedder(dim=3, components=9), analyzer=StemmedAnalyzer()
    ),
]


@pytest.fixture(scope="module")
def dataset() -> Dataset:
    return Handbook("en").load()


@pytest.fixture(scope="module")
def tables(dataset: Dataset) -> list[bytes]:
    """The per-question artifacts of the whole grid."""
    return tables_of(dataset, *GRID)


def test_the_grid_has_something_to_confuse(tables: list[bytes]) -> None:
    assert len(set(tables)) > 15
    assert all(json.loads(table)["data"] for table in tables)


@pytest.mark.parametrize("at", WATCHED)
def test_alone_and_in_a_grid(at: int, dataset: Dataset, tables: list[bytes]) -> None:
    assert tables_of(dataset, GRID[at]) == [tables[at]]


@pytest.mark.parametrize("seed", [1, 2])
def test_in_another_order(seed: int, dataset: Dataset, tables: list[bytes]) -> None:
    order = random.Random(seed).sample(range(len(GRID)), len(GRID))
    found = tables_of(dataset, *(GRID[at] for at in order))
    assert found == [tables[at] for at in order]


def test_beside_configurations_that_have_nothing_to_do_with_it(dataset: Dataset, tables: list[bytes]) -> None:
    mixed = [one for pair in itertools.zip_longest(GRID[:6], OTHERS) for one in pair if one is not None]
    found = dict(zip(map(repr, mixed), tables_of(dataset, *mixed), strict=True))
    assert [found[repr(one)] for one in GRID[:6]] == tables[:6]


def test_twice_in_a_row_and_twice_in_one_grid(dataset: Dataset, tables: list[bytes]) -> None:
    assert tables_of(dataset, GRID[3], GRID[3]) == [tables[3]] * 2


@pytest.mark.parametrize("threads", [1, 2])
def test_whatever_number_of_threads_the_process_has(
    threads: int, dataset: Dataset, tables: list[bytes]
) -> None:
    with threadpool_limits(threads):
        assert tables_of(dataset, *(GRID[at] for at in WATCHED)) == [tables[at] for at in WATCHED]


def test_whatever_the_order_of_the_documents(tmp_path: Path, dataset: Dataset, tables: list[bytes]) -> None:
    lines = [
        json.dumps({"id": document.doc_id, "title": document.title, "text": document.text})
        for document in dataset.corpus.documents
    ]
    gold = [
        json.dumps(
            {
                "id": q.query_id,
                "question": q.text,
                "relevant": q.relevant,
                "grades": q.grades,
                "spans": [asdict(span) for span in q.spans],
                "tags": q.tags,
            }
        )
        for q in dataset.gold.questions
    ]
    (tmp_path / "gold.jsonl").write_text("\n".join(gold), encoding="utf-8")
    for name, order in (("one", lines), ("two", lines[::-1])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(order), encoding="utf-8")
        read = Files(str(tmp_path / f"{name}.jsonl"), str(tmp_path / "gold.jsonl")).load()
        assert tables_of(read, GRID[0], GRID[14]) == [tables[0], tables[14]]


def rows_by_id(table: bytes) -> dict[str, list[Any]]:
    read = json.loads(table)
    return {row[read["columns"].index("question_id")]: row for row in read["data"]}


def with_questions(dataset: Dataset, questions: tuple[Question, ...]) -> Dataset:
    return replace(dataset, gold=Gold(questions))


MORE = (
    Question("more 1", "a question with words that nobody else asks: zebra giraffe", {}),
    Question("more 2", "", {}),
    Question("more 3", "when is leave planned and who signs travel orders and what is the code", {}),
)


@pytest.mark.parametrize("at", WATCHED)
def test_a_questions_row_depends_on_no_other_question(at: int, dataset: Dataset, tables: list[bytes]) -> None:
    asked = dataset.gold.questions
    whole = rows_by_id(tables[at])
    for questions in (asked[3:11], asked[::-1], (*MORE, *asked), (asked[7],)):
        part = with_questions(dataset, questions)
        found = rows_by_id(tables_of(part, GRID[at])[0])
        assert list(found) == [question.query_id for question in questions]
        assert {name: found[name] for name in found if name in whole} == {
            name: whole[name] for name in found if name in whole
        }


def test_judgements_change_no_ranking(dataset: Dataset, tables: list[bytes]) -> None:
    def rankings(table: bytes) -> list[Any]:
        content = json.loads(table)
        columns = [content["columns"].index(name) for name in ("ranking", "scores", "passages")]
        return [[row[at] for at in columns] for row in content["data"]]

    unjudged = with_questions(dataset, tuple(replace(q, grades={}) for q in dataset.gold.questions))
    assert rankings(tables_of(unjudged, GRID[0])[0]) == rankings(tables[0])


# Fresh processes


def digests(language: str = "en") -> Iterator[str]:
    """A hash of the artifact of each watched configuration, computed alone in its own plan."""
    dataset = Handbook(language).load()  # type: ignore[arg-type]
    for at in WATCHED:
        (outcome,) = run(dataset, GRID[at])
        yield hashlib.sha256(table_of(outcome, GRID[at], dataset)).hexdigest()


def fresh(language: str, **environment: str) -> list[str]:
    """What `digests` gives in a new process, to which nothing is known yet."""
    path = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", f"import test_promises; print(*test_promises.digests({language!r}))"],
        env={**os.environ, "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_in_a_fresh_process_with_threads_and_hashes_of_its_own(tables: list[bytes]) -> None:
    expected = [hashlib.sha256(tables[at]).hexdigest() for at in WATCHED]
    assert fresh("en", OPENBLAS_NUM_THREADS="2", OMP_NUM_THREADS="2", PYTHONHASHSEED="7") == expected


@pytest.mark.full
@pytest.mark.parametrize("threads", ["1", "2"])
def test_the_whole_handbook_in_a_fresh_process(threads: str) -> None:
    assert fresh("ru", OPENBLAS_NUM_THREADS=threads, PYTHONHASHSEED=threads) == list(digests("ru"))


@pytest.mark.full
def test_the_whole_handbook_alone_in_a_grid_and_in_another_order() -> None:
    dataset = Handbook("ru").load()
    grid: list[Pipeline] = [*GRID, *OTHERS]
    tables = tables_of(dataset, *grid)
    assert tables_of(dataset, *reversed(grid)) == tables[::-1]
    assert [tables_of(dataset, grid[at])[0] for at in WATCHED] == [tables[at] for at in WATCHED]
