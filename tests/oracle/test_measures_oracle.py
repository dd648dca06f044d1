"""Measures against pytrec_eval, ir_measures, ranx and scikit-learn on random runs and gold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

import ir_measures
import numpy as np
import pytest
import pytrec_eval
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_sweep.evaluation import Evaluation, evaluate, negatives
from rag_sweep.judgements import Judgements, rankings_to_indices
from rag_sweep.records import Gold, Question

Qrels: TypeAlias = dict[str, dict[str, int]]
Rankings: TypeAlias = dict[str, list[str]]

DOCS = [f"d{number:02}" for number in range(25)]
CUTOFFS = [1, 2, 3, 5, 10, 30]


@st.composite
def runs(draw: st.DrawFn, lowest: int = -1) -> tuple[Qrels, Rankings]:
    """Gold with graded, not relevant and missing judgements, and rankings of every length from 0."""
    qrels: Qrels = {}
    rankings: Rankings = {}
    for at in range(draw(st.integers(1, 5))):
        judged = st.dictionaries(st.sampled_from(DOCS), st.integers(lowest, 4), max_size=12)
        qrels[f"q{at}"] = draw(judged)
        rankings[f"q{at}"] = draw(st.lists(st.sampled_from(DOCS), unique=True, max_size=20))
    return qrels, rankings


def ours(qrels: Qrels, rankings: Rankings) -> Evaluation:
    gold = Gold(tuple(Question(query_id, query_id, grades) for query_id, grades in qrels.items()))
    documents = rankings_to_indices(rankings, list(qrels), DOCS).documents
    return evaluate(Judgements.of(gold, DOCS), documents, 10, CUTOFFS)


def as_scores(rankings: Rankings, depth: int = 1000) -> dict[str, dict[str, float]]:
    """Scores that fall by one a rank, so that no rule of ties has a say."""
    return {
        query_id: {doc_id: float(len(ranking) - at) for at, doc_id in enumerate(ranking[:depth])}
        for query_id, ranking in rankings.items()
    }


def check(found: Evaluation, column: str, expected: Mapping[str, float]) -> None:
    """Equal where the question is answerable; 0 where nothing came back, of which the others say nothing."""
    ids = found.judgements.query_ids
    values = dict(zip(ids, found.column(column).tolist(), strict=True))
    for query_id, answerable, row in zip(ids, found.judgements.answerable, found.documents, strict=True):
        if not answerable:
            assert np.isnan(values[query_id])
        elif (row < 0).all():
            assert values[query_id] == 0.0
        else:
            assert values[query_id] == pytest.approx(expected[query_id], abs=1e-12), (column, query_id)


def answerable_part(qrels: Qrels, rankings: Rankings) -> tuple[Qrels, Rankings]:
    kept = [key for key, grades in qrels.items() if max(grades.values(), default=0) > 0 and rankings[key]]
    return {key: qrels[key] for key in kept}, {key: rankings[key] for key in kept}


def trec_eval(qrels: Qrels, rankings: Rankings, name: str, depth: int = 1000) -> dict[str, float]:
    qrels, rankings = answerable_part(qrels, rankings)
    if not qrels:
        return {}
    measured = pytrec_eval.RelevanceEvaluator(qrels, {name}).evaluate(as_scores(rankings, depth))
    key = name.replace(".", "_")
    return {query_id: values[key] for query_id, values in measured.items()}


@settings(max_examples=150, deadline=None)
@given(drawn=runs())
def test_equal_to_trec_eval_at_every_cutoff(drawn: tuple[Qrels, Rankings]):
    qrels, rankings = drawn
    found = ours(qrels, rankings)
    names = {
        "hit": "success",
        "recall": "recall",
        "precision": "P",
        "ndcg_linear": "ndcg_cut",
        "map": "map_cut",
    }
    for k in CUTOFFS:
        for name, theirs in names.items():
            check(found, f"{name}@{k}", trec_eval(qrels, rankings, f"{theirs}.{k}"))
        check(found, f"mrr@{k}", trec_eval(qrels, rankings, "recip_rank", depth=k))


@settings(max_examples=100, deadline=None)
@given(drawn=runs())
def test_ndcg_is_trec_eval_s_with_the_gains_written_into_the_judgements(drawn: tuple[Qrels, Rankings]):
    qrels, rankings = drawn
    gains = {
        query_id: {doc_id: 2**grade - 1 if grade > 0 else grade for doc_id, grade in grades.items()}
        for query_id, grades in qrels.items()
    }
    found = ours(qrels, rankings)
    for k in CUTOFFS:
        check(found, f"ndcg@{k}", trec_eval(gains, rankings, f"ndcg_cut.{k}"))


@settings(max_examples=60, deadline=None)
@given(drawn=runs(), k=st.sampled_from(CUTOFFS))
def test_equal_to_ir_measures(drawn: tuple[Qrels, Rankings], k: int):
    qrels, rankings = drawn
    found = ours(qrels, rankings)
    names = {
        f"hit@{k}": ir_measures.Success @ k,
        f"recall@{k}": ir_measures.R @ k,
        f"precision@{k}": ir_measures.P @ k,
        f"mrr@{k}": ir_measures.RR @ k,
        f"ndcg_linear@{k}": ir_measures.nDCG @ k,
        f"map@{k}": ir_measures.AP @ k,
    }
    part, run = answerable_part(qrels, rankings)
    measured: dict[str, dict[str, float]] = {name: {} for name in names}
    if part:
        by_measure = {measure: name for name, measure in names.items()}
        for metric in ir_measures.iter_calc(list(names.values()), part, as_scores(run)):
            measured[by_measure[metric.measure]][metric.query_id] = metric.value
    for name, expected in measured.items():
        check(found, name, expected)


@settings(max_examples=60, deadline=None)
@given(drawn=runs())
def test_the_judged_share_is_that_of_ir_measures(drawn: tuple[Qrels, Rankings]):
    qrels, rankings = drawn
    found = ours(qrels, rankings)
    part = {key: grades for key, grades in qrels.items() if grades and rankings[key]}
    run = as_scores({key: rankings[key] for key in part})
    metrics = ir_measures.iter_calc([ir_measures.Judged @ 10], part, run) if part else ()
    expected = {metric.query_id: metric.value for metric in metrics}
    for query_id, share in zip(qrels, found.judged_at_k.tolist(), strict=True):
        if not rankings[query_id]:
            assert np.isnan(share)
        else:
            assert share == pytest.approx(expected.get(query_id, 0.0), abs=1e-12)


@pytest.mark.full
@pytest.mark.filterwarnings("ignore::Warning")  # numba's, about casts inside ranx
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=runs(lowest=0), k=st.sampled_from(CUTOFFS))
def test_equal_to_ranx(drawn: tuple[Qrels, Rankings], k: int):
    import ranx  # compiles for half a minute

    qrels, rankings = drawn
    found = ours(qrels, rankings)
    names = {
        "hit": "hit_rate",
        "recall": "recall",
        "precision": "precision",
        "mrr": "mrr",
        "ndcg": "ndcg_burges",
        "ndcg_linear": "ndcg",
        "map": "map",
    }
    part, run = answerable_part(qrels, rankings)
    theirs = [f"{name}@{k}" for name in names.values()]
    scores: dict[str, dict[str, float]] = {name: {} for name in theirs}
    if part:
        measured = ranx.Run(as_scores(run))
        ranx.evaluate(ranx.Qrels(part), measured, theirs, save_results_in_run=True)
        scores = measured.scores
    for name, other in names.items():
        check(found, f"{name}@{k}", scores[f"{other}@{k}"])


@settings(max_examples=150, deadline=None)
@given(
    answerable=st.lists(st.booleans(), min_size=2, max_size=30),
    data=st.data(),
)
def test_auroc_is_that_of_scikit_learn(answerable: list[bool], data: st.DataObject):
    from sklearn.metrics import roc_auc_score

    score = st.sampled_from([-np.inf, np.nan, -1.5, 0.0, 0.25, 0.5, 7.0])
    tops = np.array([data.draw(score) for _ in answerable])
    questions = [Question(f"q{at}", "", {"d00": int(flag)}) for at, flag in enumerate(answerable)]
    report = negatives(Judgements.of(Gold(tuple(questions)), DOCS), tops, comparable=True)
    if len(set(answerable)) < 2:
        assert report.auroc is None
    else:
        finite = np.where(np.isnan(tops) | np.isneginf(tops), -1e9, tops)  # it takes no infinities
        assert report.auroc == pytest.approx(roc_auc_score(answerable, finite), abs=1e-12)
