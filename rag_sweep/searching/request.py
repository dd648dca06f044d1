"""What a search is asked: questions, and overrides of Hydra."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_sweep.config.asked import Asked
from rag_sweep.errors import UsageError

STDIN = "-"
"""The question that stands for the lines of stdin."""

IDLE = {
    **dict.fromkeys(("cutoffs", "objective", "evidence", "decide"), "nothing is measured: give k"),
    **dict.fromkeys(("resume", "dry_run"), "nothing is kept but the index, in the store"),
    "sweep": "one configuration searches",
    "execute": "one index is built, in this process",
}
"""Keys that nothing here could depend on, and why."""

_OVERRIDE = re.compile(r"(?:~|\+{0,2})[\w.@/-]+=|~[\w.@/-]+$")


@dataclass(frozen=True)
class Wish:
    """What is asked beside the overrides.

    Attributes
    ----------
    questions
        As they were typed; ``-`` for the lines of stdin.
    query_ids
        Of questions of the GOLD.
    k
        Documents to show, >= 1; None for the configuration's.
    champion
        ``models:/…`` or a folder; None for the promoted one, where nothing else is chosen.
    documents
        A folder or a JSONL file, instead of a dataset: there is no GOLD then.
    trust
        Import components of a champion that aren't rag-sweep's own.
    """

    questions: tuple[str, ...] = ()
    query_ids: tuple[str, ...] = ()
    k: int | None = None
    champion: str | None = None
    documents: Path | None = None
    trust: bool = False


def asked_of(overrides: Sequence[str], config_dir: str | None = None) -> Asked:
    """Compose the overrides of a search; errors as of `Asked.of`."""
    return Asked.of(overrides, config_dir, IDLE, "a search")


def parted(words: Sequence[str], has_ids: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The question, which stands first, and the overrides behind it.

    Parameters
    ----------
    has_ids
        True if questions of the GOLD are asked: then there may be overrides alone.

    Raises
    ------
    UsageError
        If there is no question, or one that wasn't put in quotes.
    """
    first = words[:1]
    if not words or (is_setting(words[0]) and has_ids):
        first = []
    if not first and not has_ids:
        raise UsageError('what is to be searched? rag-sweep search "a question in quotes"')
    rest = words[len(first) :]
    loose = [word for word in rest if not _OVERRIDE.match(word)]
    if loose and first:
        whole = " ".join([*first, *loose])
        raise UsageError(f'{loose[0]!r} is no override (key=value); put the question in quotes: "{whole}"')
    if first and is_setting(first[0]):
        raise UsageError(f"{first[0]!r} is an override: the question stands before it")
    return tuple(first), tuple(rest)


def is_setting(word: str) -> bool:
    """True for an override of a key or a group that there is; a question may hold an ``=`` too."""
    from rag_sweep.config.folder import PROMOTED, known_keys

    key = word.lstrip("+~").partition("=")[0]
    known = key in known_keys() or key.partition(".")[0] in (*known_keys(), PROMOTED)
    return bool(_OVERRIDE.match(word)) and known
