"""The clauses of an answer."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import lru_cache

from rag_sweep.rules.markers import Sentence, sentences

CONTRAST = r"(?:but|however|though|although|whereas|но|однако|хотя|зато|тогда как)\b"
_BORDER = re.compile(
    rf";\s+|(?<!\bnothing)(?<!\banything)(?<!\ball)(?:,|(?<![\s,]))\s++(?={CONTRAST})"
    r"|,\s+(?=(?:while|yet|(?:and )?nothing|а|(?:и )?ничего|ни слова)\b)",
    re.IGNORECASE,
)
_CONCESSION = re.compile(r"\W*(?:although|though|while|хотя|пусть)\b[^,;.]*,\s+", re.IGNORECASE)


def clauses(text: str, citable: Collection[str]) -> tuple[Sentence, ...]:
    """The clauses of an answer, each with what it cites: parted by a semicolon, by ``but`` and its like."""
    return _clauses(text, tuple(citable))


@lru_cache(maxsize=64)
def _clauses(text: str, citable: tuple[str, ...]) -> tuple[Sentence, ...]:
    return sentences(text, citable, _borders)


def _borders(sentence: str) -> Iterator[int]:
    concession = _CONCESSION.match(sentence)
    first = concession.end() if concession else 0
    if concession:
        yield first
    yield from (
        match.end() for match in _BORDER.finditer(sentence, first) if sentence[: match.start()].strip()
    )
