"""JSON out of what a model wrote, in a time that grows with its length and no faster."""

from __future__ import annotations

import json
import re
from typing import Any

_FENCE = "```"
_BEGUN = re.compile(r'\{(?:\s*+"|[ \t\r\n]*+\})')
"""How an object begins; a brace before anything else is none, and isn't tried."""
_TAG = re.compile(r"<(/?)(think|thinking|thought|reasoning)>", re.IGNORECASE)
_DECODER = json.JSONDecoder()


def json_object(text: str) -> dict[str, Any] | None:
    """The first JSON object of a text, whatever stands around it; None if there is no whole one."""
    for part in (_fenced(text), text):
        found = _first_object(part)
        if found is not None:
            return found
    return None


def without_thoughts(text: str) -> str:
    """What a model that thinks first has said in the end; "" if it never came to that.

    Some chat templates open the thoughts in the prompt, so that a reply has only their end.
    """
    first = _TAG.search(text)
    if first is None or (not first[1] and text[: first.start()].strip()):
        return text
    end = first if first[1] else _end_of(first[2], text, first.end())
    return "" if end is None else text[end.end() :].lstrip()


def _end_of(tag: str, text: str, start: int) -> re.Match[str] | None:
    """Where the thoughts that a tag has opened end."""
    return re.compile(f"</{tag}>", re.IGNORECASE).search(text, start)


def sayable(text: str) -> str:
    """A text that UTF-8 can say: half of a surrogate pair, which JSON can escape, becomes U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _fenced(text: str) -> str:
    """What stands between the first two fences; "" without them."""
    _, _, rest = text.partition(_FENCE)
    inner, closing, _ = rest.partition(_FENCE)
    return inner if closing else ""


def _first_object(text: str) -> dict[str, Any] | None:
    """What begins first is the only one that is tried: if it is cut off, one inside it wasn't asked for."""
    begun = _BEGUN.search(text)
    if begun is None:
        return None
    try:
        value, _ = _DECODER.raw_decode(text, begun.start())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
