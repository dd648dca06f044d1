"""`rag-sweep score` without its screen: which GOLD is used, what counts 0, what is left out."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import write_dataset

from rag_sweep.errors import ConfigError, DataError, UsageError
from rag_sweep.scoring import Score, score, score_json


def lines(path: Path, *rows: Mapping[str, Any]) -> Path:
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def rankings(path: Path, **found: Sequence[str]) -> Path:
    return lines(path, *({"id": name, "retrieved_doc_ids": ids} for name, ids in found.items()))


GOLD = (
    {"id": "q1", "question": "one?", "relevant": ["a", "b"], "grades": {"a": 2}},
    {"id": "q2", "question": "two?", "relevant": ["c"]},
    {"id": "q3", "question": "none?", "relevant": []},
)


@pytest.fixture
def gold(tmp_path: Path) -> Path:
    return lines(tmp_path / "gold.jsonl", *GOLD)


def of(found: Score, measure: str) -> float:
    return found.evaluation.means()[measure]


def test_a_gold_without_documents_measures_rankings(tmp_path: Path, gold: Path) -> None:
    path = rankings(tmp_path / "r.jsonl", q1=["x", "b", "a"], q2=["c"], q3=["a"])
    found = score(path, gold, ["k=2", "cutoffs=[1]"])
    assert (found.settings.k, found.settings.cutoffs) == (2, (1,))
    assert (of(found, "mrr@2"), of(found, "recall@2"), of(found, "hit@1")) == (0.75, 0.75, 0.5)
    assert (found.missing, found.unknown) == ((), ())


def test_the_order_of_the_list_is_the_ranking_and_no_score_is_needed(tmp_path: Path, gold: Path) -> None:
    first = score(rankings(tmp_path / "r.jsonl", q1=["a", "b"], q2=["c"], q3=[]), gold, [])
    second = score(rankings(tmp_path / "s.jsonl", q1=["b", "a"], q2=["c"], q3=[]), gold, [])
    assert of(first, "ndcg@10") > of(second, "ndcg@10")


def test_a_question_without_a_ranking_counts_0_and_a_ranking_without_a_question_is_left_out(
    tmp_path: Path, gold: Path
) -> None:
    found = score(rankings(tmp_path / "r.jsonl", q2=["c"], q9=["a"]), gold, [])
    assert (found.missing, found.unknown) == (("q1", "q3"), ("q9",))
    assert of(found, "recall@10") == 0.5


def test_a_run_file_is_measured_on_a_dataset(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = [word for word in write_dataset(tmp_path) if word.startswith("dataset")]
    monkeypatch.chdir(tmp_path)
    run = tmp_path / "some.run"
    run.write_text("q1 Q0 leave 1 3 x\nq2 Q0 vpn 1 2 x\nq2 Q0 door 2 1 x\n")
    found = score(run, None, small)
    assert of(found, "hit@1") == pytest.approx(2 / 5)
    assert found.missing == ("q3", "q4", "q5", "q6")
    assert found.gold.questions[0].text.startswith("how many days")


def test_what_is_expected_may_stand_beside_the_rankings(tmp_path: Path) -> None:
    path = lines(
        tmp_path / "r.jsonl",
        {"id": 1, "expected_doc_ids": ["a"], "retrieved_doc_ids": ["b", "a"], "index_version": "7"},
        {"id": 2, "expected_doc_ids": ["b", "c"], "retrieved_doc_ids": ["b"], "index_version": "7"},
    )
    found = score(path, None, ["k=1", "cutoffs=[1,2]"])
    assert found.rankings.index_version == "7"
    assert (of(found, "hit@1"), of(found, "hit@2"), of(found, "recall@2")) == (0.5, 1.0, 0.75)


def test_a_gold_named_by_hand_wins_over_what_is_expected(tmp_path: Path, gold: Path) -> None:
    path = lines(tmp_path / "r.jsonl", {"id": "q2", "expected_doc_ids": ["x"], "retrieved_doc_ids": ["c"]})
    assert of(score(path, gold, []), "hit@10") == 0.5


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (["k=0"], "k must be an int >= 1, got 0"),
        (["k=-3"], "k must be an int >= 1, got -3"),
        (["k=ten"], "k must be an int, got 'ten'"),
        (["cutoffs=[0]"], "cutoffs must be an int >= 1, got 0"),
        (["kk=3"], "did you mean k"),
        (["k=1,2"], "several values"),
        (["-m", "k=1"], "option --multirun is one of `rag-sweep run` only"),
        (["--config-dir=nowhere"], "config directory '.*nowhere' not found"),
    ],
)
def test_a_cutoff_that_cannot_be_is_refused(
    tmp_path: Path, gold: Path, overrides: list[str], message: str
) -> None:
    path = rankings(tmp_path / "r.jsonl", q1=["a"])
    with pytest.raises((ConfigError, UsageError), match=message):
        score(path, gold, overrides)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"id": "q1", "retrieved_doc_ids": ["a", "a"]}, r'r\.jsonl:1 \[q1\] duplicate document.*"a"'),
        ({"id": "q1", "retrieved_doc_ids": ["a"], "expected_doc_ids": []}, '"expected_doc_ids" is empty'),
        ({"id": "q1"}, "retrieved_doc_ids"),
        ({"retrieved_doc_ids": ["a"]}, '"id"'),
    ],
)
def test_a_faulty_ranking_is_named_with_its_line(tmp_path: Path, row: dict[str, Any], message: str) -> None:
    with pytest.raises(DataError, match=message):
        score(lines(tmp_path / "r.jsonl", row), None, [])


def test_a_ranking_of_unknown_relevance_asks_for_a_gold(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"name the GOLD by --gold FILE or dataset="):
        score(rankings(tmp_path / "r.jsonl", q1=["a"]), None, [])


@pytest.mark.parametrize("override", ["lexical.k1=3", "chunker=fixed", "+reranker.depth=2"])
def test_a_knob_of_the_pipeline_is_refused_since_nothing_is_retrieved(
    tmp_path: Path, gold: Path, override: str
) -> None:
    with pytest.raises(UsageError, match="nothing is retrieved"):
        score(tmp_path / "never read", gold, [override])


def test_two_golds_are_one_too_many(tmp_path: Path, gold: Path) -> None:
    with pytest.raises(UsageError, match="both name a GOLD"):
        score(rankings(tmp_path / "r.jsonl", q1=["a"]), gold, ["dataset=handbook"])


def test_a_gold_in_which_nothing_is_answerable_measures_nothing(tmp_path: Path) -> None:
    empty = lines(tmp_path / "gold.jsonl", {"id": "q1", "question": "x", "relevant": []})
    with pytest.raises(UsageError):
        score(rankings(tmp_path / "r.jsonl", q1=["a"]), empty, [])


def test_the_score_as_json_has_every_question_and_can_be_read_back(tmp_path: Path, gold: Path) -> None:
    found = score(rankings(tmp_path / "r.jsonl", q1=["x", "a"], q9=["a"]), gold, ["k=3", "cutoffs=[3]"])
    values = json.loads(json.dumps(score_json(found), allow_nan=False))
    assert (values["answerable"], values["negatives"], values["k"]) == (2, 1, 3)
    assert (values["without_ranking"], values["of_no_question"]) == (["q2", "q3"], ["q9"])
    assert values["gold"] == found.gold.fingerprint
    first, second, negative = values["questions"]
    assert (first["id"], first["first_relevant_rank"], first["missed"]) == ("q1", 2, ["b"])
    assert (second["first_relevant_rank"], second["recall@3"]) == (None, 0.0)
    assert negative["recall@3"] is None
    assert values["means"]["recall@3"] == 0.25


def test_the_shared_worked_examples_come_out_through_a_file(shared: Path, tmp_path: Path) -> None:
    expected = json.loads((shared / "fixtures" / "ranks" / "expected.json").read_text(encoding="utf-8"))
    found = score(lines(tmp_path / "r.jsonl", *expected["mrr_cases"]), None, [])
    assert of(found, "mrr@10") == expected["mrr"]
    assert found.rankings.index_version == "demo-1"
    for case in expected["must_be_an_error"]:
        row = {"retrieved_doc_ids": ["a"], "expected_doc_ids": ["a"], "id": "q"} | case
        with pytest.raises(UsageError):
            score(lines(tmp_path / "r.jsonl", row), None, [f"k={case.get('k', 10)}"])
