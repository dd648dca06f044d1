"""What names look like in letters, as parts of patterns, and the words of a text.

Every pattern takes time in proportion to the text: it begins at the start of a word only, and blanks that it
has passed it doesn't give back.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from rag_sweep.answers.masking.names import own_form

_LATIN = [chr(code) for code in (*range(0x41, 0x250), *range(0x1E00, 0x1F00)) if chr(code).isalpha()]
UP, LOW = ("".join(filter(test, _LATIN)) for test in (str.isupper, str.islower))
RU_UP, RU_LOW = "А-ЯЁІЇЄҐЎ", "а-яёіїєґў"

RU = rf"[{RU_UP}][{RU_LOW}]+(?:-[{RU_UP}][{RU_LOW}]+)?"
EN = rf"[{UP}][{LOW}'’]+(?:[{UP}][{LOW}]+)?(?:-[{UP}][{LOW}]+)?"
EN_WORD = rf"(?:[{UP}]['’])?[{UP}][{LOW}]++(?:[{UP}][{LOW}]++)?(?:-[{UP}][{LOW}]++)?"
"""Without 's."""
RU_CAPITALS = rf"[{RU_UP}]{{2,}}+(?:-[{RU_UP}]{{2,}}+)?"
SURNAME = rf"(?:{RU}|[{RU_UP}]{{4,}}+(?:-[{RU_UP}]{{2,}}+)?)"
PARTICLES = ("van", "von", "der", "den", "de", "da", "di", "du", "la", "le", "del", "dos", "bin", "al", "el")
OF = rf"(?:(?:{'|'.join(PARTICLES)})\s++){{0,3}}"
PATRONYMIC = (
    r"[А-ЯЁ][а-яё]+(?:[ое]вич|[ьи]ич|[км]ич)(?:а|у|ем|ом|е)?|[А-ЯЁ][а-яё]+(?:[ое]вн|ичн)(?:а|ы|е|у|ой|ою)"
)
PATRONYMIC_CAPITALS = (
    r"[А-ЯЁ]{2,}(?:[ОЕ]ВИЧ|[ЬИ]ИЧ|[КМ]ИЧ)(?:А|У|ЕМ|ОМ|Е)?|[А-ЯЁ]{2,}(?:[ОЕ]ВН|ИЧН)(?:А|Ы|Е|У|ОЙ|ОЮ)"
)
INITIALS = rf"[{RU_UP}A-Z]\.\s?(?:[{RU_UP}A-Z]\.)?"
EDGE = r"(?<!\w)(?<!\w[-'’])"

WORD = re.compile(r"[^\W\d_]++(?:[-'’][^\W\d_]++)*+")
_POSSESSIVE = re.compile(r"['’]s$")
_BEGINS = re.compile(r"[.!?…:;\n\"“„«(\[|•>*—]|(?:^|\s)-\s")


class Word(NamedTuple):
    """A word at the characters ``[start, end)``, without 's; `begins` at the beginning of a sentence."""

    start: int
    end: int
    own: str
    capital: bool
    upper: bool
    begins: bool
    possessive: bool

    @property
    def cyrillic(self) -> bool:
        """True for letters of Russian; a name has those of one script."""
        return "а" <= self.own[:1] <= "я"

    @property
    def title(self) -> bool:
        """With a capital in front, and not in capitals."""
        return self.capital and not self.upper


def words_of(text: str) -> list[Word]:
    """All words of two letters or more."""
    found: list[Word] = []
    last = 0
    for match in WORD.finditer(text):
        start, end, word = match.start(), match.end(), match[0]
        begins = not last or _BEGINS.search(text, last, start) is not None
        last = end
        if end - start < 2:
            continue
        owned = _POSSESSIVE.search(word) is not None
        own = own_form(word)
        found.append(Word(start, end - 2 * owned, own, _is_capital(word), word.isupper(), begins, owned))
    return found


def _is_capital(word: str) -> bool:
    """Also behind each of its hyphens: ИТ-ресурсов is no name."""
    return word[0].isupper() and ("-" not in word or all(part[0].isupper() for part in word.split("-")))


def own_words(text: str) -> list[str]:
    """The words as they are compared."""
    return [own_form(word) for word in WORD.findall(text)]
