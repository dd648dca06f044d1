"""Where sentences begin in Russian and English text.

Our own few rules rather than a library: razdel knows Russian only and stands still since 2020, pysbd since
2021, NLTK's and spaCy's splitters need model files; and where passages begin must not change with somebody
else's release. Where a rule can't know («в 2020 г. Завод» may be one sentence or two), the sentence goes on:
one that is too long reads well, half of one doesn't.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from rag_sweep.chunker.boundaries import Words
from rag_sweep.chunker.markdown import Kind, Line, block_starts, lines

# Of more than one letter; a single letter before a full stop is never an end («т. е.», «г.», "e.g.",
# «А. С. Пушкин»), except for «я».
_RUSSIAN = """
    абз акад англ араб букв вв венг гг гл гос гр греч груз дж доб доц др ед зав зам ивр изд им инж исп итал
    каз кв кит кн коп корп лат макс мин млн млрд напр нач нем обл обр ок пер пл польск порт пос пп пр прил
    прим проф разд ред рис руб рус сек словацк см соотв сост ср ст стр табл тел трлн тыс укр ул утв фр чел
    экз яп
    """
_ENGLISH = """
    al approx apr aug ca capt cf ch co col corp dec dept dr ed eds eq eqs esp est etc feb fig figs gen gov hon
    inc jan jr lt ltd mr mrs ms nov oct pp prof pt ref refs rep rev sec sen sep sept sgt sr st viz vol vols vs
    """
ABBREVIATIONS = frozenset([*_RUSSIAN.split(), *_ENGLISH.split()])
_BEFORE_NUMBERS = frozenset({"no", "nos", "art", "арт", "стб", "ум", "час"})
_LONGEST = 12

# The look-behind and the possessive quantifiers keep a long run of dots linear.
_END = re.compile(r"(?<![.!?…])(?P<mark>[.!?…]++)[»”’\"')\]*_`]*+(?P<gap>\s++)(?=\S)")
_DASH = re.compile(r"[—–-]\s+")
_QUOTE = "«„“‘\"'"
_OPENING = re.compile(r"[(\[{*_`]*")
_LAST_WORD = re.compile(r"[^\W_]+$")
_NUMBERING = re.compile(r"[\s#>*+•|-]*(?:(?:\d{1,3}\.)*\d{1,3}|[IVXLC]+)\.(?=\s)")


def sentence_starts(words: Words) -> list[int]:
    """Places where sentences begin, ascending; each sentence has a word. The start of the text is no border.

    A sentence ends after . ! ? … (and closing quotes, brackets, emphasis) before white space and a capital, a
    digit, a quote or a dash, but not after an abbreviation, an initial or a list item's number; and where a
    block ends: a paragraph, a heading, a list item, a table row, a line of code. Headings, rows and lines of
    code are never divided.
    """
    of = lines(words.text)
    return words.useful(sorted({*block_starts(of), *_after_marks(words.text, of)}))


def _after_marks(text: str, of: list[Line]) -> Iterator[int]:
    numberings = _numberings(text, of)
    line_starts = [line.start for line in of]
    for match in _END.finditer(text):
        following = match.end()
        whole = of[bisect_right(line_starts, following) - 1].kind in (Kind.HEADING, Kind.ROW, Kind.CODE)
        begins = _can_begin(text, following) or _alone(text, match, following)
        kept = match.end("mark") in numberings or _abbreviated(text, match, following)
        if begins and not kept and not whole:
            yield following


def _numberings(text: str, of: list[Line]) -> frozenset[int]:
    """Places just after the full stop of a number that begins a line."""
    found = (_NUMBERING.match(text, line.start, line.end) for line in of)
    return frozenset(match.end() for match in found if match)


def _alone(text: str, end: re.Match[str], following: int) -> bool:
    """True for " . " before a word, as tokenised and lower-cased collections have it."""
    return end["mark"] == "." and text[end.start() - 1 : end.start()].isspace() and text[following].isalpha()


def _can_begin(text: str, at: int) -> bool:
    """True for a quote, and for a capital, a digit or a caseless letter, also after a dash or brackets."""
    dash = _DASH.match(text, at)
    at = dash.end() if dash else at
    first = text[at : at + 1]
    if first and first in _QUOTE:
        return True
    at = _match_end(_OPENING, text, at)
    first = text[at : at + 1]
    return first.isalnum() and not first.islower()


def _match_end(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _abbreviated(text: str, end: re.Match[str], following: int) -> bool:
    """True if the mark is the full stop of an abbreviation or an initial."""
    stop = end.start("mark")
    found = _LAST_WORD.search(text[max(0, stop - _LONGEST) : stop])
    if end["mark"] != "." or not found or not found[0].isalpha():
        return False
    word = found[0]
    if word.casefold() in _BEFORE_NUMBERS:
        return text[following].isdigit()
    single = len(word) == 1 and word != "я"
    return single or word.casefold() in ABBREVIATIONS
