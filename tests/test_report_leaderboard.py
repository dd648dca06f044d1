"""The leaderboard and the sheet: order, ranks, what differs, and texts that are no markup."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from pipelines import dataset_of, pipeline_of, run, run_one
from rich.console import Console

from rag_sweep.configuration import Configuration
from rag_sweep.fusion import LexicalOnly
from rag_sweep.lexical import BM25, Overlap
from rag_sweep.measures import Measure
from rag_sweep.pipeline import Pipeline, Settings
from rag_sweep.records import Dataset, Gold, Question, Span
from rag_sweep.report.leaderboard import (
    FEWEST_QUESTIONS,
    caption,
    leaderboard,
    plural,
    ranked,
    remarks,
    sheet,
    single_json,
    split_half,
    sweep_json,
)
from rag_sweep.report.record import differing, label, shared_params
from rag_sweep.result import Result

DATASET = dataset_of(
    {"a": "red green", "b": "red red blue", "c": "green blue blue", "d": "blue"},
    [
        Question("q1", "red", {"a": 1}),
        Question("q2", "blue green", {"c": 2, "d": 1}),
        Question("q3", "blue", {"d": 1}),
        Question("q4", "purple", {}),
    ],
)
SETTINGS = Settings(2, (1, 3))


def results_of(
    params: Sequence[dict[str, Any]], pipelines: Sequence[Pipeline], dataset: Dataset = DATASET
) -> list[Result]:
    outcomes = run(dataset, *pipelines, settings=SETTINGS)
    return [
        Result.of(Configuration(at, (), found, one, SETTINGS, Measure("ndcg", 2)), outcome)  # type: ignore[arg-type]
        for at, (found, one, outcome) in enumerate(zip(params, pipelines, outcomes, strict=True))
    ]


@pytest.fixture(scope="module")
def results() -> list[Result]:
    lexical = [BM25(1.2, 0.75), BM25(0.0, 0.0), Overlap()]
    pipelines = [pipeline_of(lexical=one, fusion=LexicalOnly()) for one in lexical]
    params = [
        {"lexical": "bm25", "lexical.k1": 1.2, "lexical.b": 0.75, "k": 2},
        {"lexical": "bm25", "lexical.k1": 0.0, "lexical.b": 0.0, "k": 2},
        {"lexical": "overlap", "k": 2},
    ]
    return results_of(params, pipelines)


def failed(at: int, reason: str, **params: Any) -> Result:
    return Result(Configuration(at, (), params, pipeline_of(), SETTINGS, Measure("ndcg", 2)), None, reason)


def shown(table: Any, width: int = 500) -> list[str]:
    file = io.StringIO()
    Console(file=file, width=width, markup=False, emoji=False).print(table)
    return [line.rstrip() for line in file.getvalue().splitlines()]


def test_the_best_comes_first_equal_ones_in_the_order_of_the_grid_and_failed_ones_last(
    results: list[Result],
) -> None:
    some = [failed(9, "x"), results[2], results[0], results[1], failed(3, "y")]
    found = ranked(some)
    objectives = [result.objective for result in found]
    assert objectives[:3] == sorted(objectives[:3], reverse=True)
    assert [result.configuration.index for result in found[3:]] == [3, 9]
    equal = [Result(r.configuration, results[0].summary) for r in (results[2], results[0])]
    assert [result.configuration.index for result in ranked(equal)] == [0, 2]


def test_the_columns_are_what_differs_and_the_measures_at_k(results: list[Result]) -> None:
    head, *rows = shown(leaderboard(results, 20))
    assert head.split() == [
        *("#", "lexical", "k1", "b"),
        *("ndcg@2", "recall@2", "mrr@2", "map@2", "hit@2"),
    ]
    cells = {row.split()[1]: row.split()[2:4] for row in rows}
    assert cells["overlap"] == ["-", "-"]
    assert all(len(row.split()) == 9 for row in rows)


def test_equal_values_share_a_rank_and_an_alias_is_marked(results: list[Result]) -> None:
    first = results[0]
    again = Result(results[1].configuration, first.summary, None, alias_of=0)
    rows = shown(leaderboard([first, again], 20))[1:]
    assert [row.split()[:2] for row in rows] == [["1", "1.2"], ["≡", "1"]]


def test_only_the_rows_asked_for_are_shown(results: list[Result]) -> None:
    assert len(shown(leaderboard(results, 2))) == 3


@pytest.mark.parametrize("reason", ["plain", "a [bracket], a [/red] tag and a :smile:", "two\n  lines"])
def test_a_failed_row_says_why_whatever_the_reason_holds(results: list[Result], reason: str) -> None:
    head, *rows = shown(leaderboard([*results, failed(3, reason, lexical="bm25", k=2)], 20))
    assert head.endswith("failed because")
    assert rows[-1].split()[:2] == ["!", "bm25"]
    assert rows[-1].endswith(" ".join(reason.split()))


def test_without_a_failure_there_is_no_such_column(results: list[Result]) -> None:
    assert "failed" not in shown(leaderboard(results, 20))[0]
    assert "failed" not in shown(leaderboard([*results, failed(3, "x", k=2)], 3))[0]


def test_values_are_written_as_they_are_typed(results: list[Result]) -> None:
    params = [{"a.x": None, "a.y": True, "a.z": "[p,q]"}, {"a.x": 1, "a.y": False, "a.z": "[bold]"}]
    some = [
        Result(Configuration(at, (), one, pipeline_of(), SETTINGS, Measure("ndcg", 2)), results[0].summary)
        for at, one in enumerate(params)
    ]
    rows = shown(leaderboard(some, 9))[1:]
    assert [row.split()[1:4] for row in rows] == [["null", "true", "[p,q]"], ["1", "false", "[bold]"]]
    keys = differing([result.configuration for result in some])
    assert label(some[0].configuration, keys) == "x=null y=true z=[p,q]"


def test_a_short_name_is_used_where_it_is_the_only_one(results: list[Result]) -> None:
    params: list[dict[str, Any]] = [
        {"chunker.size": 1, "other.size": 1, "c.d": 1},
        {"chunker.size": 2, "other.size": 2, "c.d": 2},
    ]
    some = [
        Result(Configuration(at, (), one, pipeline_of(), SETTINGS, Measure("ndcg", 2)), results[0].summary)
        for at, one in enumerate(params)
    ]
    assert shown(leaderboard(some, 9))[0].split()[1:4] == ["chunker.size", "other.size", "d"]


def test_what_all_share_is_what_does_not_differ(results: list[Result]) -> None:
    configurations = [result.configuration for result in results]
    assert shared_params(configurations) == {"k": 2}
    assert differing(configurations) == ("lexical", "lexical.k1", "lexical.b")


def test_a_sheet_has_a_row_a_measure_and_a_column_a_cutoff(results: list[Result]) -> None:
    head, *rows = shown(sheet(results[0].means(), SETTINGS))
    assert head.split() == ["measure", "@1", "@2", "@3"]
    assert [row.split()[0] for row in rows] == [
        "hit",
        "recall",
        "precision",
        "mrr",
        "ndcg",
        "ndcg_linear",
        "map",
    ]
    recall = next(row.split()[1:] for row in rows if row.startswith("recall"))
    assert recall == [f"{results[0].means()[f'recall@{k}']:.4f}" for k in (1, 2, 3)]


def test_what_is_not_applicable_is_said_and_no_number() -> None:
    means = {
        f"{name}@{k}": math.nan
        for name in ("hit", "recall", "precision", "mrr", "ndcg", "ndcg_linear", "map")
        for k in (1, 2, 3)
    }
    assert shown(sheet(means, SETTINGS))[1].split() == ["hit", "n/a", "n/a", "n/a"]


def test_the_caption_says_what_a_mean_is_over() -> None:
    apart = "1 question without an answer measured apart"
    assert caption(DATASET.gold, SETTINGS) == f"means over 3 answerable questions, k = 2, {apart}"
    unjudged = Gold((Question("q", "x", {"a": 1}),), unjudged=2)
    assert (
        caption(unjudged, SETTINGS)
        == "means over 1 answerable question, k = 2, 2 unjudged questions left out"
    )
    assert (plural(0, "x"), plural(1, "x"), plural(2, "x")) == ("0 xs", "1 x", "2 xs")


def test_the_remarks_say_where_documents_were_lost_and_how_negatives_came_out(results: list[Result]) -> None:
    pools, words, negatives = remarks(results[0])
    assert words == "words in the first 2 passages: 5 on average"
    assert pools.startswith("recall of the candidates (depth 100 a branch): lexical 1.0000, pool 1.0000")
    assert negatives == "negatives: 100.0% with an empty result, AUROC of the top score 1.0000"
    (hybrid,) = results_of([{}], [pipeline_of()])
    assert remarks(hybrid)[2].endswith("AUROC of the top score n/a (scores are made of ranks or z-scores)")
    answerable = dataset_of({"a": "red"}, ["red"])
    (only,) = results_of([{}], [pipeline_of()], answerable)
    assert len(remarks(only)) == 2


def test_evidence_is_told_where_the_gold_has_spans_and_nowhere_else() -> None:
    texts = {"a": "red green", "b": "red red blue"}
    question = Question("q1", "green", {"a": 1}, (Span("a", 0, 3), Span("a", 4, 9)))
    settings = Settings(1, (), 0.5)
    for spans, told in (((), 0), (question.spans, 3)):
        dataset = dataset_of(texts, [replace(question, spans=spans), Question("q2", "blue", {"b": 1})])
        configuration = Configuration(0, (), {}, pipeline_of(), settings, Measure("ndcg", 1))
        result = Result.of(configuration, run_one(dataset, configuration.pipeline, settings))
        names = [name for name in result.metrics() if name.startswith("evidence")]
        assert len(names) == told
        assert len(remarks(result)) == (3 if told else 2)
    assert remarks(result)[1:] == [
        "evidence in the first 1 passage: recall 1.0000 and precision 0.8889 in characters, "
        "spans found 1.0000 (at least 0.5 of a span)",
        "words in the first 1 passage: 2 on average",
    ]


def test_metrics_are_the_means_at_k_with_the_counts(results: list[Result]) -> None:
    found = results[0].metrics()
    assert {name for name in found if "@" in name} == {
        *("hit@2", "recall@2", "precision@2", "mrr@2", "ndcg@2", "ndcg_linear@2", "map@2")
    }
    assert (found["questions.answerable"], found["questions.negative"]) == (3.0, 1.0)
    assert (found["questions.empty"], found["passages"]) == (1.0, 4.0)
    assert "effective_dim" not in found
    (hybrid,) = results_of([{}], [pipeline_of()])
    assert hybrid.metrics()["effective_dim"] == 64.0
    assert failed(0, "x").metrics() == {}


def test_a_sweep_as_json_is_plain_and_finite(results: list[Result]) -> None:
    some = [*results, failed(3, "oops", lexical="bm25", k=2)]
    found = json.loads(json.dumps(sweep_json(some, DATASET.basis), allow_nan=False))
    assert [row["failure"] for row in found["configurations"]] == [None, None, None, "oops"]
    assert (found["dataset"], found["k"], found["cutoffs"], found["objective"]) == (
        "small",
        2,
        [1, 3],
        "ndcg@2",
    )
    assert found["gold"] == DATASET.gold.fingerprint
    assert found["split_half_value"] == split_half(results)
    assert {row["name"] for row in found["configurations"]} >= {"bm25 k1=1.2 b=0.75", "overlap"}


def test_one_configuration_as_json_has_the_means_at_every_cutoff(results: list[Result]) -> None:
    found = json.loads(json.dumps(single_json(results[0], DATASET.basis), allow_nan=False))
    assert {name.partition("@")[2] for name in found["means"]} == {"1", "2", "3"}
    assert single_json(failed(0, "oops"), DATASET.basis)["means"] == {}


def test_the_value_of_the_best_needs_two_that_live_and_enough_questions(results: list[Result]) -> None:
    assert split_half([results[0], failed(1, "x")]) is None
    assert split_half(results) is None  # too few questions
    many = dataset_of({"a": "red", "b": "blue red"}, ["red", "blue"] * (FEWEST_QUESTIONS // 2))
    pipelines = [pipeline_of(), pipeline_of(lexical=Overlap())]
    found = results_of([{}, {}], pipelines, many)
    value = split_half(found)
    assert value is not None
    assert 0 <= value <= max(result.objective for result in found) + 1e-9  # the value is rounded


def test_a_table_too_wide_loses_measures_from_the_right_and_says_so(results: list[Result]) -> None:
    def heads(width: int) -> list[str]:
        return [str(column.header) for column in leaderboard(results, 10, width).columns]

    whole = heads(10_000)
    narrow = leaderboard(results, 10, 40)
    assert len(heads(40)) < len(whole)
    assert [head for head in whole if head in heads(40)] == heads(40)
    assert "ndcg@2" in heads(1)  # what decides always stays
    assert "more: widen the window" in str(narrow.caption)
    assert leaderboard(results, 10).caption is None
