"""From rankings and judgements to values per query, their means, and the negatives."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rag_sweep.judgements as judgements_module
from rag_sweep.errors import ConfigError, DataError
from rag_sweep.evaluation import Evaluation, NegativesReport, evaluate, k_covers_all, negatives, pool_recall
from rag_sweep.judgements import Judgements, document_space, rankings_to_indices
from rag_sweep.measures import MEASURES, Measure
from rag_sweep.records import Gold, Question

DOCS = ("a", "b", "c", "d", "e")


def gold_of(**grades: dict[str, int]) -> Gold:
    return Gold(
        tuple(Question(query_id, f"what is {query_id}?", judged) for query_id, judged in grades.items())
    )


GOLD = gold_of(
    q1={"b": 2, "c": 1, "a": 0},
    q2={"e": 1, "lost": 3},  # `lost` is no document of the corpus
    q3={},
    q4={"d": -1},
)
JUDGED = Judgements.of(GOLD, DOCS)


def numbers(*rows: str, depth: int = 5) -> np.ndarray:
    """Rankings written as words: "ba" is b, then a."""
    return np.array([[*map(DOCS.index, row)] + [-1] * (depth - len(row)) for row in rows], dtype=np.int32)


def scored(rankings: dict[str, Sequence[str]], gold: Gold, k: int, *cutoffs: int) -> Evaluation:
    docs = document_space(gold, rankings)
    judgements = Judgements.of(gold, docs)
    return evaluate(
        judgements, rankings_to_indices(rankings, judgements.query_ids, docs).documents, k, cutoffs
    )


@pytest.fixture
def ranks(shared: Path) -> Any:
    return json.loads((shared / "fixtures/ranks/expected.json").read_text())


# The worked examples of the shared fixture


def test_reciprocal_ranks_of_the_shared_cases_come_out(ranks: Any):
    cases = ranks["mrr_cases"]
    gold = gold_of(**{case["id"]: dict.fromkeys(case["expected_doc_ids"], 1) for case in cases})
    found = scored({case["id"]: case["retrieved_doc_ids"] for case in cases}, gold, 10)
    assert found.column("mrr@10").tolist() == [case["rr"] for case in cases]
    assert found.means()["mrr@10"] == ranks["mrr"]


def test_the_shared_macro_example_keeps_its_negative_out_of_the_means(ranks: Any):
    example = ranks["support_macro"]
    per_query, expected = example["per_query"], example["macro_over_answerable"]
    gold = gold_of(**{key: dict.fromkeys(row["relevant"], 1) for key, row in per_query.items()})
    found = scored({key: row["ranking"] for key, row in per_query.items()}, gold, example["k"])
    for at, row in enumerate(per_query.values()):
        values = [found.column(f"{name}@3")[at] for name in ("precision", "recall", "mrr")]
        if row.get("negative"):
            assert np.isnan(values).all()
        else:
            assert values == pytest.approx([row["p"], row["r"], row["rr"]], abs=1e-15)
    means = [found.means()[f"{name}@3"] for name in ("precision", "recall", "mrr")]
    assert means == pytest.approx([expected["p"], expected["r"], expected["mrr"]], abs=1e-15)
    assert found.answerable == expected["n"]


def test_the_shared_recall_example_comes_out_at_every_cutoff(ranks: Any):
    example = ranks["recall_example"]
    found = scored({"q": example["ranking"]}, gold_of(q=dict.fromkeys(example["relevant"], 1)), 5, 1, 3)
    assert {at: found.means()[f"recall@{at}"] for at in example["recall"]} == example["recall"]


def test_the_shared_regression_and_noise_examples_come_out(ranks: Any):
    example = ranks["ranking_regression"]
    for name in ("good", "bad"):
        found = scored({"q": example[name]}, gold_of(q=dict.fromkeys(example["relevant"], 1)), example["k"])
        assert found.means()["recall@3"] == example[f"recall_{name}"]
    example = ranks["noise_example"]
    found = scored({"q": example["ranking"]}, gold_of(q=dict.fromkeys(example["relevant"], 1)), example["k"])
    values = [found.means()[f"{name}@3"] for name in ("precision", "recall", "mrr")]
    assert values == [example["precision"], example["recall"], example["rr"]]


def test_what_the_shared_fixture_calls_an_error_is_one(ranks: Any):
    for case in ranks["must_be_an_error"]:
        ranking = case.get("retrieved_doc_ids", ["a"])
        gold = gold_of(q=dict.fromkeys(case.get("expected_doc_ids", ["a"]), 1))
        with pytest.raises((ConfigError, DataError)):
            scored({"q": ranking}, gold, case.get("k", 10)).mean("mrr@10")


# Judgements


def test_grades_are_looked_up_where_judged_and_zero_elsewhere():
    documents = numbers("abc", "de", "ab", "d")
    grades = [[0, 2, 1, 0, 0], [0, 1, 0, 0, 0], [0] * 5, [0] * 5]
    assert JUDGED.grades_at(documents).tolist() == grades
    assert JUDGED.judged_at(documents).tolist() == [
        [True, True, True, False, False],
        [False, True, False, False, False],
        [False] * 5,
        [True, False, False, False, False],
    ]


def test_padding_is_never_read_as_the_last_document_of_the_query_before():
    judgements = Judgements.of(gold_of(q1={"e": 1}, q2={"a": 1}), DOCS)
    assert not judgements.grades_at(numbers("", "")).any()
    assert not judgements.judged_at(numbers("", "")).any()


def test_judged_documents_outside_the_corpus_stay_in_the_ideal():
    assert JUDGED.ideal.tolist() == [[2, 1], [3, 1], [0, 0], [0, 0]]
    assert JUDGED.relevant[1] == ("lost", "e")
    assert JUDGED.answerable.tolist() == [True, True, False, False]


def test_gold_without_any_judgement_can_be_looked_up():
    judgements = Judgements.of(gold_of(q1={}, q2={}), DOCS)
    assert judgements.ideal.shape == (2, 0)
    assert judgements.grades_at(numbers("ab", "")).tolist() == [[0] * 5] * 2


def test_lookup_takes_any_leading_axes():
    documents = np.stack([numbers("abc", "de", "", "d"), numbers("cba", "", "a", "")])
    both = JUDGED.grades_at(documents)
    assert both.shape == (2, 4, 5)
    assert both[1].tolist() == JUDGED.grades_at(documents[1]).tolist()


@settings(deadline=None)
@given(
    judged=st.lists(st.dictionaries(st.sampled_from(DOCS), st.integers(-1, 3)), min_size=1, max_size=5),
    cells=st.sampled_from([0, judgements_module.TABLE_CELLS]),
    data=st.data(),
)
def test_lookup_agrees_with_a_loop_over_dictionaries(
    judged: list[dict[str, int]], cells: int, data: st.DataObject
):
    judgements = Judgements.of(gold_of(**{f"q{at}": grades for at, grades in enumerate(judged)}), DOCS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judgements_module, "TABLE_CELLS", cells)
        assert (judgements._space.column is None) == (cells == 0 and any(judged))
    row = st.lists(st.integers(-1, 4), min_size=3, max_size=3)
    documents = data.draw(st.lists(row, min_size=len(judged), max_size=len(judged)))
    names = [[DOCS[number] if number >= 0 else None for number in row] for row in documents]
    pairs = list(zip(judged, names, strict=True))
    expected = [[max(grades.get(name, 0), 0) for name in row] for grades, row in pairs]
    assert judgements.grades_at(np.array(documents)).tolist() == expected
    known = [[name in grades for name in row] for grades, row in pairs]
    assert judgements.judged_at(np.array(documents)).tolist() == known
    relevant = [{name for name, grade in grades.items() if grade > 0} for grades in judged]
    found = [len(ids & {*row}) for ids, (_, row) in zip(relevant, pairs, strict=True)]
    shares = [hits / len(ids) if ids else math.nan for hits, ids in zip(found, relevant, strict=True)]
    both = pool_recall(judgements, np.array([documents, documents]))
    assert both.tolist() == [pytest.approx(shares, abs=0, nan_ok=True)] * 2


@pytest.mark.parametrize("documents", [numbers("a"), np.array([0]), np.full((4, 1), 5), np.full((4, 1), -2)])
def test_documents_of_another_shape_or_space_are_refused(documents: np.ndarray):
    with pytest.raises(ValueError, match="documents must be"):
        JUDGED.grades_at(documents)


def test_a_repeated_document_id_in_the_space_is_refused():
    with pytest.raises(DataError, match="distinct, got 1 repeated"):
        Judgements.of(GOLD, ["a", "b", "a"])


# Values and means


def test_every_measure_stands_at_every_cutoff_and_at_k():
    found = evaluate(JUDGED, numbers("b", "", "", ""), 2, [5, 1, 5])
    assert found.columns == tuple(Measure(name, k) for name in MEASURES for k in (1, 2, 5))
    assert found.values.shape == (4, len(found.columns))
    assert list(found.means()) == [str(measure) for measure in found.columns]


def test_values_are_those_of_the_measures():
    documents = numbers("acb", "de", "ab", "d")
    found = evaluate(JUDGED, documents, 3, [1])
    for measure in found.columns:
        expected = measure.values(JUDGED.grades_at(documents), JUDGED.ideal)
        assert found.column(measure).tobytes() == expected.tobytes()


def test_a_missing_ranking_counts_zero_in_the_mean():
    found = evaluate(JUDGED, numbers("b", "", "", ""), 1, [])
    assert found.column("hit@1").tolist()[:2] == [1.0, 0.0]
    assert found.means()["hit@1"] == 0.5


def test_what_negatives_return_changes_no_mean():
    quiet = evaluate(JUDGED, numbers("cb", "e", "", ""), 3, [1])
    loud = evaluate(JUDGED, numbers("cb", "e", "abcd", "d"), 3, [1])
    assert quiet.means() == loud.means()


def test_a_relevant_document_outside_the_corpus_lowers_recall():
    assert evaluate(JUDGED, numbers("", "e", "", ""), 5, []).column("recall@5")[1] == 0.5


def test_without_an_answerable_question_means_are_nan_and_a_needed_value_is_an_error():
    judgements = Judgements.of(gold_of(q1={}, q2={"a": 0}), DOCS)
    found = evaluate(judgements, numbers("a", "b"), 1, [])
    assert found.answerable == 0
    assert all(math.isnan(mean) for mean in found.means().values())
    with pytest.raises(DataError, match="no question of the gold has a relevant document"):
        found.mean("ndcg@1")


def test_a_mean_is_the_same_to_the_last_bit_in_any_order_of_questions():
    random = np.random.default_rng(3)
    names = [f"d{at:02}" for at in range(30)]
    judged = [{name: int(random.integers(1, 4)) for name in random.choice(names, 5)} for _ in range(60)]
    documents = np.stack([random.permutation(30) for _ in judged])
    gold = gold_of(**{f"q{at}": grades for at, grades in enumerate(judged)})
    forward = evaluate(Judgements.of(gold, names), documents, 10, [3])
    mixed = random.permutation(len(judged))
    shuffled = Gold(tuple(gold.questions[at] for at in mixed))
    again = evaluate(Judgements.of(shuffled, names), documents[mixed], 10, [3])
    assert forward.means() == again.means()
    assert {str(measure): forward.mean(measure) for measure in forward.columns} == forward.means()


def test_one_configuration_of_many_is_the_same_as_alone():
    batch = np.stack([numbers("ab", "e", "", "d"), numbers("cb", "", "a", ""), numbers("", "", "", "")])
    many = evaluate(JUDGED, batch, 2, [1, 5])
    assert many.mean_values().shape == (3, len(many.columns))
    for at in range(3):
        alone, one = evaluate(JUDGED, batch[at], 2, [1, 5]), many.select(at)
        assert one.values.tobytes() == alone.values.tobytes()
        assert one.first_relevant.tolist() == alone.first_relevant.tolist()
        assert one.judged_at_k.tobytes() == alone.judged_at_k.tobytes()
        assert one.means() == alone.means()
        assert many.mean_values()[at].tolist() == list(alone.means().values())
        assert [many.missed(at, query) for query in range(4)] == [alone.missed(query) for query in range(4)]


def test_means_of_many_configurations_at_once_are_refused():
    with pytest.raises(ValueError, match="one configuration"):
        evaluate(JUDGED, np.stack([numbers("", "", "", "")] * 2), 1, []).means()


def test_found_and_missed_are_judged_within_k():
    found = evaluate(JUDGED, numbers("acb", "de", "ab", "d"), 2, [5])
    assert [found.found(query) for query in range(4)] == [("c",), ("e",), (), ()]
    assert [found.missed(query) for query in range(4)] == [("b",), ("lost",), (), ()]


def test_the_first_relevant_rank_is_looked_for_in_the_whole_ranking():
    found = evaluate(JUDGED, numbers("adcb", "", "ab", "d"), 1, [])
    assert found.first_relevant.tolist() == [3, 0, 0, 0]


def test_the_judged_share_is_over_what_came_back_and_counts_judged_as_not_relevant():
    found = evaluate(JUDGED, numbers("adeb", "e", "", "d"), 3, [])
    assert found.judged_at_k.tolist()[:2] == [1 / 3, 1.0]
    assert math.isnan(found.judged_at_k[2])
    assert found.judged_at_k[3] == 1.0


def test_a_document_twice_in_a_ranking_is_refused_with_every_place():
    with pytest.raises(DataError, match="stands twice") as raised:
        evaluate(JUDGED, numbers("aba", "cc", "", ""), 1, [])
    assert [(fault.id, "'a'" in fault.what) for fault in raised.value.faults] == [("q1", True), ("q2", False)]


@pytest.mark.parametrize(("k", "cutoffs", "key"), [(0, [1], "k"), (1, [5, 0], "cutoffs"), (-1, [], "k")])
def test_a_cutoff_below_one_is_refused_by_its_name(k: int, cutoffs: list[int], key: str):
    with pytest.raises(ConfigError, match=rf"^{key} must be an int >= 1, got"):
        evaluate(JUDGED, numbers("", "", "", ""), k, cutoffs)


@pytest.mark.parametrize("wanted", ["ndcg@7", Measure("map", 10)])
def test_a_measure_that_was_not_computed_is_named_with_what_was(wanted: Measure | str):
    with pytest.raises(ConfigError, match=r"one of the cutoffs \[1, 3\], got"):
        evaluate(JUDGED, numbers("", "", "", ""), 1, [3]).column(wanted)


# Pools


def test_pool_recall_counts_a_document_once():
    pools = np.array([[1, 1, 0, 1, -1], [4, 4, 4, 4, 4], [0, 0, 0, 0, 0], [3, -1, -1, -1, -1]])
    recall = pool_recall(JUDGED, pools)
    assert recall.tolist()[:2] == [0.5, 0.5]
    assert np.isnan(recall).tolist() == [False, False, True, True]


def test_pool_recall_of_an_empty_pool_is_zero():
    assert pool_recall(JUDGED, np.zeros((4, 0), dtype=np.int64)).tolist()[:2] == [0.0, 0.0]


def test_pool_recall_leaves_its_argument_as_it_is_and_ignores_the_order():
    pools = np.stack([numbers("bca", "e", "", "")[:, ::-1], numbers("abc", "e", "", "")])
    before = pools.copy()
    recall = pool_recall(JUDGED, pools)
    assert (pools == before).all()
    assert recall[:, :2].tolist() == [[1.0, 0.5], [1.0, 0.5]]


# Negatives


def test_auroc_takes_answerable_questions_as_positives_with_empty_lowest():
    # answerable: 2.0 and empty; negatives: 2.0 and empty. Pairs: one half, one, none, one half.
    report = negatives(JUDGED, np.array([2.0, np.nan, 2.0, -np.inf]), comparable=True)
    assert report == NegativesReport(n=2, empty_share=0.5, auroc=0.5)
    report = negatives(JUDGED, np.array([2.0, 1.0, 0.5, -np.inf]), comparable=True)
    assert report == NegativesReport(n=2, empty_share=0.5, auroc=1.0)


def test_a_negative_score_below_an_empty_ranking_does_not_exist():
    report = negatives(JUDGED, np.array([-5.0, -1e300, np.nan, -np.inf]), comparable=True)
    assert report == NegativesReport(n=2, empty_share=1.0, auroc=1.0)


def test_auroc_does_not_apply_where_scores_are_not_comparable():
    report = negatives(JUDGED, np.array([2.0, 1.0, 0.5, -np.inf]), comparable=False)
    assert report == NegativesReport(n=2, empty_share=0.5, auroc=None)


def test_numbers_about_negatives_do_not_apply_where_a_side_is_empty():
    answerable = Judgements.of(gold_of(q={"a": 1}), DOCS)
    assert negatives(answerable, np.array([1.0]), comparable=True) == NegativesReport(0, None, None)
    unanswerable = Judgements.of(gold_of(q={}), DOCS)
    assert negatives(unanswerable, np.array([1.0]), comparable=True) == NegativesReport(1, 0.0, None)


def test_top_scores_of_another_number_of_questions_are_refused():
    with pytest.raises(ValueError, match="top_scores must be"):
        negatives(JUDGED, np.array([1.0]), comparable=True)


# Rankings of another system


def test_rankings_become_numbers_in_the_order_of_the_questions():
    made = rankings_to_indices({"q4": ["d"], "q1": ["c", "a", "b"], "q3": []}, JUDGED.query_ids, DOCS)
    assert made.documents.tolist() == [[2, 0, 1], [-1, -1, -1], [-1, -1, -1], [3, -1, -1]]
    assert made.missing == ("q2",)
    assert made.unknown == ()


def test_rankings_of_unknown_queries_are_left_out_and_told():
    made = rankings_to_indices({"zz": ["nowhere", "nowhere"], "q1": ["a"]}, JUDGED.query_ids, DOCS)
    assert made.unknown == ("zz",)
    assert made.documents.shape == (4, 1)


@pytest.mark.parametrize("rankings", [{}, {"other": ["a"]}])
def test_rankings_of_no_question_at_all_are_refused(rankings: dict[str, list[str]]):
    with pytest.raises(DataError, match="no ranking belongs to a question"):
        rankings_to_indices(rankings, JUDGED.query_ids, DOCS)


def test_every_fault_of_the_rankings_is_told_with_query_and_document():
    with pytest.raises(DataError) as raised:
        rankings_to_indices({"q1": ["a", "b", "a"], "q2": ["x", "e"]}, JUDGED.query_ids, DOCS)
    told = [(fault.id, fault.what) for fault in raised.value.faults]
    assert told == [
        ("q1", "document 'a' stands twice in the ranking; each may stand once"),
        ("q2", "document 'x' is not in the corpus"),
    ]


def test_without_a_corpus_every_named_document_is_in_the_space():
    rankings = {"q1": ["z", "b"], "unasked": ["y"]}
    assert document_space(GOLD, rankings) == ("a", "b", "c", "d", "e", "lost", "y", "z")
    assert document_space(Gold(()), {}) == ()


@pytest.mark.parametrize(
    ("k", "documents", "covers"), [(10, 10, True), (10, 8, True), (10, 11, False), (1, None, False)]
)
def test_a_cutoff_covers_all_where_it_leaves_no_document_out(k: int, documents: int | None, covers: bool):
    assert k_covers_all(k, documents) is covers
