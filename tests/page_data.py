"""Data for the page, as plain values: nothing is computed, so that a test sees the page alone."""

from __future__ import annotations

from itertools import cycle, islice, product
from typing import Any

QUESTIONS = 12
DOCUMENTS = 8
K1 = (0.6, 0.9, 1.2, 1.5)
B = (0.25, 0.5, 0.75)
CHUNKER = ("document", "sentence")


def made(rows: int = 24, text: str = "what about thing {}") -> tuple[dict[str, Any], dict[str, Any]]:
    """A comparison and its detail; texts of questions and documents are made from `text`."""
    grid = list(islice(cycle(product(CHUNKER, K1, B)), rows))
    listed = [_row(at, *knobs) for at, knobs in enumerate(grid)]
    return _comparison(listed, text), _detail(len(listed), text)


def _row(at: int, chunker: str, k1: float, b: float) -> dict[str, Any]:
    mean, base = 0.8 - at * 0.5 / 2_000 - at % 3 * 0.0001, at == 5
    against = None if base else round(mean - 0.7, 4)
    return {
        "row": at,
        "rank": at + 1,
        "sweep": 0,
        "index": at,
        "name": f"{chunker} k1={k1} b={b}",
        "params": {"chunker": chunker, "lexical.k1": k1, "lexical.b": b},
        "mean": mean,
        "lower": mean - 0.05,
        "upper": mean + 0.05,
        "means": {"ndcg@10": mean, "recall@10": 0.9},
        "difference": against,
        "difference_lower": None if against is None else against - 0.02,
        "difference_upper": None if against is None else against + 0.02,
        "p_value": None if base else 0.01,
        "p_adjusted": None if base else (0.004 if at < 3 else 0.7),
        "effect": None if base else 0.2,
        "shown": at < 3,
        "wins": None if base else 6,
        "ties": None if base else 4,
        "losses": None if base else 2,
        "is_baseline": base,
        "in_best": at < 8,
        "chosen_share": 0.5 if at == 0 else None,
        "alias_of": 6 if at == 7 else None,
        "twins": [],
        "evidence": {"recall": 0.5, "precision": 0.1, "found": 0.4},
        "words": 900.0 - at % 7,
        "cost": {
            "stages": ["lexical"],
            "passages": 40,
            "dim": None,
            "depth": 100,
            "candidates": 0,
            "index_bytes": 1_000 + at,
            "words": 900.0,
            "units": 1_000 * (1 + at % 5),
        },
        "pareto": at in (0, 5),
        "warnings": [],
    }


def _comparison(rows: list[dict[str, Any]], text: str) -> dict[str, Any]:
    hashed, some = "c" * 64, list(range(3))
    knobs = [("chunker", "chunker", CHUNKER), ("lexical.k1", "k1", K1), ("lexical.b", "b", B)]
    return {
        "format": 1,
        "objective": "ndcg@10",
        "k": 10,
        "questions": QUESTIONS,
        "negatives": 1,
        "configurations": len(rows),
        "distinct": len(rows) - 1,
        "failed": [],
        "dataset": {"name": "made", "corpus": hashed, "gold": hashed, "gold_version": None},
        "sweeps": [
            {"sweep_id": "s1", "name": "made", "configurations": len(rows), "corpus": hashed, "code": "x"}
        ],
        "notes": [text.format("note"), f"baseline: {rows[5]['name']}, the configuration as shipped"],
        "settings": {
            "baseline": None,
            "alpha": 0.05,
            "level": 0.95,
            "correction": "max_t",
            "resamples": 1_000,
            "seed": 0,
            "folds": 5,
            "repeats": 5,
            "groups": "question",
            "difference": None,
            "rule": "cheapest_of_the_best",
        },
        "knobs": [{"key": key, "short": short, "values": list(values)} for key, short, values in knobs],
        "baseline": 5,
        "stand_in": None,
        "rows": rows,
        "test": {"correction": "max_t", "resamples": 1_000, "exact": False, "critical": 3.0},
        "best": {
            "rows": list(range(8)),
            "alpha": 0.05,
            "shared": [],
            "free": [],
            "narrowed": [],
            "sentences": ["b hardly matters."],
        },
        "honest": {
            "value": 0.78,
            "lower": 0.73,
            "upper": 0.83,
            "naive": 0.8,
            "optimism": 0.02,
            "folds": 5,
            "repeats": 5,
            "winners": [{"row": 0, "share": 0.5}],
        },
        "power": {
            "deviation": 0.1,
            "detectable": 0.05,
            "power": 0.8,
            "alpha": 0.05,
            "comparisons": 22,
            "for": None,
        },
        "effects": [_effect([key], [[str(value)] for value in values]) for key, _, values in knobs]
        + [_effect(["chunker", "lexical.b"], [[a, str(b)] for a, b in product(CHUNKER, B)])],
        "per_question": [_question(at, text) for at in range(QUESTIONS)],
        "question_lists": {"hardest": [0, 1], "easiest": [11], "disputed": some, "dead": [3], "decisive": []},
        "tags": [
            {
                "tag": text.format("tag"),
                "questions": 4,
                "winner": 0,
                "tied": 1,
                "means": {"0": 0.8, "5": 0.7},
                "difference": 0.1,
            }
        ],
        "likes": [{"key": "chunker", "levels": list(CHUNKER), "questions": [7, 4], "indifferent": 1}],
        "curve": {
            "measure": "evidence recall",
            "budgets": [50, 100, 200],
            "rows": [{"row": at, "values": [0.1, 0.2, 0.4], "cut_short": [0.0, 0.1, 0.8]} for at in (0, 5)],
        },
        "latency": [{"row": 0, "p50_ms": 1.0, "p95_ms": 2.0, "build_s": 0.1, "queries": 12}],
        "history": {"sweeps": 2, "configurations": 48},
        "warnings": [{"kind": "judged", "text": text.format("warning")}],
        "decision": {
            "promote": 0,
            "named": [],
            "rule": "cheapest_of_the_best",
            "keeps_baseline": False,
            "headline": f"Promote {rows[0]['name']}: it beats the baseline",
            "reasons": ["The difference from the baseline is real: +0.100, p = 0.004."],
            "cautions": [text.format("caution")],
        },
    }


def _effect(keys: list[str], levels: list[list[str]]) -> dict[str, Any]:
    number = len(levels)
    effect = [0.01 * (at - (number - 1) / 2) for at in range(number)]
    return {
        "knobs": keys,
        "levels": levels,
        "counts": [4] * number,
        "mean": [0.7 + one for one in effect],
        "effect": effect,
        "lower": [one - 0.005 for one in effect],
        "upper": [one + 0.005 for one in effect],
        "share": 0.3 / len(keys),
        "partial_eta": 0.1,
    }


def _question(at: int, text: str) -> dict[str, Any]:
    return {
        "id": f"q{at}",
        "text": text.format(at),
        "tags": [text.format("tag")],
        "mean": at / QUESTIONS,
        "deviation": 0.1,
        "best": 1.0,
        "worst": 0.0,
        "dead": at == 3,
        "decides": 0,
    }


def _detail(rows: int, text: str) -> dict[str, Any]:
    forward, back = list(range(DOCUMENTS)), list(range(DOCUMENTS - 2, -1, -1))
    return {
        "values": [[(at + one) % 5 / 4 for one in range(QUESTIONS)] for at in range(rows)],
        "documents": [f"d{at}" for at in range(DOCUMENTS + 1)],
        "titles": [text.format(f"title {at}") for at in range(DOCUMENTS + 1)],
        "snippets": [text.format(f"snippet {at}") for at in range(DOCUMENTS)] + [None],
        "relevant": [[0, DOCUMENTS] for _ in range(QUESTIONS)],
        "rankings": [
            {"row": 0, "ranked": [forward] * QUESTIONS},
            {"row": 5, "ranked": [back] * QUESTIONS},
        ],
    }
