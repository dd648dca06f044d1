"""Replacing personal data by marks: ``PERSON_A``, ``PHONE_2``; the same one has the same mark.

Names get letters, for a name claims no number: with digits, an answer that greets its asker by name would
claim one that isn't in its context.
"""

from __future__ import annotations

from collections import Counter

from rag_sweep.answers.masking.codes import Found, codes
from rag_sweep.answers.masking.people import mentions, people


class Masker:
    """Marks of one document (a conversation): all of its texts go through one masker.

    What is masked: names of people, mails, phones, numbers of passports, licences, SNILS, INN, SSN, cards,
    IBAN and contracts, in Russian and English. It goes by patterns, so it misses some
    (docs/answers-sweep.md has the share on a list) and takes some harmless words too; it proves nothing.
    """

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._marks: dict[tuple[str, str], str] = {}
        self._people: list[frozenset[str]] = []

    def learn(self, *texts: str) -> None:
        """Take note of the names in texts, so that one that is bare in the first is known from the last."""
        for text in texts:
            for found in people(text):
                self._mark(found)

    def mask(self, text: str) -> str:
        """The text with marks in place of personal data."""
        self.learn(text)
        taken: list[Found] = []
        known = frozenset(stem for stems in self._people for stem in stems)
        for found in (*codes(text), *people(text), *mentions(text, known)):
            if not any(found.start < there.end and found.end > there.start for there in taken):
                taken.append(found)
        for found in sorted(taken, key=lambda one: -one.start):
            text = text[: found.start] + self._mark(found) + text[found.end :]
            self.counts[found.kind] += 1
        return text

    def _mark(self, found: Found) -> str:
        if found.kind == "PERSON":
            return f"PERSON_{_letters(self._person(frozenset(found.key.split())))}"
        number = 1 + sum(kind == found.kind for kind, _ in self._marks)
        return self._marks.setdefault((found.kind, found.key), f"{found.kind}_{number}")

    def _person(self, stems: frozenset[str]) -> int:
        """A name that is part of another one, or has one as its part, is the same person."""
        for at, known in enumerate(self._people):
            if stems <= known or known <= stems:
                self._people[at] = known | stems
                return at
        self._people.append(stems)
        return len(self._people) - 1


def _letters(number: int) -> str:
    """A to Z, then AA."""
    first, last = divmod(number, 26)
    return (_letters(first - 1) if first else "") + chr(ord("A") + last)
