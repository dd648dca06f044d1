"""The one canonical hash: equal content gives equal bytes on every machine."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any


def fingerprint(value: Any) -> str:
    """SHA-256 (64 hex digits) of the canonical JSON of `value`.

    Takes None, bool, int, finite float, str, bytes, sequences, mappings with string keys, and
    dataclasses (as `[qualified class name, version, fields]`). ``1`` and ``1.0`` differ: values are
    coerced by their type hints before they come here.

    Raises
    ------
    TypeError, ValueError
        For anything else, and for NaN and infinities.
    """
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def part_fingerprint(value: Any) -> str:
    """`fingerprint` of one part of a larger whole, remembered: a sweep is made of the same few parts."""
    try:
        return _remembered(value)
    except TypeError:  # not hashable: nothing to remember it by
        return fingerprint(value)


@lru_cache(100_000)
def _remembered(value: Any) -> str:
    return fingerprint(value)


def canonical_json(value: Any) -> str:
    """JSON with sorted keys and no free white space, one text for one value."""
    return json.dumps(_plain(value), ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def class_name(cls: type) -> str:
    """The importable name of a class: its identity in hashes and in `_target_`."""
    return f"{cls.__module__}.{cls.__qualname__}"


def component_identity(component: Any, without: Sequence[str] = ()) -> list[Any]:
    """Class, version and fields of a dataclass, without the fields that have no effect."""
    names = [field.name for field in dataclasses.fields(component) if field.name not in without]
    fields = {name: getattr(component, name) for name in names}
    return [class_name(type(component)), getattr(component, "version", 1), fields]


def is_durable(part: Any) -> bool:
    """True if equal keys will mean equal values in other runs too.

    Our own classes change their stage's version with their values. A class from elsewhere can change from
    one run to the next while it is written; it is durable if it declares a `version`.
    """
    if not dataclasses.is_dataclass(part) or isinstance(part, type):
        return True
    own = type(part).__module__.partition(".")[0] == "rag_sweep" or hasattr(part, "version")
    return own and all(is_durable(getattr(part, field.name)) for field in dataclasses.fields(part))


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return _finite(value)
    if isinstance(value, bytes):
        return {"sha256": hashlib.sha256(value).hexdigest()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return _plain(component_identity(value))
    if isinstance(value, Mapping):
        return {_text_key(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence):
        return [_plain(item) for item in value]
    raise TypeError(f"no canonical form for {type(value).__name__}")


def _finite(value: float) -> float:
    if not math.isfinite(value):
        raise ValueError(f"no canonical form for {value}")
    return value + 0.0  # -0.0 becomes 0.0


def _text_key(key: Any) -> str:
    if not isinstance(key, str):
        raise TypeError(f"mapping keys must be strings, got {type(key).__name__}")
    return key
