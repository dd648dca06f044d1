"""How an answer writes an id that it may cite, and what else in a bracket looks like one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache

_SOURCE_WORDS = (
    "sources?|src|docs?|documents?|passages?|contexts?|chunks?|fragments?|snippets?|excerpts?|refs?|references?"
    "|ids?|cit(?:e|ed|ation)s?|files?|see(?: also)?|from|according to"
    "|источник\\w*|документ\\w*|док|контекст\\w*|фрагмент\\w*|отрыв\\w+|ссылк\\w+|файл\\w*|см|смотри|согласно"
)
SOURCE = rf"(?:{_SOURCE_WORDS})\b"
"""What may stand before an id."""

_LEAD = re.compile(rf"(?:{_SOURCE_WORDS})(?![^\W\d_])[\s.:№#=–—-]*+(?=\S)", re.IGNORECASE)
_NUMBERED = re.compile(rf"(?:{_SOURCE_WORDS})[\s.:№#]*\d{{1,3}}", re.IGNORECASE)
_COUNT = re.compile(r"\d{1,3}\s*[:.)–—-]\s*(?=\S)")
_PLACE_WORDS = (
    r"(?:pp?|pages?|sec|sections?|para(?:graph)?s?|lines?|ln|l|ch|chapters?|slides?|tables?|rows?|items?"
    r"|с|стр|страниц\w*|разд|раздел\w*|пп?|пункт\w*|абз\w*|строк\w*|глав\w*|слайд\w*|табл\w*|ст|ч|§+)\.?"
)
_PLACE = re.compile(rf"{_PLACE_WORDS}\s*\d[\w.,\s–—-]*", re.IGNORECASE)
_PLACE_BEHIND = re.compile(
    rf"(?P<id>\S.*?)(?:\s+{_PLACE_WORDS}\s*\d[\w.,\s–—-]*|\s*\([^()]*\)|[:#]\w?\d[\w.–—-]*)", re.IGNORECASE
)
_PARTING = re.compile(r"\s*[,;|&+]\s*|\s+(?:and|or|и|или)\s+", re.IGNORECASE)
_RANGE = re.compile(r"(?P<head>.*?)(?P<first>\d{1,6})\s*[–—-]\s*(?P<again>.*?)(?P<last>\d{1,6})")
_SEPARATORS = re.compile(r"[\s_\u2010-\u2015\u2212-]+")
_BEFORE_DIGITS = re.compile(r"(?<=[^\W\d_])-(?=\d)")
_EXTENSION = re.compile(r"(?<=\w)\.(?:md|txt|pdf|html?|docx?|rst|json)$", re.IGNORECASE)
_AROUND = " \t\"'`«»“”„.:"
_SHAPES = ((r"[a-z]", "a"), (r"[A-Z]", "A"), (r"[а-яё]", "я"), (r"[А-ЯЁ]", "Я"), (r"\d", "9"))
_NEVER = frozenset({"sic", "ok", "так"})
_FUNCTION_KEY = re.compile(r"F(?:[1-9]|1[0-2])")
LONGEST_RANGE, LONGEST_NUMBER, LONGEST = 50, 3, 80


@dataclass(frozen=True)
class Ids:
    """The ids that may be cited, in every form that can mean but one of them."""

    names: tuple[str, ...]

    @cached_property
    def _exact(self) -> frozenset[str]:
        return frozenset(self.names)

    @cached_property
    def _forms(self) -> Mapping[str, str]:
        stems = [(form(_EXTENSION.sub("", name)), name) for name in self.names]
        return {**_of_one(stems), **_of_one((form(name), name) for name in self.names)}

    @cached_property
    def _shapes(self) -> frozenset[str]:
        return frozenset(map(shape, self.names))

    @cached_property
    def _longest_number(self) -> int:
        return max([LONGEST_NUMBER, *(len(name) for name in self.names if name.isdigit())])

    @cached_property
    def _has_places(self) -> bool:
        return any(re.search(r"[:#]\w?\d", name) for name in self.names)

    def __contains__(self, name: object) -> bool:
        return name in self._exact

    def one(self, text: str) -> str | None:
        """The id that a text is, perhaps behind a word such as ``source``."""
        if text in self._exact:
            return text
        text = text.strip(_AROUND).lstrip("#^@")
        lead = _LEAD.match(text)
        behind = text[lead.end() :] if lead else ""
        count = _COUNT.match(behind)
        ways = [text, behind, behind[count.end() :] if count else ""]
        ways += [_EXTENSION.sub("", one) for one in ways]
        return next((name for one in ways if one and (name := self._known(one))), None)

    def _known(self, text: str) -> str | None:
        return text if text in self._exact else self._forms.get(form(text))

    def some(self, text: str) -> tuple[str, ...]:
        """The ids of one part of a bracket: one, those of a range, or the one before a place in it."""
        if name := self.one(text):
            return (name,)
        place = _PLACE_BEHIND.fullmatch(text.strip(_AROUND))
        if (
            place
            and not (self._has_places and text[place.end("id")] in ":#")
            and (found := self.one(place["id"]))
        ):
            return (found,)
        return self._range(text)

    def _range(self, text: str) -> tuple[str, ...]:
        lead = _LEAD.match(text)
        found = _RANGE.fullmatch(text[lead.end() if lead else 0 :].strip(_AROUND))
        if not found or found["again"].strip() not in ("", found["head"].strip()):
            return ()
        first, last = int(found["first"]), int(found["last"])
        if not (self.one(found["head"] + found["first"]) and 0 < last - first < LONGEST_RANGE):
            return ()
        named = (f"{found['head']}{number}" for number in range(first, last + 1))
        return tuple(self.one(name) or name for name in named)

    def read(self, inside: str, labels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
        """The ids in a bracket, also unknown ones that look like ids; None if it cites nothing.

        Parameters
        ----------
        labels
            What the answer itself says that a label such as ``1`` stands for.
        """
        if inside.strip() in self._exact:
            return (inside.strip(),)
        parts = [part.strip() for part in re.split("[,;]", inside)]
        if all(part in self._exact for part in parts):
            return tuple(parts)
        inside = inside.partition("†")[0].strip()
        if whole := self.some(inside):
            return whole
        parts = [part for part in _PARTING.split(inside) if part]
        return self._several(parts, labels)

    def _several(self, parts: list[str], labels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
        found: list[str] = []
        rest: list[str] = []
        for part in parts:
            names = self._labelled(part, labels)
            if names is None:
                rest.append(part)
            found += names or ()
        known = any(name in self._exact for name in found)
        if not all(known and _says_no_number(part) for part in rest):
            return None
        return tuple(found) if found or (parts and not rest) else None

    def _labelled(self, part: str, labels: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
        if part.removeprefix("^") in labels and part not in self._exact:
            return labels[part.removeprefix("^")]
        return self.some(part) or self._all_of(part) or ((part,) if self.looks_like_one(part) else None)

    def _all_of(self, part: str) -> tuple[str, ...]:
        """``a/b`` and ``a b``, if both are known."""
        for sign in ("/", None):
            names = [self.one(one) for one in part.split(sign)]
            if len(names) > 1 and all(names):
                return tuple(name for name in names if name)
        return ()

    def looks_like_one(self, part: str) -> bool:
        """True for what nobody brackets but to cite: letters with digits, a short number, a footnote.

        Words alone look like an id if an id of the case has the same form (script, capitals and signs), or if
        there is none to compare with.
        """
        if _NUMBERED.fullmatch(part):
            return True
        if len(part) > LONGEST or any(map(str.isspace, part)) or not any(map(str.isalnum, part)):
            return False
        if part.isdigit():
            return len(part) <= self._longest_number and part.strip("0") != ""
        alike = not self.names or shape(part) in self._shapes
        if part.startswith("^") or (alike and part.casefold() not in _NEVER):
            return True
        letters_and_digits = part[0].isalpha() and any(map(str.isdigit, part))
        return letters_and_digits and not _FUNCTION_KEY.fullmatch(part)

    def is_like(self, name: str) -> bool:
        """True for an unknown name with letters and digits, or of the same form as an id of the case."""
        mixed = any(map(str.isalpha, name)) and any(map(str.isdigit, name))
        return mixed or (shape(name) in self._shapes and not self.only_by_words(name))

    def only_by_words(self, name: str) -> bool:
        """True for an unknown name that has no sign of an id but the form of a word."""
        return name not in self._exact and name.isalpha()


def form(name: str) -> str:
    """In any case, with one sign for blanks, dashes and underscores, and none before digits: ``HR 4``."""
    return _BEFORE_DIGITS.sub("", _SEPARATORS.sub("-", name.strip().casefold()).strip("-"))


def shape(name: str) -> str:
    """Kinds of signs in their order: ``hr-4`` as ``aa-9``, ``Leave`` as ``Aaa``."""
    for signs, kind in _SHAPES:
        name = re.sub(signs, kind, name)
    return re.sub(r"([aAя9Я])\1+", lambda run: run[1] if run[1] == "9" else run[1] * 2, name)


def _says_no_number(part: str) -> bool:
    return bool(_PLACE.fullmatch(part)) or not any(map(str.isdigit, part))


def _of_one(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Only forms that one name has."""
    found: dict[str, str | None] = {}
    for key, name in pairs:
        found[key] = name if found.get(key, name) == name else None
    return {key: name for key, name in found.items() if name and key}


@lru_cache(maxsize=256)
def ids_of(names: tuple[str, ...]) -> Ids:
    """Those of a case."""
    return Ids(names)
