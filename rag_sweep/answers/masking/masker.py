"""Replacing personal data by marks: ``PERSON_A``, ``PHONE_2``; the same one has the same mark.

Names get letters, for a name claims no number: with digits, an answer that greets its asker by name would
claim one that isn't in its context.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from rag_sweep.answers.masking.codes import Found, Taken, codes
from rag_sweep.answers.masking.people import mentions, people
from rag_sweep.answers.masking.view import View


class Masker:
    """Marks of one document (a conversation): all of its texts go through one masker.

    What is masked: names of people, mails, handles, phones, extensions, numbers of staff, passports,
    licences, SNILS, INN, SSN, cards, IBAN and contracts, and dates of birth, in Russian and English. It goes
    by lists and patterns, so it misses some (docs/answers-sweep.md has the shares) and takes some harmless
    words too; it proves nothing.

    Attributes
    ----------
    counts
        Places that were masked, by kind.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._seen: set[str] = set()
        self._marks: dict[tuple[str, str], str] = {}
        self._last: Counter[str] = Counter()
        self._people = _People()

    @property
    def people(self) -> int:
        """How many different people were masked."""
        return len(self._seen)

    def learn(self, *texts: str) -> None:
        """Take note of the names in texts, so that one that is bare in the first is known from the last."""
        for text in texts:
            for found in people(View(text).text):
                self._mark(found)

    def mask(self, text: str) -> str:
        """The text with marks in place of personal data."""
        view = View(text)
        named = list(people(view.text))
        for found in named:
            self._mark(found)
        taken = Taken(len(view.text))
        own = (*codes(view.text), *named, *mentions(view.text, self._people.stems))
        parts, at = [], 0
        # marks are numbered from the text's end, as they always were
        marked = [(*view.place(one.start, one.end), one, self._mark(one)) for one in _latest(own, taken)]
        for start, end, found, mark in reversed(marked):
            parts += [text[at:start], mark]
            at = end
            self.counts[found.kind] += 1
            if found.kind == "PERSON":
                self._seen.add(mark)
        return "".join([*parts, text[at:]])

    def _mark(self, found: Found) -> str:
        if found.kind == "PERSON":
            return f"PERSON_{_letters(self._people.number(frozenset(found.key.split())))}"
        key = found.kind, found.key
        if key not in self._marks:
            self._last[found.kind] += 1
            self._marks[key] = f"{found.kind}_{self._last[found.kind]}"
        return self._marks[key]


def _latest(found: tuple[Found, ...], taken: Taken) -> list[Found]:
    """Those that overlap none before them, the last of the text first."""
    return sorted((one for one in found if taken.take(one)), key=lambda one: -one.start)


class _People:
    """Names by number; one that is part of another one, or has one as its part, is the same person.

    Both are looked up by the parts of a name, which has few words, so thousands of people cost no more each.
    """

    def __init__(self) -> None:
        self.stems: set[str] = set()
        self._known: list[frozenset[str]] = []
        self._whole: dict[frozenset[str], int] = {}
        self._part_of: dict[frozenset[str], int] = {}

    def number(self, stems: frozenset[str]) -> int:
        """Of the first person that it can be, or of a new one."""
        same = [self._whole[part] for part in _parts(stems) if part in self._whole]
        if stems in self._part_of:
            same.append(self._part_of[stems])
        at = min(same, default=len(self._known))
        if at == len(self._known):
            self._known.append(stems)
        elif self._known[at] >= stems:
            return at
        else:
            self._whole.pop(self._known[at], None)
            self._known[at] = stems
        self._whole[stems] = at
        self.stems |= stems
        for part in _parts(stems):
            self._part_of[part] = min(at, self._part_of.get(part, at))
        return at


def _parts(stems: frozenset[str]) -> Iterator[frozenset[str]]:
    for size in range(1, len(stems) + 1):
        yield from map(frozenset, combinations(sorted(stems), size))


def _letters(number: int) -> str:
    """A to Z, then AA."""
    first, last = divmod(number, 26)
    return (_letters(first - 1) if first else "") + chr(ord("A") + last)
