"""The clauses of an answer, and which of them only point to something else than what was asked."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from rag_sweep.analyzer import StemmedAnalyzer
from rag_sweep.rules.markers import Sentence, sentences

_CONTRAST = r"(?:but|however|though|although|whereas|но|однако|хотя|зато|тогда как)\b"
_BORDER = re.compile(
    rf";\s+|(?<!\bnothing)(?<!\banything)(?<!\ball),?\s+(?={_CONTRAST})"
    r"|,\s+(?=(?:while|yet|(?:and )?nothing|а|(?:и )?ничего|ни слова)\b)",
    re.IGNORECASE,
)
_CONCESSION = re.compile(r"\W*(?:although|though|while|хотя|пусть)\b[^,;.]*,\s+", re.IGNORECASE)
_BEGINS = re.compile(rf"\W*{_CONTRAST}", re.IGNORECASE)
_ASKING = """
    how much many what when where who whom which why is are can could do does may any there please tell
    сколько какой какая какое какие какого каков какова как когда где куда кто кому чем почему зачем можно ли
    есть нужно будет подскажите скажите
    """
_STEMS = StemmedAnalyzer(stop_words="short", extra_stop_words=tuple(_ASKING.split()))
_WH = re.compile(
    r"\b(?:how|what|when|where|who|whom|which|why|скольк\w+|как\w*|когда|где|куда|кто|кому|чем|почему|зачем)\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"\b(?:that|this|it|these|your question|the question|об этом|это|этого|этому|так(?:ой|их|ого)|тут|здесь"
    r"|на (?:этот|ваш|данный) вопрос)\b",
    re.IGNORECASE,
)
_HEDGED = re.compile(
    r"\b(?:explicit|exact|direct|precise|specific|прям|явн|точн|конкретн|однозначн)\w*", re.IGNORECASE
)
_SAYS = "cover|mention|say|describe|state|list|give|contain|find|found|see|is|are"
_SAID = r"(?:говорится|сказано|указан\w*|описан\w*|упомина\w+|упомянут\w*|есть|наш[ле]\w+)"
_ONLY = re.compile(
    rf"\b(?:only|just|merely) (?:{_SAYS})s?\b|\b(?:{_SAYS})s? only\b"
    rf"|\b(?:только|лишь) (?:об?|про|{_SAID})\b|\b{_SAID} (?:только|лишь)\b",
    re.IGNORECASE,
)
FEWEST_WORDS, SHORT, MOST = 2, 4, 0.5
"""Words of a clause that says something; most of one that refuses as a whole; share of a question's words."""


def clauses(text: str, citable: Collection[str]) -> tuple[Sentence, ...]:
    """The clauses of an answer, each with what it cites: parted by a semicolon, by ``but`` and its like."""
    return sentences(text, citable, _borders)


def _borders(sentence: str) -> Iterator[int]:
    concession = _CONCESSION.match(sentence)
    first = concession.end() if concession else 0
    if concession:
        yield first
    yield from (
        match.end() for match in _BORDER.finditer(sentence, first) if sentence[: match.start()].strip()
    )


def says_something(clause: str) -> bool:
    """True if it has words beside its citation."""
    return len(_STEMS.tokens(clause)) >= FEWEST_WORDS


def only_points(question: str, refusing: str, other: str) -> bool:
    """True if one part of an answer refuses what was asked, and the other speaks of something else.

    Where the other part may answer after all it is False: if the question asks for several things, if what
    is refused is only that it is said *explicitly*, or if the other part has words of the question that the
    refusing one hasn't.
    """
    asked = _words(question)
    if not asked or len(_WH.findall(question)) > 1 or _HEDGED.search(refusing):
        return False
    denied, said = asked & _words(refusing), asked & _words(other)
    whole = bool(_WHOLE.search(refusing)) or len(refusing.split()) <= SHORT
    if _ONLY.search(other):
        return whole or len(denied) > len(said)
    if not said:
        return len(denied) >= MOST * len(asked) or (whole and not _BEGINS.match(other))
    return denied == asked and said != asked


@lru_cache(maxsize=1024)
def _words(text: str) -> frozenset[str]:
    return frozenset(_STEMS.tokens(text))
