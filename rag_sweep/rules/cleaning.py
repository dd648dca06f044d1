"""One form of a text for every rule: what doesn't change its meaning can't change a verdict.

It is done once, before any rule sees an answer, a question or a part of a context, and for all of them alike.
Nothing else is changed: what is stored, cut, shown in full or sent to a model is the text as it was.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache

from rag_sweep.cases.records import Answer, Case, Context
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
_ESCAPED = re.compile(r"\\([\[\]()$%&#*_.!`~-])")


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """The text in one form.

    NFC; one kind of blank, one of them in a row, and none around line ends; a line break only where a block
    begins, or between digits; ``-`` for the hyphens and the minus, ``'`` for the apostrophes; without signs
    that nobody sees; without the signs of emphasis, of quoted lines and of escapes.
    """
    text = _HYPHENATED.sub("", text.replace("\r\n", "\n"))
    text = unicodedata.normalize("NFC", text.translate(_SIGNS))
    text = _RUN.sub(_blank, _AROUND_LINE_END.sub("", text))
    text = _unmarked(_QUOTE.sub("", text))
    return _ESCAPED.sub(r"\1", _unwrapped(text)).strip()


def cleaned(case: Case) -> Case:
    """The case with its texts and ids in one form; what its rubric asks for stays as it was written."""
    parts, allowed = case.context, case.rubric.allow_cites
    ids = [part.id for part in parts]
    new = _names(dict.fromkeys([*ids, *(allowed or ())]))
    return replace(
        case,
        question=clean(case.question),
        context=tuple(Context(new[part.id], clean(part.text)) for part in parts),
        rubric=replace(
            case.rubric, allow_cites=None if allowed is None else tuple(new[name] for name in allowed)
        ),
    )


def cleaned_answer(answer: Answer) -> Answer:
    """The answer with its text in one form."""
    return replace(answer, text=clean(answer.text))


def _names(ids: dict[str, None]) -> dict[str, str]:
    """Ids as they stand in a cleaned text; as they were where two would become one, or one would vanish."""
    new = {name: clean(name) for name in ids}
    return new if all(new.values()) and len(set(new.values())) == len(new) else {name: name for name in ids}


def _blank(run: re.Match[str]) -> str:
    """One blank; a tab for what parts two numbers of a row."""
    start, end = run.span()
    if (end - start >= _COLUMN or "\t" in run[0]) and _between_digits(run.string, start, end):
        return "\t"
    return " "


def _between_digits(text: str, start: int, end: int) -> bool:
    return text[start - 1 : start].isdigit() and text[end : end + 1].isdigit()


def _unmarked(text: str) -> str:
    """Without the signs of code and emphasis; twice, since one may stand in the other."""
    if not any(sign in text for sign in "*_`"):
        return text
    text = _CODE.sub(lambda match: match["text"], text)
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
    """True for two numbers, each of its line; not for thousands in running text: «2 / 500 рублей»."""
    if not (before[-2:-1].isdigit() and line[:1].isdigit()):
        return False
    thousands = _LAST_DIGITS.search(before) and _NEXT_DIGITS.match(line)
    return not (thousands and any(map(str.isalpha, before)) and any(map(str.isalpha, line)))
