"""Scorecards made of given rankings, without a search."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rag_sweep.evaluation import evaluate
from rag_sweep.judgements import Judgements, document_space, rankings_to_indices
from rag_sweep.records import Gold, Question
from rag_sweep.scorecard import Scorecard

CUTOFFS = (1, 3, 5)


def gold_of(number: int = 40, *, tags: bool = True, negatives: int = 0) -> Gold:
    """Questions with one relevant document each, the last ones with none; two tags alternate."""
    return Gold(
        tuple(
            Question(
                f"q{at:02}",
                f"what about thing {at}",
                {f"d{at:02}": 1} if at < number - negatives else {},
                tags=(("even", "odd")[at % 2],) if tags else (),
            )
            for at in range(number)
        ),
        "1",
    )


def scorecard_of(
    ranks: Sequence[int | None], gold: Gold | None = None, *, k: int = 5, **changes: Any
) -> Scorecard:
    """The card on which the relevant document of each question stands at a rank; None: nowhere.

    `changes` are fields of the card, such as ``corpus_hash``.
    """
    gold = gold or gold_of(len(ranks))
    rankings: dict[str, list[str]] = {}
    for question, rank in zip(gold.questions, ranks, strict=True):
        others = [f"x{at:02}" for at in range(10)]
        if rank is not None and question.relevant:
            others.insert(rank - 1, question.relevant[0])
        rankings[question.query_id] = others[:10]
    card = card_of_rankings(rankings, gold, k=k)
    usual: dict[str, Any] = {
        "name": "made",
        "params": {"lexical.k1": 1.2},
        "fingerprint": "f" * 64,
        "code": "0.1+x",
        "corpus_hash": "c" * 64,
        "documents": 50,
        "created": "2026-01-31",
        "share": 1.0,
        "pool_depth": 100,
    }
    return replace(card, **{**usual, **changes})


def card_of_rankings(rankings: Mapping[str, Sequence[str]], gold: Gold, *, k: int = 5) -> Scorecard:
    """The card of some rankings, as of another system."""
    space = document_space(gold, rankings)
    judgements = Judgements.of(gold, space)
    found = rankings_to_indices(rankings, judgements.query_ids, space)
    evaluation = evaluate(judgements, found.documents, k, CUTOFFS)
    return Scorecard.of_rankings("made", gold, evaluation, CUTOFFS, dataset="made")
