"""One form of a text for all that judges it: what doesn't change its meaning can't change a verdict.

Rules, judges, drills and what is told of a failed question see answers, questions and contexts in this form,
all of them alike. What is stored or shown in full is the text as it was.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from rag_sweep.cases.markup import unmarked
from rag_sweep.chunker.markdown import block_starts, lines

_LINE_ENDS = "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029"
_BLANKS = "\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
_HYPHENS = "\u2010\u2011\u2012\u2212\ufe63\uff0d"
_APOSTROPHES = "\u2019\u02bc\u02b9\xb4\uff07"
_UNSEEN = (
    "\xad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"  # soft hyphen, zero width, direction
    "\u2060\u2066\u2067\u2068\u2069\ufeff"
)
_SIGNS = str.maketrans(
    {
        **dict.fromkeys(_LINE_ENDS, "\n"),
        **dict.fromkeys(_BLANKS, " "),
        **dict.fromkeys(_HYPHENS, "-"),
        "\u2015": "\u2014",
        **dict.fromkeys(_APOSTROPHES, "'"),
        **dict.fromkeys(_UNSEEN, None),
    }
)
_HYPHENATED = re.compile(r"\xad[ \t]*\n[ \t]*")
_RUN = re.compile(r"[ \t]+")
_AROUND_LINE_END = re.compile(r"(?:^[ \t]+|[ \t]+$)", re.MULTILINE)
_COLUMN = 3
"""Blanks between two digits from which they part columns, and no thousands."""

_QUOTE = re.compile(r"^(?:> ?)+(?!\s*\d(?!\d{0,2}[.)] ))", re.MULTILINE)
"""A quoted line; ``> 5 days`` may mean more than 5."""

# What stands inside may hold whole brackets, so that no citation is cut, and no empty line. The possessive
# quantifiers keep a long run of signs linear.
_CODE = re.compile(r"(?<![`\\])(?P<mark>`{1,2})(?!`)(?P<text>[^`\n]++)(?P=mark)(?!`)")
_INSIDE = r"(?:[^{mark}\n\[\]]|\n(?!\n)|\[[^{mark}\[\]\n]{{0,300}}\])++"
_STARS = re.compile(
    r"(?<![*\\])(?P<mark>\*{2,3})(?![\s*])(?P<text>" + _INSIDE.format(mark="*") + r")(?<!\s)(?P=mark)(?!\*)"
    r"|(?<![*\\\w])\*(?![\s*])(?P<one>" + _INSIDE.format(mark="*") + r")(?<!\s)\*(?![*\w])"
)
_LINES = re.compile(
    r"(?<![\w\\])(?P<mark>_{1,3})(?![\s_])"
    r"(?P<text>(?:[^_\n\[\]]|(?<=[^\W_])_(?=[^\W_])|\n(?!\n)|\[[^\[\]\n]{0,300}\])++)(?<!\s)(?P=mark)(?!\w)"
)
_LAST_DIGITS, _NEXT_DIGITS = re.compile(r"(?<![\d.,])\d{1,3}\n\Z"), re.compile(r"\d{3}(?!\d)")
_ESCAPED = re.compile(r"(?<!\\)\\++([\[\]()$%&#*_.!`~-])")
_SOURCE = re.compile(r"\[(?:\d{1,3}|\^[\w-]{1,20})\]:?[ \t]\S.{0,80}$|[\xb9\xb2\xb3\u2074-\u2079\u2070]")
"""A line of a list of sources: ``[1] hr-4``."""
_INDEXED = re.compile(r"[\w)\]]\[")
MOST_PASSES = 8
"""Until nothing changes any more; two are usual."""


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """The text in one form; that of a clean text is the text itself.

    NFC; one kind of blank, one of them in a row, and none around line ends; a line break only where a block
    begins, or between digits; ``-`` for the hyphens and the minus, ``'`` for the apostrophes; without signs
    that nobody sees; without the signs of emphasis, of quoted lines and of escapes; without tags, entities
    and commands of formulas.
    """
    clear = text
    for _ in range(MOST_PASSES):
        before, clear = clear, _once(clear)
        if clear == before:
            break
    return clear or _only_marks(text)


def _only_marks(text: str) -> str:
    """A text of nothing but tags means them: «<br>» may be what an answer must not have."""
    return text.strip() if any(map(str.isalnum, text)) else ""


def _once(text: str) -> str:
    text = _HYPHENATED.sub("", unmarked(text.replace("\r\n", "\n")))
    text = unicodedata.normalize("NFC", text.translate(_SIGNS))
    text = _RUN.sub(_blank, _AROUND_LINE_END.sub("", text))
    text = _plain(_QUOTE.sub("", text))
    return _ESCAPED.sub(r"\1", _unwrapped(text)).strip()


def _blank(run: re.Match[str]) -> str:
    """One blank; a tab for what parts two numbers of a row."""
    start, end = run.span()
    if (end - start >= _COLUMN or "\t" in run[0]) and _between_digits(run.string, start, end):
        return "\t"
    return " "


def _between_digits(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start].isdigit() and text[end : end + 1].isdigit()


def _plain(text: str) -> str:
    """Without the signs of code and emphasis; twice, since one may stand in the other.

    Code with an index in it, ``x[1]``, keeps its signs: no bracket in it cites anything.
    """
    if not any(sign in text for sign in "*_`"):
        return text
    text = _CODE.sub(lambda match: match[0] if _INDEXED.search(match["text"]) else match["text"], text)
    for _ in range(2):
        text = _STARS.sub(lambda match: match["text"] or match["one"], text)
        text = _LINES.sub(lambda match: match["text"], text)
    return text


def _unwrapped(text: str) -> str:
    """A line that only goes on where the last one was full is one with it."""
    if "\n" not in text:
        return text
    of = lines(text)
    kept = {0, *block_starts(of)}
    parts: list[str] = []
    for line in of:
        said = text[line.start : line.end]
        if line.start not in kept and not _apart(parts[-1], said):
            parts[-1] = parts[-1].rstrip("\n") + " "
        parts.append(said)
    return "".join(parts)


def _apart(before: str, line: str) -> bool:
    """True for two numbers, each of its line, and before a line of a list of sources.

    Not for thousands in running text: «2 / 500 рублей».
    """
    if _SOURCE.match(line):
        return True
    if not (before[-2:-1].isdigit() and line[:1].isdigit()):
        return False
    thousands = _LAST_DIGITS.search(before) and _NEXT_DIGITS.match(line)
    return not (thousands and any(map(str.isalpha, before)) and any(map(str.isalpha, line)))
