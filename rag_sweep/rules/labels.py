"""Numbers that only label what stands behind them: of a list's items, and of steps."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_HEADS = "ответ|итог|итого|вывод|порядок|инструкция|шаги|answer|response|result|summary|instructions|steps"
_LINE = re.compile(
    rf"^[ \t]*(?:[-*•+] )?(?P<head>(?:{_HEADS}): ?)?(?P<number>\d{{1,3}})[.)][ \t]+(?=\S)",
    re.IGNORECASE | re.MULTILINE,
)
_STEP = re.compile(
    r"(?:^|(?<=[.!?;:,\]]))\s*(?:[-*•+] )?(?:step|шаг|этап) (?P<number>\d{1,2})(?:[.:)]| ?[–—-])(?=\s)",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSED = re.compile(r"\([^()\n]{0,300}\)|(?<![\w.,(/-])(?P<number>\d{1,2})\)(?=\s)")
"""``1)``, but not the end of «(пункт 1)»."""
_BRACKETED = re.compile(r"(?<!\w)\((?P<number>\d{1,2})\)(?=\s)")
_BEHIND_SENTENCE = re.compile(r"(?:^|(?<=[.!?;:]))\s*(?P<number>\d{1,2})\. +(?=[^\W\d_])")
_FRONT = re.compile(r"\s*(?:[-*•+] )?(?:(?:step|шаг|этап) )?\(?\d{1,3}[.:)](?=\s)", re.IGNORECASE)
DEEPEST = 5
"""Lists within lists that are followed."""


def labels(text: str) -> frozenset[int]:
    """Where the numbers stand that label something, and claim nothing.

    A line's first number with ``.`` or ``)`` is one in a row of such lines, or alone if it is 1; likewise
    «Шаг 1.» and ``Step 1:``. Inside a line ``1)``, ``(1)`` and ``1.`` behind a sentence are labels if they
    count on from 1.
    """
    found: set[int] = set()
    found.update(_in_order(_LINE.finditer(text), lone=True, anywhere=True))
    found.update(_in_order(_STEP.finditer(text), lone=True))
    for pattern in (_CLOSED, _BRACKETED, _BEHIND_SENTENCE):
        found.update(_in_order(pattern.finditer(text)))
    return frozenset(found)


def unlabelled(sentence: str) -> str:
    """A sentence without the label at its front."""
    return _FRONT.sub("", sentence, count=1) if _FRONT.match(sentence) else sentence


def _in_order(
    matches: Iterator[re.Match[str]], *, lone: bool = False, anywhere: bool = False
) -> Iterator[int]:
    """The places of numbers that count on by one, each list from 1; a list may hold others.

    Parameters
    ----------
    lone
        Whether a 1 that nothing follows is a list of one, if it isn't headed: «Ответ: 1.» may be an answer.
    anywhere
        Whether a row of two or more may begin with another number.
    """
    for row in _rows(match for match in matches if match["number"]):
        first = row[0]
        alone = lone and len(row) == 1 and not first.groupdict().get("head")
        if alone and int(first["number"]) == 1:
            yield first.start("number")
        elif len(row) > 1 and (anywhere or int(first["number"]) == 1):
            yield from (match.start("number") for match in row)


def _rows(numbered: Iterable[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Each number joins the innermost row that it continues, or begins its own."""
    done: list[list[re.Match[str]]] = []
    still: list[list[re.Match[str]]] = []
    for match in numbered:
        before = int(match["number"]) - 1
        depth = next((at for at in range(len(still), 0, -1) if int(still[at - 1][-1]["number"]) == before), 0)
        if depth == 0:
            done.append([match])
            still = [*still[1 - DEEPEST :], done[-1]]
        else:
            still = still[:depth]
            still[-1].append(match)
    return done
