"""A verification in the terminal: how many questions are answered as measured, and which aren't."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rag_sweep.report.printable import printable

SHOWN = 10
"""Questions that are told in full."""


def verification_text(data: Mapping[str, Any]) -> list[str]:
    """What was asked, each difference with expected and got, and the sum of it."""
    return [
        f"Asked: {data['source']}",
        f"Golden: {data['golden']} ({data['configuration']})",
        *_differences(data["apart"], data["k"]),
        "",
        _sum(data),
    ]


def _differences(apart: Sequence[Mapping[str, Any]], k: int) -> list[str]:
    lines = []
    for one in apart[:SHOWN]:
        lines += ["", f"{one['query_id']}: {printable(one['text'])}", *_sides(one, k)]
    if apart[SHOWN:]:
        others = ", ".join(one["query_id"] for one in apart[SHOWN:])
        lines += ["", f"and {len(apart) - SHOWN} more: {others}"]
    return lines


def _sides(one: Mapping[str, Any], k: int) -> list[str]:
    rank = one["rank"]
    if one["what"] == "scores":
        at = rank - 1
        scores = one["expected_scores"][at], one["got_scores"][at]
        return [
            f"  the same documents, but the score at rank {rank} ({one['expected'][at]}):",
            f"  expected {scores[0]:.9f}",
            f"  got      {scores[1]:.9f}",
        ]
    return [
        f"  from rank {rank} of {k} on:",
        f"  expected {_ids(one['expected'], rank)}",
        f"  got      {_ids(one['got'], rank)}",
    ]


def _ids(ids: Sequence[str], rank: int) -> str:
    told = [printable(one) for one in ids[rank - 1 :]]
    return ", ".join(told) or "nothing more"


def _sum(data: Mapping[str, Any]) -> str:
    asked, identical, of = data["asked"], data["identical"], data["of"]
    which = f"{asked:,} questions" if asked == of else f"{asked:,} of {of:,} questions"
    scores = " and their scores" if data["scores"] else ", scores not compared"
    what = f"the first {data['k']} documents{scores}"
    if identical == asked:
        return f"Identical: all {which} return what was measured ({what})."
    return f"{identical:,} of {which} are identical, {asked - identical:,} are not ({what})."
