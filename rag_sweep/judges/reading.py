"""What a reply must hold, checked before anything of it counts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rag_sweep.judges.asking import Unreadable
from rag_sweep.llm.parsing import sayable


def texts(data: Mapping[str, Any], key: str) -> list[str]:
    """A list of texts that may be empty."""
    found = data.get(key)
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise Unreadable(f'"{key}" must be a list of texts')
    return [sayable(text.strip()) for text in found if text.strip()]


def flags(data: Mapping[str, Any], key: str, number: str, flag: str, count: int) -> list[bool]:
    """One flag for each of `count` things, numbered from 1, each exactly once."""
    rows = data.get(key)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise Unreadable(f'"{key}" must be a list of objects')
    numbers = [row.get(number) for row in rows]
    whole = all(isinstance(at, int) and not isinstance(at, bool) for at in numbers)
    if not whole or sorted(numbers) != list(range(1, count + 1)):
        raise Unreadable(f'"{key}" must have each "{number}" from 1 to {count} once')
    if not all(isinstance(row.get(flag), bool) for row in rows):
        raise Unreadable(f'"{flag}" must be true or false')
    found = {row[number]: row[flag] for row in rows}
    return [found[at] for at in range(1, count + 1)]


def grade(data: Mapping[str, Any], key: str, highest: int) -> int:
    """A whole number from 0."""
    found = data.get(key)
    if isinstance(found, bool) or not isinstance(found, int) or not 0 <= found <= highest:
        raise Unreadable(f'"{key}" must be a whole number from 0 to {highest}')
    return found


def covered(data: Mapping[str, Any]) -> list[tuple[str, bool]]:
    """Statements with whether they are covered, at least one."""
    rows = data.get("statements")
    if not isinstance(rows, list) or not rows or not all(isinstance(row, dict) for row in rows):
        raise Unreadable('"statements" must be a list of objects, at least one')
    for row in rows:
        if (
            not isinstance(row.get("text"), str)
            or not row["text"].strip()
            or not isinstance(row.get("covered"), bool)
        ):
            raise Unreadable('each statement must have "text", and "covered" as true or false')
    return [(sayable(row["text"].strip()), row["covered"]) for row in rows]
