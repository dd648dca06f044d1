"""What to say behind "doesn't exist": where the key exists, or the nearest right one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping

from rag_sweep.config.folder import answers_options, known_keys, options

LISTED = 16
"""Right words that an error names; longer lists tell nobody anything."""


def nearest(word: str, words: Iterable[str], prefix: str = "") -> str:
    """`: did you mean …?` with the nearest right word, or the list of them if it is short."""
    known = [str(w) for w in words]
    close = difflib.get_close_matches(word, known, 1, 0.6)
    dotted = f"{prefix}." if prefix else ""
    if close:
        return f": did you mean {dotted}{close[0]}?"
    return f"; there are {', '.join(dotted + w for w in known)}" if 0 < len(known) <= LISTED else ""


def hint(key: str) -> str:
    """The hint for a key of a configuration: ``lexical.k11`` is near ``lexical.k1``."""
    if key in known_keys():
        return _where_it_exists(key)
    group, dot, field = key.partition(".")
    if dot and (known := options().get(group)):
        return nearest(field, _fields(known), group)
    if dot and (known := answers_options().get(group)):
        homes = [f" under {group}={option}" if option else "" for option in known if field in known[option]]
        return f"; `rag-sweep answers` has it{homes[0]}" if homes else nearest(field, _fields(known), group)
    nested = [name for name in known_keys() if name.rpartition(".")[2] == key and name != key]
    if nested:
        return f": did you mean {' or '.join(nested)}?"
    top_level = [name for name in known_keys() if "." not in name]
    return nearest(key, top_level if not dot else known_keys())


def _where_it_exists(key: str) -> str:
    """`; it exists under chunker=fixed` for a key of another option, else an empty text."""
    group, _, field = key.partition(".")
    homes = [f"{group}={option}" for option, fields in options().get(group, {}).items() if field in fields]
    return f"; it exists under {', '.join(homes)}" if homes else ""


def _fields(options: Mapping[str, Iterable[str]]) -> dict[str, None]:
    return dict.fromkeys(name for names in options.values() for name in names)
