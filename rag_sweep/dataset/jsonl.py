"""JSONL: one JSON object a line, with every broken line listed."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.dataset.places import Place, read_text
from rag_sweep.errors import Fault

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")


@dataclass(frozen=True, slots=True)
class Row:
    """The object of one line."""

    place: Place
    values: dict[str, Any]


def read_rows(path: Path, faults: list[Fault]) -> list[Row] | None:
    """The objects of a JSONL file; empty lines are skipped, every broken line is a fault.

    Strict where Python's own parser isn't: a key given twice, NaN and infinities, and half of a
    surrogate pair are faults. None where the file as a whole can't be read.
    """
    text = read_text(path, faults)
    return None if text is None else rows_of(path, text, faults)


def rows_of(path: Path, text: str, faults: list[Fault]) -> list[Row] | None:
    """As `read_rows`, of the file's text."""
    # Only \n ends a line: U+2028 and its like may stand inside a JSON string.
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if lines and (lines[0][1].strip() == "{" or lines[0][1].lstrip().startswith("[")):
        faults.append(Fault("isn't JSONL: it must hold one JSON object in each line", path, lines[0][0]))
        return None
    return [row for number, line in lines if (row := _row(Place(path, number), line, faults))]


def _row(place: Place, line: str, faults: list[Fault]) -> Row | None:
    try:
        values = _parse(line)
    except json.JSONDecodeError as error:
        faults.append(place.fault(f"broken JSON: {error.msg.removesuffix(' at')} at column {error.colno}"))
    except RecursionError:
        faults.append(place.fault("broken JSON: nested too deeply"))
    except ValueError as error:
        faults.append(place.fault(f"broken JSON: {error}"))
    else:
        if isinstance(values, dict):
            return Row(place, values)
        faults.append(place.fault(f"must be a JSON object, got {shown(values)}"))
    return None


def _parse(line: str) -> Any:
    values = _DECODER.decode(line.strip())
    if _SURROGATE.search(line):
        try:
            json.dumps(values, ensure_ascii=False).encode("utf-8")
        except UnicodeEncodeError:
            raise ValueError("half of a surrogate pair (\\ud800 to \\udfff) is no character") from None
    return values


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for at, key in enumerate(keys) if key in keys[:at])
        raise ValueError(f'the key "{twice}" is given twice')
    return values


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON number")


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_no_number)


def shown(value: Any, width: int = 60) -> str:
    """A JSON value as messages show it: scalars as JSON, cut to `width`; containers by their kind."""
    if isinstance(value, list):
        return "a list"
    if isinstance(value, dict):
        return "an object"
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= width else text[: width - 1] + "…"
