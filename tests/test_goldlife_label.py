"""`rag-sweep gold label-next`: what a missing judgement could turn, beside brute force."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rag_sweep.evaluation import evaluate
from rag_sweep.goldlife.weighing import Missing, missing_judgements, weighed
from rag_sweep.judgements import Judgements
from rag_sweep.measures import Measure
from rag_sweep.records import Gold, Question

DOCUMENTS = tuple(f"d{at}" for at in range(8))
MEASURES = ("ndcg@4", "recall@4", "mrr@4", "precision@4", "map@4", "hit@4", "ndcg_linear@4")

Grades = Mapping[str, int]


def judged(*grades: Grades) -> Judgements:
    return Judgements.of(Gold(tuple(Question(f"q{at}", "", one) for at, one in enumerate(grades))), DOCUMENTS)


def means(documents: np.ndarray, measure: str, *grades: Grades) -> np.ndarray:
    """Mean of each system by the ordinary way."""
    found = evaluate(judged(*grades), documents, 4, (4,))
    return found.mean_values()[:, [str(column) for column in found.columns].index(measure)]


rankings = st.integers(0, 100_000).map(
    lambda seed: np.argsort(np.random.default_rng(seed).random((3, 2, len(DOCUMENTS))), axis=2)[..., :6]
)
golds = st.lists(
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), max_size=5), min_size=2, max_size=2
)


@settings(max_examples=60)
@given(rankings, golds, st.sampled_from(MEASURES), st.integers(1, 3))
def test_effects_and_turned_pairs_are_those_of_measuring_anew(
    documents: np.ndarray, grades: list[dict[str, int]], measure: str, grade: int
) -> None:
    assume(any(value > 0 for one in grades for value in one.values()))
    found = missing_judgements(judged(*grades), documents, Measure.parse(measure), grade)
    weights = weighed(found)
    now = means(documents, measure, *grades)
    assert found.means == pytest.approx(now)
    listed = set()
    for at in range(len(found)):
        query, doc_id = int(found.query[at]), DOCUMENTS[found.document[at]]
        listed.add((query, doc_id))
        assert doc_id not in grades[query]
        then = means(
            documents,
            measure,
            *[one | ({doc_id: grade} if q == query else {}) for q, one in enumerate(grades)],
        )
        assert found.effect[at] == pytest.approx(then - now)
        pairs = [
            (a, b) for a in range(3) for b in range(3) if now[a] - now[b] > 1e-9 and then[b] - then[a] > 1e-9
        ]
        assert weights.turned[at] == len(pairs)
        assert then[weights.first[at]] == pytest.approx(then.max())
        ranks = [
            row.tolist().index(found.document[at]) + 1 if found.document[at] in row else 0
            for row in documents[:, query, :4]
        ]
        assert found.ranks[at].tolist() == ranks
    every = {
        (query, DOCUMENTS[number])
        for query in range(2)
        for number in documents[:, query, :4].ravel()
        if any(value > 0 for value in grades[query].values()) and DOCUMENTS[number] not in grades[query]
    }
    assert listed == every
    turned = weights.turned[weights.order]
    assert (np.diff(turned) <= 0).all(), "what turns more pairs stands first"


def test_an_order_changing_document_stands_before_one_that_only_confirms_the_order() -> None:
    # A leads B by 2 to 1.83. If d7 is relevant to q0, B has it first and goes ahead; d6 of q1 is A's alone.
    first = [[0, 1, 2, 3], [6, 0, 1, 2], [1, 0, 2, 3]]
    documents = np.array([first, [[7, 0, 1, 2], [0, 1, 2, 3], [1, 2, 0, 3]]])
    grades = [{"d0": 1, "d1": 0}] * 3
    found = missing_judgements(judged(*grades), documents, Measure.parse("mrr@4"))
    weights = weighed(found)
    first = weights.order[0]
    assert found.means[0] > found.means[1]
    assert (int(found.query[first]), DOCUMENTS[found.document[first]]) == (0, "d7")
    assert (weights.turned[first], weights.first[first]) == (1, 1)
    assert (weights.turned > 0).sum() == 1
    assert weights.open_pairs == 1


@settings(max_examples=40)
@given(st.integers(0, 100_000))
def test_of_hidden_judgements_one_that_changes_the_order_is_listed_first(seed: int) -> None:
    """If revealing any one hidden document changes the order, the one that is listed first does."""
    rng = np.random.default_rng(seed)
    documents = np.argsort(rng.random((3, 4, len(DOCUMENTS))), axis=2)[..., :4]
    true = [{name: int(rng.random() < 0.5) for name in DOCUMENTS} for _ in range(4)]
    for one in true:
        one["d0"] = 1
    shown = [
        {name: grade for name, grade in one.items() if name == "d0" or rng.random() < 0.5} for one in true
    ]
    found = missing_judgements(judged(*shown), documents, Measure.parse("ndcg@4"))
    weights = weighed(found)
    assume(len(found))

    def order(at: int) -> list[int]:
        then = found.means + found.effect[at]
        return np.argsort(-np.round(then, 9), kind="stable").tolist()

    now = np.argsort(-np.round(found.means, 9), kind="stable").tolist()
    ties = len(set(np.round(found.means, 9).tolist())) < 3
    assume(not ties)
    if any(order(at) != now and weights.turned[at] for at in range(len(found))):
        assert order(int(weights.order[0])) != now


def test_what_all_have_at_the_same_rank_matters_nothing() -> None:
    documents = np.array([[[5, 0, 1, 2]], [[5, 1, 0, 2]]])
    found = missing_judgements(judged({"d0": 1}), documents, Measure.parse("precision@4"))
    weights = weighed(found)
    at = found.document.tolist().index(5)
    assert (weights.turned[at], weights.shift[at]) == (0, 0.0)


def test_of_those_that_turn_nothing_the_one_that_shifts_a_close_pair_stands_first() -> None:
    # A leads B by little and C by much; d4 is B's alone at rank 2, d5 C's alone at rank 2.
    base = [0, 1, 2, 3]
    same = [base] * 6
    close = [[0, 4, 2, 3], [1, 0, 2, 3], *same]
    far = [[0, 5, 2, 3], *([[1, 2, 3, 0]] * 7)]
    documents = np.array([[base, base, *same], close, far])
    grades = [{"d0": 1, "d1": 0, "d2": 0, "d3": 0}] * 8
    found = missing_judgements(judged(*grades), documents, Measure.parse("map@4"), 1)
    weights = weighed(found)
    names = [DOCUMENTS[found.document[at]] for at in weights.order]
    assert names[0] == "d4"


def test_nothing_is_listed_where_everything_is_judged_or_nothing_is_relevant() -> None:
    documents = np.array([[[0, 1], [2, 3]], [[1, 0], [3, 2]]])
    found = missing_judgements(judged({"d0": 1, "d1": 0}, {"d2": 0}), documents, Measure.parse("ndcg@2"))
    weights = weighed(found)
    assert (len(found), weights.open_pairs, weights.order.tolist()) == (0, 0, [])


def test_a_rank_behind_the_end_is_no_document() -> None:
    documents = np.array([[[0, -1, -1]], [[-1, -1, -1]]])
    found: Missing = missing_judgements(judged({"d1": 1}), documents, Measure.parse("ndcg@5"))
    assert found.document.tolist() == [0]
