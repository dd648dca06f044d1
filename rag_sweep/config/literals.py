"""Values as Hydra's override grammar writes them, so that parsing gives the very same value back."""

from __future__ import annotations

import re
from typing import Any

from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.core.override_parser.types import Quote, QuotedString
from hydra.errors import HydraException

from rag_sweep.errors import ConfigError

_WORDS = {None: "null", True: "true", False: "false"}
_BARE = re.compile(r"[A-Za-z_][A-Za-z0-9_.-]*")
_PARSER = OverridesParser.create()


def literal(value: Any) -> str:
    """`value` (None, bool, int, float, str, list or dict of them) in Hydra's grammar.

    Raises
    ------
    ConfigError
        For what the grammar can't say, such as a mapping with a key of other letters than ASCII.
    """
    text = _text(value)
    if not same(_read(text), value):
        raise ConfigError(f"{value!r} can't be written as an override of Hydra")
    return text


def same(one: Any, other: Any) -> bool:
    """Equal in value and in type all the way down: 1, 1.0 and true differ, NaN equals NaN."""
    return type(one) is type(other) and repr(one) == repr(other)


def _text(value: Any) -> str:
    if isinstance(value, list):
        return f"[{','.join(_text(item) for item in value)}]"
    if isinstance(value, dict):
        return f"{{{','.join(f'{_key(key)}:{_text(item)}' for key, item in value.items())}}}"
    if value is None or isinstance(value, bool):
        return _WORDS[value]
    if not isinstance(value, str):
        return repr(value)
    bare = _BARE.fullmatch(value) and same(_read(value), value)
    return value if bare else QuotedString(value, Quote.single).with_quotes()


def _key(key: Any) -> str:
    """A key of a mapping can't be quoted: what is no word is escaped."""
    return re.sub(r"([\\()\[\]{}:=, \t])", r"\\\1", key) if isinstance(key, str) else _text(key)


def _read(text: str) -> Any:
    """The value that `text` means behind ``key=``; what can't be read or is a sweep equals nothing."""
    try:
        parsed = _PARSER.parse_override(f"key={text}")
    except HydraException:
        return NotImplemented
    return NotImplemented if parsed.is_sweep_override() else parsed.value()
