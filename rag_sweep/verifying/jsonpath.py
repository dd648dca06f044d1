"""A small language for "where in this JSON": ``hits[*].id``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from rag_sweep.errors import ConfigError, ServiceError

EVERY = "*"

_STEP = re.compile(
    r"\.?(?P<name>[^.\[\]\s]+)|\[(?P<number>\d+)\]|\[(?P<every>\*)\]|\[\"(?P<quoted>[^\"]+)\"\]"
)
_SHOWN = 80


@dataclass(frozen=True)
class JsonPath:
    """Steps into JSON: names, numbers of items, and ``*`` for each item.

    Attributes
    ----------
    text
        As it was typed.
    """

    text: str
    steps: tuple[str | int, ...]

    @classmethod
    def parse(cls, text: str, key: str) -> JsonPath:
        """Read a path: names, ``[3]``, ``[*]``, and ``["a name"]`` for one with dots or brackets.

        Raises
        ------
        ConfigError
            For anything else.
        """
        steps: list[str | int] = []
        at = 0
        while at < len(text):
            match = _STEP.match(text, at)
            if match is None or (match["name"] and at and text[at] != "."):
                break
            steps.append(int(match["number"]) if match["number"] else _name(match))
            at = match.end()
        if at < len(text) or not steps:
            raise ConfigError(
                f"{key} must be a path such as hits[*].id: names, [0], [*]; got {text!r}, of which "
                f"{text[at:]!r} can't be read"
            )
        return cls(text, tuple(steps))

    def values(self, data: Any) -> list[Any]:
        """What the path leads to, in order.

        Raises
        ------
        ServiceError
            Where it leads nowhere: what is missing, and what is there.
        """
        found = [data]
        for number, step in enumerate(self.steps):
            found = [each for one in found for each in self._next(one, step, number)]
        return found

    def _next(self, node: Any, step: str | int, number: int) -> list[Any]:
        if step == EVERY and isinstance(node, list):
            return node
        if isinstance(step, int) and isinstance(node, list) and step < len(node):
            return [node[step]]
        if isinstance(step, str) and step != EVERY and isinstance(node, dict) and step in node:
            return [node[step]]
        raise ServiceError(f"the answer has no {self.text}: {self._until(number)} is {_told(node)}")

    def _until(self, number: int) -> str:
        told = "".join(
            f"[{step}]" if isinstance(step, int) or step == EVERY else f".{step}"
            for step in self.steps[:number]
        )
        return told.lstrip(".") or "it"


def _name(match: re.Match[str]) -> str:
    return match["quoted"] or match["every"] or match["name"]


def _told(node: Any) -> str:
    if isinstance(node, dict):
        return f"an object with {', '.join(map(str, list(node)[:10])) or 'nothing'}"
    if isinstance(node, list):
        return f"a list of {len(node)}"
    return f"{node!r:.{_SHOWN}}"
