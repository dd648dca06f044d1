"""Values of a line's keys: ids, texts and lists, each with the one message that says what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from typing import Any

from rag_sweep.dataset.jsonl import shown
from rag_sweep.dataset.places import Place
from rag_sweep.errors import Fault

Say = Callable[[str], None]
"""Takes the text of a fault; the caller knows file, line and id."""


def errors_at(place: Place, faults: list[Fault], id: str | None = None) -> Say:
    """What adds an error at one place, under one id, to the faults."""
    return lambda what: faults.append(place.fault(what, id))


LARGEST_GRADE = 1000
"""The gain 2^grade - 1 is a float64: sums of much larger ones would overflow."""

AN_ID = "a non-empty string or an int"


def as_id(value: Any) -> str | None:
    """An id: a string that isn't blank, or an int, which becomes its digits. None for anything else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    return value if isinstance(value, str) and value.strip() else None


def id_of(values: Mapping[str, Any], key: str, error: Say) -> str | None:
    """The id under a key that must be there."""
    if values.get(key) is None:
        error(missing(values, key))
        return None
    found = as_id(values[key])
    if found is None:
        error(f'"{key}" must be {AN_ID}, got {shown(values[key])}')
    return found


def ids_of(values: Mapping[str, Any], key: str, error: Say) -> list[str] | None:
    """The list of ids under a key that must be there; it may be empty."""
    if values.get(key) is None:
        error(missing(values, key))
        return None
    if not isinstance(values[key], list):
        error(f'"{key}" must be a list of ids, got {shown(values[key])}')
        return None
    found = [as_id(value) for value in values[key]]
    wrong = [shown(value) for value, name in zip(values[key], found, strict=True) if name is None]
    if wrong:
        error(f'"{key}" must hold ids ({AN_ID}), got {", ".join(wrong[:5])}')
        return None
    return [name for name in found if name is not None]


def text_of(values: Mapping[str, Any], key: str, error: Say, default: str | None = None) -> str | None:
    """The string under a key; `default` where there is none or null, and a fault where that is None too."""
    value = values.get(key)
    if value is None:
        if default is None:
            error(missing(values, key))
        return default
    if isinstance(value, str):
        return value
    error(f'"{key}" must be a string, got {shown(value)}')
    return None


def missing(values: Mapping[str, Any], key: str) -> str:
    """What to say of a key that isn't there, with the key that was perhaps meant."""
    if key in values:
        return f'"{key}" is null'
    near = nearest(key, values)
    return f'has no "{key}"' + (f' (is it "{near}"?)' if near else "")


def nearest(name: str, names: Collection[str]) -> str | None:
    """The one of `names` that is nearest to a misspelt one, if any is near."""
    import difflib

    by_form = {other.strip("_ ").casefold(): other for other in names}
    close = difflib.get_close_matches(name.strip("_ ").casefold(), by_form, n=1, cutoff=0.75)
    return by_form[close[0]] if close else None


def twice(names: list[str]) -> list[str]:
    """The names that occur more than once, in order, each once."""
    return [name for name, count in Counter(names).items() if count > 1]


def question_text(values: Mapping[str, Any], key: str, error: Say) -> str:
    """The text of a question, which must not be blank; "" where it is wrong."""
    text = text_of(values, key, error)
    if text is not None and not text.strip():
        error("empty question")
    return text or ""
