"""What HTML, LaTeX and signs of small print say, as plain text."""

from __future__ import annotations

import html
import re

_AMPERSANDS = r"&(?:(?:amp|#0{0,5}38|#[xX]0{0,5}26);)*"
_ENTITY = re.compile(_AMPERSANDS + r"(?P<name>#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
"""``&amp;nbsp;``, escaped more than once, is one ``&nbsp;``."""

_ATTRIBUTES = r"""(?:\s++[\w:-]++(?:\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=]++)))*+\s*+/?"""


def _tags(names: str, slash: str = "/?") -> re.Pattern[str]:
    return re.compile(rf"<{slash}(?:{names})(?:{_ATTRIBUTES})>", re.IGNORECASE)


_RAISED = re.compile(rf"<sup(?:{_ATTRIBUTES})>\s*(\d{{1,3}})\s*</sup>", re.IGNORECASE)
_COMMENT = re.compile(r"<!--(?:[^<-]|-(?!->)|<(?!!--))*+-->")
_CELLS = _tags("td|th", slash="")
_BLOCKS = _tags(
    "p|div|li|tr|table|thead|tbody|tfoot|ul|ol|h[1-6]|blockquote|hr|section|article|header|footer|details"
)
_BREAKS = _tags("br")
_INLINE = _tags(
    "b|i|u|s|a|em|strong|span|small|mark|ins|del|sub|sup|code|pre|tt|kbd|samp|var|font|center|cite|q|abbr"
    "|img|td|th|summary|caption|nobr|wbr|label"
)
_DIGITS, _SUPERSCRIPTS = "0123456789", "\u2070\xb9\xb2\xb3\u2074\u2075\u2076\u2077\u2078\u2079"
_TO_SUPERSCRIPTS = str.maketrans(_DIGITS, _SUPERSCRIPTS)

_MATH = re.compile(
    r"\\\((?P<round>[^\n]{1,300}?)\\\)|\$\$?(?=\S)(?P<in>(?:\\.|[^$\\\n]){1,300}+)(?<=\S)\$\$?(?!\d)"
)
_IS_MATH = re.compile(r"\\[A-Za-z,;:!%$ ]|[\^_]\{|^\d[\d.,]*$")
_FRACTION = re.compile(
    r"(?P<whole>\d?)\\[dt]?frac\s*(?:\{(?P<a>[^{}]{1,40})\}\{(?P<b>[^{}]{1,40})\}|(?P<c>\d)(?P<d>\d))"
)
_WORDS = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt)?|math(?:rm|bf|it|sf|tt)|operatorname|boxed|mbox)\s*\{([^{}]{0,200})\}"
)
_SPACE = re.compile(r"(?<=[\w%}])\\(?:[,;:! ]|q?quad(?![A-Za-z]))\s?(?=\S)")
_COMMA = re.compile(r"(?<=\d)\{([.,])\}(?=\d)")
_POWER = re.compile(r"\^\{(-?\w{1,6})\}")
_SIGNS = {
    **dict.fromkeys(("le", "leq", "leqslant"), "\u2264"),
    **dict.fromkeys(("ge", "geq", "geqslant"), "\u2265"),
    **dict.fromkeys(("approx", "sim"), "\u2248"),
    "lt": "<",
    "gt": ">",
    "times": "\xd7",
    "cdot": "\xb7",
    "pm": "\xb1",
    "ne": "\u2260",
    "neq": "\u2260",
}
_SIGN = re.compile(rf"(?<![A-Za-z]{{2}})(?<![:\\])\\({'|'.join(_SIGNS)})(?![A-Za-z])")
"""Not in a path, as in ``C:\\le``."""
_DEGREE = re.compile(r"\^(?:\{\\circ\}|\\circ(?![A-Za-z]))")

_KEYCAPS = re.compile(r"(?<!\d)((?:\d\ufe0f?\u20e3)+)\s*")
_FOOTNOTE = re.compile(rf"(?<=[.,;:!?)\]»”\"])(?=[{_SUPERSCRIPTS}])")


def unmarked(text: str) -> str:
    """Without entities, tags and commands; each is read as what a reader would see.

    A cell begins with ``|``, and a block on a line of its own. A number in a keycap is ``1)``, and one that
    stands above the line behind a stop is parted from it: ``5.¹`` is 5 with a footnote.
    """
    if "&" in text:
        text = _ENTITY.sub(_read, text)
    if "<" in text:
        text = _without_tags(text)
    if "\\" in text or "$" in text or "{" in text:
        text = _without_commands(text)
    text = _KEYCAPS.sub(lambda match: f"{''.join(filter(str.isdigit, match[1]))}) ", text)
    return _FOOTNOTE.sub(" ", text.replace("\ufe0f", "").replace("\u20e3", ""))


def _read(entity: re.Match[str]) -> str:
    written = f"&{entity['name']};"
    read = html.unescape(written)
    return "" if "\ud800" <= read <= "\udfff" else read


def _without_tags(text: str) -> str:
    text = _COMMENT.sub("", text)
    text = _RAISED.sub(lambda match: match[1].translate(_TO_SUPERSCRIPTS), text)
    text = _BLOCKS.sub("\n\n", _CELLS.sub(" | ", text))
    return _INLINE.sub("", _BREAKS.sub(_break, text))


def _break(tag: re.Match[str]) -> str:
    """A blank in a row of a table, which ends with its line."""
    line = tag.string.rfind("\n", 0, tag.start()) + 1
    return " " if tag.string.startswith("|", line) else "\n\n"


def _without_commands(text: str) -> str:
    text = _MATH.sub(_inside, text)
    text = _FRACTION.sub(_fraction, _WORDS.sub(r"\1", text))
    text = _COMMA.sub(r"\1", _SPACE.sub(" ", text))
    text = _POWER.sub(r"^\1", _DEGREE.sub("\xb0", text))
    return _SIGN.sub(lambda match: _SIGNS[match[1]], text)


def _inside(math: re.Match[str]) -> str:
    """What stands between two signs of money is no formula: «$5 and $10»."""
    if math["round"] is not None:
        return math["round"]
    return math["in"] if _IS_MATH.search(math["in"]) else math[0]


def _fraction(found: re.Match[str]) -> str:
    """Behind a whole number it is parted from it: ``1\\frac{1}{2}`` is 1 1/2."""
    above, below = found["a"] or found["c"], found["b"] or found["d"]
    return f"{found['whole']}{' ' if found['whole'] else ''}{above}/{below}"
