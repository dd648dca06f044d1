"""What an answer must and must not say, how long it may be, and in which language."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rag_sweep.analyzer import normalised
from rag_sweep.cases.cleaning import clean
from rag_sweep.cases.records import Answer, Case
from rag_sweep.checks import is_count, require
from rag_sweep.rules.markers import markers, without
from rag_sweep.rules.refusal import Refusals, should_refuse
from rag_sweep.rules.verdict import Verdict

_PARTING = re.compile(r"[\u2010-\u2015-]")


def plain(case: Case, answer: Answer) -> str:
    """The answer without its citation markers."""
    return without(answer.text, markers(answer.text, case.citable))


def _compared(text: str) -> str:
    """In any case, with ё or е, and with one blank for hyphens and white space of any kind."""
    return " ".join(_PARTING.sub(" ", normalised(text)).split())


def includes(text: str, alternatives: Iterable[str]) -> bool:
    """True if one of them is a part of a cleaned text, compared as `MustInclude` does."""
    said = _compared(text)
    return any(_compared(clean(one)) in said for one in alternatives)


@dataclass(frozen=True)
class MustInclude:
    """One alternative of each entry is in the answer: a part of a word, in any case, with ё or е."""

    refusals: Refusals
    name: str = "must_include"

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """Failed with the entries that are missing; a right refusal need not say them."""
        if not case.rubric.must_include:
            return Verdict.not_applicable(self.name, "nothing_asked", {"missing": []})
        if should_refuse(case) and self.refusals.refuses(answer.text, case.citable, case.question):
            return Verdict.not_applicable(self.name, "refused", {"missing": []})
        said = plain(case, answer)
        missing = [list(entry) for entry in case.rubric.must_include if not includes(said, entry)]
        return Verdict.of(self.name, not missing, "missing" if missing else "included", {"missing": missing})


@dataclass(frozen=True)
class MustNotInclude:
    """None of the entries is in the answer."""

    name: str = "must_not_include"

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """Failed with the entries that are there."""
        if not case.rubric.must_not_include:
            return Verdict.not_applicable(self.name, "nothing_asked", {"found": []})
        said = plain(case, answer)
        found = [text for text in case.rubric.must_not_include if includes(said, [text])]
        return Verdict.of(self.name, not found, "included" if found else "not_included", {"found": found})


@dataclass(frozen=True)
class Length:
    """At most so many words, as white space parts them; a dash is none."""

    max_words: int = 60
    name: str = "length"

    def __post_init__(self) -> None:
        require("rules.max_words", self.max_words, "an int >= 1", is_count(self.max_words))

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """The limit of the case's rubric wins."""
        limit = case.rubric.max_words or self.max_words
        words = sum(any(map(str.isalnum, word)) for word in plain(case, answer).split())
        reason = "empty" if not words else "too_long" if words > limit else "short_enough"
        return Verdict.of(self.name, 0 < words <= limit, reason, {"words": words, "limit": limit})


_CYRILLIC = re.compile(r"[\u0400-\u052f]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]")
_WORD = re.compile(r"[^\W\d_]+")
FEWEST_LETTERS = 3
_COMMON = "the|a|an|is|are|was|of|to|and|in|for|you|be|not"
ENGLISH_WORDS = frozenset(_COMMON.split("|"))
_ALSO = "with|by|on|at|from|or|if|this|that|your|must|may|can|will|has|have|before|after|until|within|per"
_IN_CAPITALS = ENGLISH_WORDS.union(_ALSO.split("|"))
"""Words that names seldom have, where there is nothing but Latin words with capitals."""


@dataclass(frozen=True)
class SameLanguage:
    """The answer is in the question's script, which tells Russian from English."""

    name: str = "language"

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """Not applicable where either has hardly a letter, or as many of one as of the other."""
        asked, said = script(case.question), script(plain(case, answer))
        detail = {"question": asked, "answer": said}
        if asked is None or said is None:
            return Verdict.not_applicable(self.name, "no_language", detail)
        return Verdict.of(self.name, asked == said, "same" if asked == said else "other_language", detail)


def script(text: str) -> str | None:
    """``ru`` or ``en`` by the script of most words; None if there are too few letters, or as many of both.

    Latin words with a capital don't count beside Cyrillic ones, since names keep their script in Russian, nor
    alone («Microsoft Teams»), unless a word such as ``THE`` is among them. Beside Cyrillic words the others
    count only if one of them is such a word.
    """
    words = _WORD.findall(text)
    cyrillic = sum(bool(_CYRILLIC.match(word)) for word in words)
    latin = [word for word in words if _LATIN.match(word)]
    small = [word for word in latin if word == word.lower()]
    if cyrillic or not any(len(word) > 1 and word.lower() in _IN_CAPITALS for word in latin):
        latin = small
    if cyrillic and not ENGLISH_WORDS.intersection(latin):
        latin = []
    if sum(map(len, words)) < FEWEST_LETTERS or cyrillic == len(latin):
        return None
    return "ru" if cyrillic > len(latin) else "en"
