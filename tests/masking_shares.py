"""How much of made-up texts is masked, and how much too much: by the place of every character."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

HELD_OUT = Path(__file__).with_name("held_out_masking.txt")
SEEN = Path(__file__).with_name("seen_masking.txt")
BY_LOT = Path(__file__).with_name("held_out_masking_by_lot.txt")

_SECRET = re.compile(r"\{([A-Z]+):([^}]*)\}")
_MARK = re.compile(r"\b([A-Z]+)_(?:[A-Z]{1,2}|\d+)\b")


@dataclass(frozen=True)
class Text:
    """A text and what of it must not remain: kind, first character, and the one behind the last."""

    given: str
    secrets: tuple[tuple[str, int, int], ...]

    @classmethod
    def of(cls, line: str) -> Text:
        """Of a line that writes its secrets as ``{KIND:text}``."""
        parts, secrets, at, length = [], [], 0, 0
        for match in _SECRET.finditer(line):
            parts += [line[at : match.start()], match[2]]
            start = length + match.start() - at
            length, at = start + len(match[2]), match.end()
            secrets.append((match[1], start, length))
        return cls("".join([*parts, line[at:]]), tuple(secrets))


@dataclass
class Shares:
    """By kind: secrets, those that are masked whole; marks, those that take nothing but secrets."""

    secrets: Counter[str] = field(default_factory=Counter)
    hidden: Counter[str] = field(default_factory=Counter)
    marks: Counter[str] = field(default_factory=Counter)
    right: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, text: Text, masked: str) -> None:
        places = list(marks_of(text.given, masked))
        gone = {at for _, start, end in places for at in range(start, end)}
        secret = {at for _, start, end in text.secrets for at in range(start, end)}
        for kind, start, end in text.secrets:
            self.secrets[kind] += 1
            hidden = all(at in gone for at in _signs(text.given, start, end))
            self.hidden[kind] += hidden
            self.missed += [] if hidden else [text.given[start:end]]
        for kind, start, end in places:
            self.marks[kind] += 1
            right = all(at in secret for at in _signs(text.given, start, end))
            self.right[kind] += right
            self.wrong += [] if right else [text.given[start:end]]


def _signs(text: str, start: int, end: int) -> Iterator[int]:
    """Letters and digits; of a secret no other sign tells anything."""
    return (at for at in range(start, end) if text[at].isalnum())


def marks_of(given: str, masked: str) -> Iterator[tuple[str, int, int]]:
    """Each mark's kind and what of the text stood there."""
    kept, kinds = _MARK.split(masked)[::2], _MARK.findall(masked)
    pattern = "(.+?)".join(map(re.escape, kept))
    match = re.fullmatch(pattern, given, re.DOTALL)
    if match is None:
        raise ValueError(f"{masked!r} is no masked {given!r}")
    for number, kind in enumerate(kinds, start=1):
        yield (kind, *match.span(number))


def texts_of(file: Path) -> list[Text]:
    """The texts of a file; a line that begins with # is none."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Text.of(line) for line in lines if line and not line.startswith("#")]


def shares(texts: list[Text], mask: Callable[[str], str]) -> Shares:
    found = Shares()
    for text in texts:
        found.add(text, mask(text.given))
    return found
