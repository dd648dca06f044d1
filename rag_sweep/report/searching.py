"""Answers of a search in the terminal: each document with its passage, and why it stands there."""

from __future__ import annotations

import itertools
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import Any

from rag_sweep.comparison.words import counted, listed, share
from rag_sweep.report.comparison_rows import named
from rag_sweep.report.difference import CLOSES, OPENS
from rag_sweep.report.printable import printable

LONGEST, BEFORE = 480, 60
"""Characters of a passage that are shown, and of them before the first word of the question."""

Data = dict[str, Any]
Terms = dict[str, Data]
"""The question's tokens by their text."""

Piece = tuple[str, str]
"""A piece of a text with its style."""

MATCH, EVIDENCE, RELEVANT = "bold", "yellow", "bold green"


def answer_text(answer: Data, k: int, whole: bool = False) -> list[Any]:
    """Things for rich: the question, then each document that was found.

    Parameters
    ----------
    answer
        As `Answer.to_dict` gives it; with an explanation in it, each document is explained.
    whole
        Show passages to their end.
    """
    terms = {term["term"]: term for term in answer["terms"]}
    lines: list[Any] = [_question(answer), *_gold(answer)]
    if answer["unknown"] and answer["hits"]:
        unknown = [_word(terms, token) for token in answer["unknown"]]
        lines.append(_text(f"in no document: {listed(unknown)}", "dim"))
    if answer["note"]:
        lines.append(_text(answer["note"]))
    if "explanation" in answer:
        lines += [_text(line, "dim") for line in _how(answer["explanation"], answer["tokens"])]
    for hit in answer["hits"]:
        lines += ["", _head(hit), _passage(hit, terms, whole)]
        if "why" in hit:
            told = [*_terms(hit["why"], terms), *_branches(hit["why"], answer["explanation"])]
            lines += [_text(f"    {line}", "dim") for line in told]
    found = len(answer["hits"])
    if 0 < found < k:
        lines += ["", _text(f"{counted(found, 'document')} in all: no other one is a candidate", "dim")]
    return lines


def _word(known: Terms, token: str) -> str:
    """The word of the question that a token comes from."""
    return printable(known[token]["word"])


def _question(answer: Data) -> Any:
    name = f"{printable(answer['query_id'])}: " if "query_id" in answer else ""
    return _text(f"{name}{_in_a_line(answer['question'])}", "bold")


def _gold(answer: Data) -> list[Any]:
    """What the GOLD wants, and where it stands."""
    if "query_id" not in answer:
        return []
    if not answer["relevant"]:
        return [_text("the gold says that no document answers it")]
    found = [one for one in answer["relevant"] if one["rank"]]
    missing = [named(one["doc_id"]) for one in answer["relevant"] if not one["rank"]]
    ranks = [f"{named(one['doc_id'])} at rank {one['rank']}" for one in found]
    told = [listed(ranks)] if ranks else []
    told += [f"not among the candidates: {listed(missing)}"] if missing else []
    lines = [_text(f"relevant (✓): {'; '.join(told)}")]
    if any(hit["evidence"] for hit in answer["hits"]):
        lines.append(_text(f"evidence stands between {OPENS} and {CLOSES}"))
    return lines


def _head(hit: Data) -> Any:
    relevant = (hit.get("grade") or 0) > 0
    text = _text(f"{hit['rank']:>2}  ")
    text.append(f"{'✓ ' if relevant else ''}{printable(hit['doc_id'])}", RELEVANT if relevant else "bold")
    if hit["title"]:
        text.append("  ")
        marks = [(one["start"], one["end"], MATCH) for one in hit["title_matches"]]
        for piece, style in _styled(hit["title"], 0, len(hit["title"]), marks):
            text.append(printable(piece), f"italic {style}".strip())
    text.append(f"  {hit['score']:.6g}", "dim")
    return text


def _passage(hit: Data, terms: Terms, whole: bool) -> Any:
    """The passage in an indented block, its words and its evidence marked; cut where it is long."""
    start, text = hit["start"], hit["text"]
    matches = [{**one, "start": one["start"] - start, "end": one["end"] - start} for one in hit["matches"]]
    evidence = [(first - start, last - start) for first, last in hit.get("evidence", ())]
    begin, end = (0, len(text)) if whole else _window(text, matches, evidence, terms)
    marks = [(one["start"], one["end"], MATCH) for one in matches]
    marks += [(*one, EVIDENCE) for one in evidence]
    made = _text("")
    for piece, style in _one_spaced(_framed(text, begin, end, marks, evidence)):
        made.append(piece, style)
    if not text.strip():
        made.append("(an empty passage)", "dim")
    from rich.padding import Padding

    return Padding(made, (0, 0, 0, 4), expand=False)


def _window(
    text: str, matches: Sequence[Data], evidence: Sequence[tuple[int, int]], terms: Terms
) -> tuple[int, int]:
    """The part that is shown: around evidence, or else where the rarest words of the question stand."""
    if len(text) <= LONGEST:
        return 0, len(text)
    places = [one["start"] for one in matches]
    starts = [start for start, _ in evidence[:1]] or places or [0]

    def worth(start: int) -> tuple[float, int, int]:
        end = _begin(start) + LONGEST
        near = matches[bisect_left(places, start) : bisect_left(places, end)]
        inside = [one["tokens"] for one in near if one["end"] <= end]
        rare = sorted(1.0 / max(1, terms[token]["df"]) for token in set().union(*inside))
        return sum(rare), len(inside), -start

    begin = _begin(max(starts, key=worth))
    begin = min(begin, len(text) - LONGEST)
    end = begin + LONGEST
    while begin and not text[begin - 1].isspace() and end - begin < LONGEST + BEFORE:
        begin -= 1  # no word is cut, unless it is very long
    while end < len(text) and not text[end].isspace() and end - begin < LONGEST + 2 * BEFORE:
        end += 1
    return begin, end


def _begin(start: int) -> int:
    return max(0, start - BEFORE)


def _framed(
    text: str,
    begin: int,
    end: int,
    marks: Iterable[tuple[int, int, str]],
    evidence: Sequence[tuple[int, int]],
) -> list[Piece]:
    """A part of a text in styled pieces, with dots where it is cut and signs around evidence."""
    signs = {start: OPENS for start, _ in evidence if begin <= start < end}
    ends = {stop: CLOSES for _, stop in evidence if begin < stop <= end}
    found: list[Piece] = [("…", "")] if begin else []
    at = begin
    for piece, style in _styled(text, begin, end, marks, cuts=(*signs, *ends)):
        if at in signs:
            found.append((OPENS, EVIDENCE))
        found.append((piece, style))
        at += len(piece)
        if at in ends:
            found.append((CLOSES, EVIDENCE))
    return [*found, ("…", "")] if end < len(text) else found


def _styled(
    text: str, begin: int, end: int, marks: Iterable[tuple[int, int, str]], cuts: Iterable[int] = ()
) -> list[Piece]:
    """A part of a text, cut wherever a style begins or ends."""
    inside = [(max(start, begin), min(stop, end), style) for start, stop, style in marks]
    inside = [mark for mark in inside if mark[0] < mark[1]]
    borders = {begin, end, *cuts, *(place for start, stop, _ in inside for place in (start, stop))}
    return [
        (text[a:b], " ".join(style for start, stop, style in inside if start <= a and b <= stop))
        for a, b in itertools.pairwise(sorted(borders))
    ]


def _one_spaced(pieces: Iterable[Piece]) -> list[Piece]:
    """The same without what a terminal obeys; any white space is one space."""
    found, spaced = [], True
    for piece, style in pieces:
        kept = []
        for sign in printable(piece):
            if not (sign.isspace() and spaced):
                kept.append(" " if sign.isspace() else sign)
            spaced = sign.isspace()
        found.append(("".join(kept), style))
    if found and found[-1][0].endswith(" "):
        found[-1] = found[-1][0][:-1], found[-1][1]
    return found


def _how(explanation: Data, tokens: Sequence[str]) -> list[str]:
    """The whole search in two lines."""
    told = [f"{name} {number:,}" for name, number in explanation["candidates"].items()]
    chain = [explanation["lexical"], explanation["fusion"], explanation["reranker"]]
    return [
        f"tokens: {' '.join(map(printable, tokens)) or 'none'}",
        f"{explanation['passages']:,} passages of {explanation['mean_words']:.1f} tokens on average; "
        f"candidates: {', '.join(told)}; {' → '.join(one for one in chain if one)}",
    ]


def _terms(why: Data, known: Terms) -> list[str]:
    """A line for each token that adds something, the most first."""
    added = sorted((one for one in why["terms"] if one["score"]), key=lambda one: -one["score"])
    width = max((len(printable(one["term"])) for one in added), default=0)
    lines = []
    for one in added:
        term = known[one["term"]]
        idf = "" if term["idf"] is None else f"  idf {term['idf']:.4f}"
        times = f"  ×{term['times']} in the question" if term["times"] > 1 else ""
        told = f"{printable(one['term']):<{width}}  +{one['score']:.4f}  tf {one['tf']}  df {term['df']}"
        lines.append(told + idf + times)
    absent = [_word(known, one["term"]) for one in why["terms"] if not one["tf"] and known[one["term"]]["df"]]
    return [*lines, *([f"not in this passage: {listed(absent)}"] if absent else [])]


def _branches(why: Data, explanation: Data) -> list[str]:
    """A line for each branch, and one for the reranker."""
    lines = []
    for one in why["branches"]:
        known = explanation["candidates"].get(one["name"])
        rank = f"rank {one['rank']} of {known}" if one["rank"] else "not among its candidates"
        place = "for the reranker" if known is None else rank
        lines.append(f"{one['name']}: score {one['score']:.6g}, {place}{_adds(one, why)}")
    return [*lines, *_reranked(why, explanation)]


def _adds(branch: Data, why: Data) -> str:
    if branch["share"] is None or len(why["branches"]) == 1:
        return ""
    part = f" ({share(branch['share'] / why['fused_score'])})" if why["fused_score"] > 0 else ""
    return f", adds {branch['share']:.6g}{part}"


def _reranked(why: Data, explanation: Data) -> list[str]:
    if explanation["reranker"] is None:
        return []
    before = f"rank {why['fused_rank']} (score {why['fused_score']:.6g})"
    if not why["is_reranked"]:
        return [f"{explanation['reranker']}: not looked at, it stays behind the others; before: {before}"]
    return [f"{explanation['reranker']}: passage from {before} to rank {why['passage_rank']}"]


def _in_a_line(text: str) -> str:
    return " ".join(printable(text).split())


def _text(text: str, style: str = "") -> Any:
    from rich.text import Text

    return Text(text, style=style)
