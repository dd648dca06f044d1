"""Results as tracking records: names, tags, sources, and what goes along."""

from __future__ import annotations

import json
import math
import re
from dataclasses import replace
from typing import Any

import pytest
from pipelines import dataset_of, pipeline_of, result_of, run_one

from rag_sweep.configuration import code_version
from rag_sweep.execute import Outcome
from rag_sweep.fusion import LexicalOnly
from rag_sweep.records import Dataset, Question, Span
from rag_sweep.report.questions import QuestionTables
from rag_sweep.report.record import Children, card, sweep_record
from rag_sweep.result import Result
from rag_sweep.tracking.records import ChildRecord, SweepRecord, Table

DATASET = dataset_of(
    {"a": "red green", "b": "red red blue"},
    [Question("q1", "a green question", {"a": 2, "b": 0}, tags=("x", "y")), Question("q2", "purple", {})],
)


TABLES = QuestionTables(DATASET.basis)


@pytest.fixture(scope="module")
def outcome() -> Outcome:
    return run_one(DATASET, pipeline_of())


@pytest.fixture(scope="module")
def result(outcome: Outcome) -> Result:
    found = result_of(outcome, pipeline_of())
    return replace(
        found, configuration=replace(found.configuration, overrides=("lexical.k1=1", "chunker=fixed"))
    )


def child_of(
    result: Result, sweep: SweepRecord, outcome: Outcome | None, *keys: str, **options: bool
) -> ChildRecord:
    return Children(sweep, DATASET.basis, **options).record(card(result.configuration, keys), result, outcome)


def of_sweep(result: Result, config: dict[str, Any] | None = None, dataset: Dataset = DATASET) -> Any:
    return sweep_record(config or {}, [result.configuration], dataset.basis)


def test_a_sweep_has_an_id_of_its_own_and_the_hashes_of_what_was_measured(result: Result) -> None:
    first, second = of_sweep(result), of_sweep(result)
    assert first.sweep_id != second.sweep_id
    assert re.fullmatch(r"\d{8}-\d{6}-[0-9a-f]{6}", first.sweep_id)
    assert first.tags["corpus"] == DATASET.corpus.fingerprint
    assert first.tags["gold"] == DATASET.gold.fingerprint
    assert first.tags["code"] == code_version()
    assert "gold_version" not in first.tags
    versioned = replace(DATASET, gold=replace(DATASET.gold, version="7"))
    assert of_sweep(result, dataset=versioned).tags["gold_version"] == "7"


def test_a_sweep_is_named_by_the_config_or_by_its_dataset(result: Result) -> None:
    assert of_sweep(result).name.startswith("small ")
    assert of_sweep(result, {"sweep": {"name": "mine"}}).name.startswith("mine ")


@pytest.mark.parametrize(
    ("dataset", "source"),
    [
        ({"path": "here/x"}, "here/x"),
        ({"documents": "docs", "gold": "g"}, "docs"),
        ({"language": "ru"}, "small"),
    ],
)
def test_its_data_sets_say_where_they_were_read_from(
    result: Result, dataset: dict[str, Any], source: str
) -> None:
    corpus, gold = of_sweep(result, {"dataset": dataset}).datasets
    assert (corpus.role, corpus.source, corpus.profile) == ("corpus", source, {"documents": 2})
    assert (gold.role, gold.profile["questions"], gold.profile["negatives"]) == ("gold", 2, 1)


def test_a_configuration_is_named_by_what_differs_or_by_its_overrides(
    result: Result, outcome: Outcome
) -> None:
    sweep = of_sweep(result)
    named = replace(result, configuration=replace(result.configuration, params={"lexical.k1": 0.5}))
    assert child_of(named, sweep, outcome, "lexical.k1").name == "k1=0.5"
    alone = replace(
        result, configuration=replace(result.configuration, params={"chunker": "fixed", "lexical": "bm25"})
    )
    assert child_of(alone, sweep, outcome).name == "fixed bm25 k1=1"


def test_it_carries_the_tags_of_its_sweep_and_its_own_hash(result: Result, outcome: Outcome) -> None:
    sweep = of_sweep(result)
    record = child_of(result, sweep, outcome)
    assert record.tags.items() >= sweep.tags.items()
    assert record.tags["configuration"] == result.configuration.fingerprint
    assert "alias_of" not in record.tags
    alias = replace(result, alias_of=4)
    assert child_of(alias, sweep, outcome).tags["alias_of"] == "4"


def test_a_run_file_goes_along_where_it_is_asked_for(result: Result, outcome: Outcome) -> None:
    sweep = of_sweep(result)
    assert child_of(result, sweep, outcome).trec_run is None
    run = child_of(result, sweep, outcome, trec=True).trec_run
    assert run is not None
    assert run.splitlines()[0].split()[:4] == ["q1", "Q0", "a", "1"]


def test_texts_stay_out_where_they_are_not_wanted(result: Result, outcome: Outcome) -> None:
    for with_text in (True, False):
        record = child_of(result, of_sweep(result), outcome, with_text=with_text, trec=True)
        assert isinstance(record.table, Table)
        assert ("question" in record.table.columns) == with_text
        assert ("a green question" in repr(record)) == with_text


def test_a_failed_configuration_has_a_reason_and_no_numbers(result: Result) -> None:
    failed = Result(result.configuration, None, "oops")
    record = child_of(failed, of_sweep(result), None, trec=True)
    assert (record.failure, record.table, record.metrics) == ("oops", None, {})


# The table of questions


def test_a_row_says_what_was_asked_found_and_missed(outcome: Outcome) -> None:
    table = TABLES.of(outcome)
    first, second = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
    assert (first["question_id"], first["question"], first["tags"]) == ("q1", "a green question", "x, y")
    assert json.loads(str(first["relevant"])) == {"a": 2}
    assert json.loads(str(first["ranking"]))[0] == "a"
    assert len(json.loads(str(first["scores"]))) == len(json.loads(str(first["ranking"])))
    assert json.loads(str(first["passages"]))[0] == ["a", 0, 9]
    assert (json.loads(str(first["missed"])), first["first_relevant_rank"]) == ([], 1)
    assert first["pool_recall.pool"] == 1.0
    assert second["first_relevant_rank"] is None
    assert second["recall@10"] != second["recall@10"], "not applicable to a negative"


def test_evidence_has_columns_where_the_gold_has_spans(outcome: Outcome) -> None:
    names = ["evidence.recall@10", "evidence.precision@10", "evidence.found@10"]
    assert not set(names) & set(TABLES.of(outcome).columns)
    asked = Question("q1", "a green question", {"a": 1}, (Span("a", 4, 9), Span("b", 0, 3)))
    dataset = dataset_of({"a": "red green", "b": "red red blue"}, [asked, Question("q2", "red", {"b": 1})])
    pipeline = pipeline_of(fusion=LexicalOnly())
    table = QuestionTables(dataset.basis).of(run_one(dataset, pipeline))
    first, second = (dict(zip(table.columns, row, strict=True)) for row in table.rows)
    assert [first[name] for name in names] == [5 / 8, 5 / 9, 0.5]
    assert all(math.isnan(second[name]) for name in names)


def test_columns_are_the_same_with_and_without_texts_but_for_the_question(outcome: Outcome) -> None:
    with_text, without = TABLES.of(outcome), QuestionTables(DATASET.basis, with_text=False).of(outcome)
    assert set(with_text.columns) - set(without.columns) == {"question"}
    assert {len(row) for row in without.rows} == {len(without.columns)}
