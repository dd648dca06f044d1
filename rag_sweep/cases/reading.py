"""Files of cases and of answers; every fault of a file is listed at once."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, TypeVar

from rag_sweep.cases.records import Answer, Case, Cases, Context, Rubric
from rag_sweep.checks import is_count
from rag_sweep.dataset.fields import (
    Say,
    errors_at,
    id_of,
    ids_of,
    missing,
    nearest,
    question_text,
    text_of,
    twice,
)
from rag_sweep.dataset.jsonl import Row, read_rows, shown
from rag_sweep.errors import DataError, Fault

KEYS = ("id", "question", "context", "rubric", "reference", "evidence", "query_id", "tags")
RUBRIC = ("must_include", "must_not_include", "allow_cites", "max_words", "expect_refusal")
ANSWER = ("id", "answer", "model", "failure")

_Read = TypeVar("_Read", Case, Answer)


def read_cases(path: Path) -> Cases:
    """Cases of a JSONL file.

    Raises
    ------
    DataError
        With every error of the file: its line, its id, and what would be right.
    """
    return Cases(tuple(_read(path, "cases", _case)))


def read_answers(path: Path) -> dict[str, Answer]:
    """Answers of a JSONL file by the id of their case; errors as of `read_cases`."""
    return {answer.id: answer for answer in _read(path, "answers", _answer)}


def _read(path: Path, what: str, one: Callable[[Row, str, Say], _Read]) -> list[_Read]:
    faults: list[Fault] = []
    found: list[_Read] = []
    first: dict[str, int | None] = {}
    rows = read_rows(path, faults)
    for row in rows or []:
        before = len(faults)
        name = id_of(row.values, "id", errors_at(row.place, faults)) or ""
        error = errors_at(row.place, faults, name or None)
        if name in first:
            error(f"duplicate id: it is also the id of line {first[name]}")
        elif name:
            first[name] = row.place.line
        read = one(row, name, error)
        if len(faults) == before:
            found.append(read)
    if rows is not None and not rows and not faults:
        faults.append(Fault(f"has no {what}", path))
    if faults:
        raise DataError(faults)
    return found


def _known(values: Any, keys: Collection[str], error: Say, of: str = "") -> None:
    """A misspelt key would silently leave a rule out."""
    for key in values:
        if key not in keys:
            near = nearest(key, keys)
            meant = f' (is it "{near}"?)' if near else f"; there are {', '.join(keys)}"
            error(f'unknown key "{key}"{of}{meant}')


def _answer(row: Row, name: str, error: Say) -> Answer:
    values = row.values
    failure = text_of(values, "failure", error, "") or None
    _known(values, ANSWER, error)
    text = text_of(values, "answer", error, "" if failure else None)
    if failure and (text or "").strip():
        error('a line has an "answer", or the "failure" for which there is none, not both')
    return Answer(name, text or "", text_of(values, "model", error, "") or None, failure)


def _case(row: Row, name: str, error: Say) -> Case:
    values = row.values
    _known(values, KEYS, error)
    query = values.get("query_id")
    return Case(
        id=name,
        question=question_text(values, "question", error),
        context=_context(values, error),
        rubric=_rubric(values.get("rubric"), error),
        reference=text_of(values, "reference", error, "") or None,
        evidence=_flag(values, "evidence", error),
        query_id=None if query is None else id_of(values, "query_id", error),
        tags=tuple(_texts(values, "tags", error)),
    )


def _context(values: dict[str, Any], error: Say) -> tuple[Context, ...]:
    given = values.get("context")
    if not isinstance(given, list):
        error(
            missing(values, "context") if given is None else f'"context" must be a list, got {shown(given)}'
        )
        return ()
    parts = [_part(at, part, error) for at, part in enumerate(given)]
    for name in twice([part.id for part in parts if part]):
        error(f'"context" has the id "{name}" twice, so a citation of it says nothing')
    return tuple(part for part in parts if part)


def _part(at: int, part: Any, error: Say) -> Context | None:
    if not isinstance(part, dict):
        error(f'"context"[{at}] must be an object with "id" and "text", got {shown(part)}')
        return None
    _known(part, ("id", "text", "title"), error, f' in "context"[{at}]')
    name, text = id_of(part, "id", error), text_of(part, "text", error)
    title = text_of(part, "title", error, "")
    if name is None or text is None:
        return None
    return Context(name, f"{title}\n{text}" if title else text)


def _rubric(given: Any, error: Say) -> Rubric:
    if given is None:
        return Rubric()
    if not isinstance(given, dict):
        error(f'"rubric" must be an object, got {shown(given)}')
        return Rubric()
    _known(given, RUBRIC, error, ' in "rubric"')
    cites = None if given.get("allow_cites") is None else ids_of(given, "allow_cites", error)
    words = given.get("max_words")
    if words is not None and not is_count(words):
        error(f'"max_words" must be an int >= 1, got {shown(words)}')
        words = None
    return Rubric(
        must_include=_alternatives(given, error),
        must_not_include=tuple(_texts(given, "must_not_include", error)),
        allow_cites=None if cites is None else tuple(cites),
        max_words=words,
        expect_refusal=_flag(given, "expect_refusal", error),
    )


def _alternatives(given: dict[str, Any], error: Say) -> tuple[tuple[str, ...], ...]:
    entries = given.get("must_include")
    if entries is None:
        return ()
    if not isinstance(entries, list):
        error(f'"must_include" must be a list, got {shown(entries)}')
        return ()
    found = []
    for entry in entries:
        options = entry if isinstance(entry, list) else [entry]
        if not options or not all(isinstance(text, str) and text.strip() for text in options):
            error(f'"must_include" must hold non-empty strings, or lists of such, got {shown(entry)}')
            continue
        found.append(tuple(options))
    return tuple(found)


def _texts(values: dict[str, Any], key: str, error: Say) -> list[str]:
    given = values.get(key)
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(text, str) and text.strip() for text in given):
        error(f'"{key}" must be a list of non-empty strings, got {shown(given)}')
        return []
    return list(given)


def _flag(values: dict[str, Any], key: str, error: Say) -> bool | None:
    given = values.get(key)
    if given is None or isinstance(given, bool):
        return given
    error(f'"{key}" must be true or false, got {shown(given)}')
    return None
