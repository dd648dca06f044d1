"""A text as patterns read it: one form of every space, dash and digit, and nothing that can't be seen."""

from __future__ import annotations

import re
import unicodedata

_DASHES = dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe58\ufe63\uff0d", "-")

_OTHERS = re.compile(r"[^\x00-\x7f\u0400-\u0482\u048a-\u052f«»—№“”„…’]")
"""Signs beyond which nothing is to be changed."""


class View:
    """What is read, and where each of its characters stands in the text that was given.

    Invisible characters (category Cf) are left out, combining marks are joined to their letters or left out,
    and wide digits, thin spaces and short dashes are the plain ones; so a zero-width space hides nothing.
    """

    def __init__(self, given: str) -> None:
        self.text = given
        self._places: list[tuple[int, int]] | None = None
        if not _OTHERS.search(given):
            return
        signs: list[str] = []
        places: list[tuple[int, int]] = []
        for at, sign in enumerate(given):
            category = unicodedata.category(sign)
            if category == "Mn" and signs:
                joined = unicodedata.normalize("NFC", signs[-1] + sign)
                signs[-1] = joined if len(joined) == 1 else signs[-1]
                places[-1] = places[-1][0], at + 1
            elif category not in ("Cf", "Mn"):
                signs.append(_plain(sign, category))
                places.append((at, at + 1))
        self.text = "".join(signs)
        self._places = places

    def place(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the given text that stand at ``[start, end)`` of the one that is read."""
        if self._places is None:
            return start, end
        return self._places[start][0], self._places[end - 1][1]


def _plain(sign: str, category: str) -> str:
    """The common form, if it is one character of the same category: ² is no digit."""
    if sign in _DASHES:
        return "-"
    if category[0] not in "NZPSL" or sign.isascii():
        return sign
    form = unicodedata.normalize("NFKC", sign)
    return form if len(form) == 1 and unicodedata.category(form) == category else sign
