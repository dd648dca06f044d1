"""Names of people, in Russian and English: by patronymics, initials, titles, cues and common first names.

Every pattern takes time in proportion to the text: it begins at the start of a word only, and blanks that it
has passed it doesn't give back.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

from rag_sweep.analyzer import normalised
from rag_sweep.answers.masking.codes import Found, Taken
from rag_sweep.answers.masking.names import ENDINGS, ENGLISH, NO_NAMES, RUSSIAN, SURNAMES, WORDS_TOO

_LATIN = [chr(code) for code in (*range(0x41, 0x250), *range(0x1E00, 0x1F00)) if chr(code).isalpha()]
_UP, _LOW = ("".join(filter(test, _LATIN)) for test in (str.isupper, str.islower))
_RU_UP, _RU_LOW = "А-ЯЁІЇЄҐЎ", "а-яёіїєґў"

_RU = rf"[{_RU_UP}][{_RU_LOW}]+(?:-[{_RU_UP}][{_RU_LOW}]+)?"
_EN = rf"[{_UP}][{_LOW}'’]+(?:[{_UP}][{_LOW}]+)?(?:-[{_UP}][{_LOW}]+)?"
_RU_CAPITALS = rf"[{_RU_UP}]{{2,}}+(?:-[{_RU_UP}]{{2,}}+)?"
_EN_CAPITALS = rf"(?:[OD]['’])?[{_UP}]{{2,}}+(?:-[{_UP}]{{2,}}+)?"
_SURNAME = rf"(?:{_RU}|[{_RU_UP}]{{4,}}+(?:-[{_RU_UP}]{{2,}}+)?)"
_OF = r"(?:(?:van|von|der|den|de|da|di|du|la|le|del|dos|bin|al|el)\s++){0,3}"
_PATRONYMIC = (
    r"[А-ЯЁ][а-яё]+(?:[ое]вич|[ьи]ич|[км]ич)(?:а|у|ем|ом|е)?|[А-ЯЁ][а-яё]+(?:[ое]вн|ичн)(?:а|ы|е|у|ой|ою)"
)
_PATRONYMIC_CAPITALS = (
    r"[А-ЯЁ]{2,}(?:[ОЕ]ВИЧ|[ЬИ]ИЧ|[КМ]ИЧ)(?:А|У|ЕМ|ОМ|Е)?|[А-ЯЁ]{2,}(?:[ОЕ]ВН|ИЧН)(?:А|Ы|Е|У|ОЙ|ОЮ)"
)
_INITIALS = rf"[{_RU_UP}A-Z]\.\s?(?:[{_RU_UP}A-Z]\.)?"
_EDGE = r"(?<!\w)(?<!\w[-'’])"


_CUED_RU = re.compile(
    r"\b(?i:меня\s++зовут|моё\s++имя|мое\s++имя|зовут|фио|имя|клиент|сотрудни(?:к|ца|ку|це|ка|цы)|пациент\w*+|"
    r"господин\w*+|госпож\w++|г-н\w?|г-ж\w|гр\.|гражданин\w*+|гражданк\w++|уважаем\w++|с\s++уважением,?|подпись|"
    r"менеджер\w*+|руководител\w++|директор\w*+|бухгалтер\w*+|инженер\w*+|врач\w*+)\s*+[:—-]?\s*+"
    rf"(?P<it>{_RU}(?:\s++{_RU}){{0,2}})(?![\w])",
)
_CUED_EN = re.compile(
    r"\b(?i:my\s++name\s++is|named?|called|dear|hi,?|hello,?|regards,?|sincerely,?|signed(?:\s++by)?|"
    r"customer|employee|patient|manager|attn\.?|contact)\s*+:?\s*+"
    rf"(?P<it>{_EN}(?:\s++(?:[A-Z]\.\s*+)?{_OF}{_EN}){{0,2}})(?![\w])",
)
_TITLED = re.compile(
    r"\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Doctor|Lady|Lord)\b\.?\s++"
    rf"(?P<it>(?:[{_UP}]\.\s*+){{0,4}}{_OF}{_EN}(?:\s++{_OF}{_EN}){{0,2}})"
)
_WHOLE = r"[^\W\d_]"
_LOWER = re.compile(
    rf"(?i:\bменя\s++зовут|\bmy\s++name\s++is)\s++(?P<it>{_WHOLE}{{3,}}+(?:\s++{_WHOLE}{{4,}}+(?=[.,!\n]|$))?)"
)
_NO_INITIALS = (
    r"(?!(?:U\.\s?[SKN]|E\.\s?U|P\.\s?[SMO]|D\.\s?C|N\.\s?[BY]|L\.\s?A|A\.\s?[MD]|B\.\s?C|Q\.\s?A)\.)"
)

_PATTERNS = (
    re.compile(rf"{_EDGE}(?P<it>{_SURNAME}\s++{_RU}\s++(?:{_PATRONYMIC}))(?!\w)"),
    re.compile(rf"{_EDGE}(?P<it>{_RU}\s++(?:{_PATRONYMIC})(?:\s++{_SURNAME})?)(?!\w)"),
    re.compile(rf"{_EDGE}(?P<it>(?:{_RU_CAPITALS}\s++){{1,2}}(?:{_PATRONYMIC_CAPITALS}))(?!\w)"),
    re.compile(rf"{_EDGE}(?P<it>{_RU}\s++{_INITIALS})"),
    re.compile(rf"{_EDGE}(?P<it>{_RU_CAPITALS}\s++[{_RU_UP}]\.\s?[{_RU_UP}]\.)"),
    re.compile(rf"(?<!\w)(?P<it>[{_RU_UP}]\.\s?(?:[{_RU_UP}]\.\s?)?{_RU})(?!\w)"),
    re.compile(rf"(?<![\w.]){_NO_INITIALS}(?P<it>[{_UP}]\.\s?(?:[{_UP}]\.\s?){{1,2}}{_OF}{_EN})(?!\w)"),
    *(_TITLED, _CUED_RU, _CUED_EN, _LOWER),
)
_PAIRS = tuple(
    re.compile(rf"{_EDGE}(?=(?P<it>{one}\s++(?:[A-Z]\.\s*+)?{two})(?!\w))")
    for one, two in ((_SURNAME, _RU), (_EN, _EN), (_RU_CAPITALS, _RU_CAPITALS), (_EN_CAPITALS, _EN_CAPITALS))
)
_WORD = re.compile(r"[^\W\d_]++(?:[-'’][^\W\d_]++)*+")
_ENDING = re.compile(
    r"(?<=[а-я]{2})(?:ым|им|ом|ем|ою|ею|ой|ей|ую|юю|ая|яя|ого|его|ому|ему|[аеиоуыьэюяй])$|['’]s$"
)
FEWEST, LONGEST = 4, 30
"""Letters of a word from which on it may have an ending, and up to which it may be a first name."""


def people(text: str) -> Iterator[Found]:
    """Names with what tells that they are names, the surest first; some overlap those before them.

    The key holds the name's words without their endings, so that cases of Russian are one person.
    """
    taken = Taken(len(text))
    for pattern in _PATTERNS:
        for match in pattern.finditer(text):
            found = _trimmed(text, *match.span("it"))
            if found is not None:
                taken.take(found)
                yield found
    # a first name in front is surer than one behind: "Пишет Дмитрий Соколов" begins with no name;
    # and a surname made of one tells least: "Звонила Петрова Анна" ends with a pair
    pairs = [
        (match, words) for one in _PAIRS for match in one.finditer(text) if (words := _pair(match["it"]))
    ]
    for at, endings in ((0, ENDINGS), (-1, ENDINGS), (0, SURNAMES), (-1, SURNAMES)):
        for match, words in pairs:
            if is_first_name(words[at], endings):
                found = Found("PERSON", *match.span("it"), key_of(match["it"]))
                # "Cicely Mary Barker": of an English name with three words both pairs are meant
                if taken.take(found) or (at == -1 and words[at] in ENGLISH):
                    yield found


def _pair(text: str) -> list[str]:
    """Its words, if a first name among them would tell; in a headline of capitals some are other words."""
    words = [word for one in _WORD.findall(text) if len(word := _own(one)) > 1]
    no_names = NO_NAMES | WORDS_TOO if text.isupper() else NO_NAMES
    return [] if any(word in no_names for word in words) else words


def _own(word: str) -> str:
    """A word as words are compared; long ones, which are none of a language, aren't kept in mind."""
    return _short(word) if len(word) <= LONGEST else normalised(word)


_short = lru_cache(maxsize=2**14)(normalised)


def _trimmed(text: str, start: int, end: int) -> Found | None:
    """Without the words that begin or end it and are no names."""
    words = [(m.start() + start, m.end() + start) for m in _WORD.finditer(text[start:end])]
    while words and text[slice(*words[0])].casefold() in NO_NAMES:
        words = words[1:]
    while words and text[slice(*words[-1])].casefold() in NO_NAMES:
        words = words[:-1]
    if not any(stop - begin > 1 for begin, stop in words):
        return None
    first, last = words[0][0], words[-1][1]
    last += text[last : last + 1] == "." and last < end  # of an initial
    return Found("PERSON", first, last, key_of(text[first:last]))


def key_of(name: str) -> str:
    """Its words without their endings, and without initials, in one order."""
    return " ".join(sorted({_without_ending(word) for word in _WORD.findall(name) if len(word) > 1}))


def _without_ending(word: str) -> str:
    """Endings of cases only: a stemmer takes Иванов for a form of Иван, and Иванова for another word."""
    own = _own(word)
    return own if len(own) < FEWEST else _ENDING.sub("", own)


def is_first_name(word: str, endings: frozenset[str] = ENDINGS) -> bool:
    """True for a common first name, in any case of Russian, with or without accents, also as half of one."""
    return any(len(part) <= LONGEST and _is_first(part, endings) for part in _own(word).split("-"))


@lru_cache(maxsize=2**14)
def _is_first(own: str, endings: frozenset[str]) -> bool:
    if own in ENGLISH or unicodedata.normalize("NFD", own).encode("ascii", "ignore").decode() in ENGLISH:
        return True
    cuts = range(max(2, len(own) - 4), len(own) + 1)
    # a stem of two letters needs an ending: Аня, but not АН
    return any(own[:cut] in RUSSIAN and own[cut:] in endings for cut in cuts if cut > 2 or own[cut:])


def mentions(text: str, stems: set[str]) -> Iterator[Found]:
    """Words with a capital that are parts of names which are known by now."""
    for match in _WORD.finditer(text):
        if match[0][0].isupper() and len(match[0]) > 2:
            key = key_of(match[0])
            if key and stems.issuperset(key.split()):
                yield Found("PERSON", *match.span(), key)
