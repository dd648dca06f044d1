"""Files that a gate reads: reports of earlier gates, and known misses."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from rag_sweep.errors import DataError, Fault
from rag_sweep.scorecard import Scorecard

REPORT = "report.json"


def read_report(path: Path) -> Scorecard:
    """The scorecard of a report, or of a file that is one; `path` may be the folder of a report.

    Raises
    ------
    DataError
        If it can't be read or holds none.
    """
    file = path / REPORT if path.is_dir() else path
    data = _json(file)
    inner = data.get("scorecard", data) if isinstance(data, dict) else data
    if not isinstance(inner, dict) or "gold_hash" not in inner:
        told = "holds no scorecard: take the report.json that `rag-sweep gate … --out FOLDER` wrote"
        raise DataError(Fault(told, file=file))
    return Scorecard.from_dict(inner, file)


_COMMENT = re.compile(r"(?:^|\s)#.*")  # an id may hold a #


def read_known_misses(path: Path) -> tuple[str, ...]:
    """Ids of questions, one a line; behind a ``#`` at the start or after a blank stands why it is known.

    Raises
    ------
    DataError
        If it can't be read.
    """
    lines = (_COMMENT.sub("", line).strip() for line in _text(path).splitlines())
    return tuple(dict.fromkeys(line for line in lines if line))


def _json(path: Path) -> Any:
    try:
        return json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise DataError(Fault(f"is no JSON: {error}", file=path)) from error


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(Fault(f"can't be read: {error.strerror or error}", file=path)) from error
    except UnicodeDecodeError as error:
        raise DataError(Fault("is no text in UTF-8", file=path)) from error
