"""Thresholds as a file that people keep: every one with its reason and date, and none lowered in silence.

format: 1
mode: {value: regression, reason: the default, date: 2026-11-30}
minima:
  recall@5: {value: 0.80, reason: release 1.4 minus its noise, date: 2026-11-30}
max_drop:
  all: {value: 0.03, reason: what this gold can tell from noise, date: 2026-11-30}
removed:
  minima.hit@5: {reason: the same as recall@5 here, date: 2026-11-30}
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_sweep.errors import ConfigError, DataError, Fault
from rag_sweep.gate.thresholds import ALL, Thresholds

FORMAT = 1
"""The version of the layout; another one isn't read."""

SECTIONS = ("minima", "max_drop")
SETTINGS = ("mode", "alpha")
"""Single entries, with their defaults in `Thresholds`."""

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")


@dataclass(frozen=True)
class Entry:
    """A threshold, or (without a value) that there is none any more: why, and since when."""

    value: Any
    reason: str
    date: str


@dataclass(frozen=True)
class Policy:
    """A file of thresholds.

    Attributes
    ----------
    source
        Where it was read from, for people.
    entries
        By key: ``minima.recall@5``, ``max_drop.all``, ``mode``, ``alpha``.
    removed
        Entries that a former version had, each with the reason why it has gone.
    """

    source: str
    entries: Mapping[str, Entry] = field(default_factory=dict)
    removed: Mapping[str, Entry] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Policy:
        """Read a YAML file.

        Raises
        ------
        DataError
            If it can't be read or is none, naming the file and the key.
        """
        from rag_sweep.gate.plainyaml import load

        return cls.of(load(path), str(path))

    @classmethod
    def of(cls, data: object, source: str) -> Policy:
        """From plain data.

        Raises
        ------
        DataError
            As `read`.
        """
        reading = _Reading(source)
        whole = reading.mapping(data, "the file")
        if whole.get("format") != FORMAT:
            raise reading.fault(f"format must be {FORMAT}, got {whole.get('format')!r}")
        known = ("format", *SETTINGS, *SECTIONS, "removed")
        for key in whole:
            if key not in known:
                raise reading.fault(f"{key} is no key of thresholds; there are {', '.join(known)}")
        entries = {key: reading.entry(whole[key], key) for key in SETTINGS if key in whole}
        for section in SECTIONS:
            for key, value in reading.mapping(whole.get(section, {}), section).items():
                entries[f"{section}.{key}"] = reading.entry(value, f"{section}.{key}")
        gone = reading.mapping(whole.get("removed", {}), "removed")
        removed = {key: reading.entry(v, f"removed.{key}", valued=False) for key, v in gone.items()}
        for key in removed:
            if key in entries:
                raise reading.fault(f"removed.{key} is said to be removed, yet it is there")
        found = cls(source, entries, removed)
        reading.checked(found)
        return found

    def section(self, name: str) -> dict[str, float]:
        """The values of a section by their keys there."""
        start = f"{name}."
        return {
            key.removeprefix(start): one.value for key, one in self.entries.items() if key.startswith(start)
        }

    def thresholds(self) -> Thresholds:
        """What it says."""
        settings = {key: self.entries[key].value for key in SETTINGS if key in self.entries}
        return Thresholds(self.section("minima"), self.section("max_drop") or None, **settings)

    def to_dict(self) -> dict[str, Any]:
        """As plain data: the inverse of `of`."""
        found: dict[str, Any] = {"format": FORMAT}
        for key, one in self.entries.items():
            head, _, name = key.partition(".")
            if name:
                found.setdefault(head, {})[name] = vars(one)
            else:
                found[head] = vars(one)
        if self.removed:
            told = {key: {"reason": one.reason, "date": one.date} for key, one in self.removed.items()}
            found["removed"] = told
        return found


def lowered(now: Policy, before: Policy) -> dict[str, str]:
    """What was lowered since `before` without a new reason: a sentence by the key of each.

    A minimum that sinks or goes, a largest drop that rises or goes, the weaker mode, a larger alpha. A reason
    is new if its words aren't those of before.
    """
    found = {}
    for key in dict.fromkeys([*before.entries, *now.entries]):
        was = before.entries.get(key) or _general(before, key)
        if was is None:
            continue
        own = now.entries.get(key)
        is_now = own or _general(now, key)
        value = is_now.value if is_now is not None else _default(key)
        if not _weaker(key, value, was.value):
            continue
        given = own or now.removed.get(key) or is_now
        if given is None or not _is_new(given, was):
            became = "was removed" if value is None else f"went from {was.value} to {value}"
            why = "gives no reason" if given is None else f"still gives the reason {was.reason!r}"
            found[key] = f"{key} {became} and {why}: a lowered threshold needs a new one"
    return found


def _default(key: str) -> Any:
    return getattr(Thresholds(), key) if key in SETTINGS else None


def _general(policy: Policy, key: str) -> Entry | None:
    """``max_drop.all`` for a measure that has no limit of its own."""
    section, _, name = key.partition(".")
    applies = section == "max_drop" and ":" not in name and name != ALL
    return policy.entries.get(f"max_drop.{ALL}") if applies else None


def _weaker(key: str, now: Any, before: Any) -> bool:
    if now is None:
        return True
    if key == "mode":
        return bool(before == "non_inferiority" != now)
    return bool(now < before) if key.startswith("minima.") else bool(now > before)


def _is_new(given: Entry, before: Entry) -> bool:
    return _words(given.reason) != _words(before.reason)


def _words(reason: str) -> list[str]:
    return re.findall(r"\w+", reason.casefold())


class _Reading:
    """Takes entries out of plain data, or says what is wrong and where."""

    def __init__(self, source: str) -> None:
        self._source = source

    def fault(self, what: str) -> DataError:
        """The error, naming the file."""
        return DataError(Fault(what, file=Path(self._source)))

    def mapping(self, data: object, key: str) -> Mapping[str, Any]:
        """Refuse what is no mapping of texts."""
        if not isinstance(data, Mapping) or not all(isinstance(name, str) for name in data):
            raise self.fault(f"{key} must be a mapping, got {data!r:.60}")
        return data

    def entry(self, data: object, key: str, *, valued: bool = True) -> Entry:
        """A value (unless it was removed) with its reason and its date."""
        form = "{value: …, reason: …, date: …}" if valued else "{reason: …, date: …}"
        wanted = {"value", "reason", "date"} if valued else {"reason", "date"}
        if not isinstance(data, Mapping) or set(data) != wanted:
            raise self.fault(f"{key} must be {form}, got {data!r:.80}")
        reason, date = data["reason"], str(data["date"])
        if not isinstance(reason, str) or not reason.strip():
            raise self.fault(f"{key}.reason must be a text that says why, got {reason!r}")
        if not _DATE.fullmatch(date):
            raise self.fault(f"{key}.date must be a day such as 2026-11-30, got {date!r}")
        return Entry(data.get("value"), reason.strip(), date)

    def checked(self, policy: Policy) -> None:
        """Refuse values that no threshold can have."""
        try:
            policy.thresholds()
        except ConfigError as error:
            raise self.fault(str(error).removeprefix("thresholds.")) from None
