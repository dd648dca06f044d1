"""JSON out of what a model wrote."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = re.compile(r"```(?:json)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)
_BEGUN = re.compile(r'\{\s*"')
_THOUGHTS = re.compile(r"\s*<(think|thinking|thought|reasoning)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_DECODER = json.JSONDecoder()


def json_object(text: str) -> dict[str, Any] | None:
    """The first JSON object of a text, whatever stands around it; None if there is no whole one."""
    fenced = _FENCE.search(text)
    for part in ([fenced[1]] if fenced else []) + [text]:
        found = _first_object(part)
        if found is not None:
            return found
    return None


def without_thoughts(text: str) -> str:
    """What a model that thinks first has said in the end; "" if it never came to that."""
    found = _THOUGHTS.match(text)
    return text[found.end() :].lstrip() if found else text


def sayable(text: str) -> str:
    """A text that UTF-8 can say: half of a surrogate pair, which JSON can escape, becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _first_object(text: str) -> dict[str, Any] | None:
    at = text.find("{")
    while at >= 0:
        try:
            value, _ = _DECODER.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict):
            return value
        if _BEGUN.match(text, at):
            return None  # cut off: an object inside it isn't what was asked for
        at = text.find("{", at + 1)
    return None
