"""The page of a comparison as one HTML file: styles, scripts and data inline, nothing is loaded."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from html import escape
from importlib.resources import files
from typing import Any

STYLES = (
    "base",
    "words",
    "controls",
    "decision",
    "leaderboard",
    "charts",
    "questions",
    "narrow",
    "print",
)
"""In the order of the cascade."""

SCRIPTS = (
    "core",
    "words",
    "glossary",
    "chart",
    "state",
    "decision",
    "filters",
    "wide",
    "columns",
    "leaderboard",
    "details",
    "knobs",
    "heat",
    "parallel",
    "cost",
    "curve",
    "map",
    "question",
    "rankings",
    "rest",
    "main",
)
"""In the order in which they run: ``core`` makes the one global name, ``main`` draws."""

_SLOT = re.compile(r"\{\{(\w+)\}\}")


def comparison_page(data: Mapping[str, Any], detail: Mapping[str, Any] | None) -> str:
    """The page, complete: it makes no request, so it works from a disk, a mail and a sandboxed frame.

    Parameters
    ----------
    data
        `Comparison.to_dict()`.
    detail
        `rag_sweep.comparing.detail.detail_of`: values question by question, and the finalists' rankings;
        without it the page has no map of questions and no rankings.

    Raises
    ------
    ValueError
        If a number is NaN or infinite.
    """
    slots = {
        "title": escape(_title(data)),
        "styles": "\n".join(_text(f"css/{name}.css") for name in STYLES),
        "data": _inline(data),
        "detail": _inline(detail),
        "scripts": "\n".join(_text(f"js/{name}.js") for name in SCRIPTS),
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], _text("page.html"))


def _title(data: Mapping[str, Any]) -> str:
    return f"{data['dataset']['name']}: {data['distinct']:,} configurations compared by {data['objective']}"


def _text(name: str) -> str:
    return files(__package__ or __name__).joinpath(name).read_text(encoding="utf-8")


def _inline(value: Any) -> str:
    """JSON that can't end the script element it stands in, whatever texts it holds."""
    told = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return told.replace("<", "\\u003c")
