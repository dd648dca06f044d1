"""Whether an answer refuses, and whether it should."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_sweep.cases.records import Answer, Case
from rag_sweep.errors import ConfigError
from rag_sweep.rules.clauses import clauses
from rag_sweep.rules.markers import Sentence, markers
from rag_sweep.rules.pointing import answers_first, only_points, says_something
from rag_sweep.rules.refusal_patterns import CITED_SOURCES, ENGLISH, EXCLUDES, RUSSIAN
from rag_sweep.rules.verdict import Verdict

_CONDITION = re.compile(r"\b(?:если|когда|котор\w+|if|when|unless|whose|which)\b[^,.;:\n]*")
_CITED_SOURCE = re.compile(rf"\b{CITED_SOURCES}")
_EXCLUDES = re.compile(EXCLUDES)
_QUOTED = re.compile(r"«([^«»\n]{1,80})»|“([^“”\n]{1,80})”|\"([^\"\n]{1,80})\"|„([^„“\n]{1,80})“")
_LABEL = re.compile(r"^\W*(?:ответ|answer)\s*:\s*")


@dataclass(frozen=True)
class Refusals:
    """What an answer says that says it has none, in patterns over case-folded text.

    Raises
    ------
    ConfigError
        For a pattern that is none.
    """

    ru: tuple[str, ...] = RUSSIAN
    en: tuple[str, ...] = ENGLISH

    def __post_init__(self) -> None:
        for pattern in (*self.ru, *self.en):
            try:
                re.compile(pattern)
            except re.error as error:
                raise ConfigError(f"rules.refusal: {pattern!r} is no pattern: {error}") from error

    def refuses(self, text: str, citable: Collection[str] = (), question: str = "") -> bool:
        """True if the answer says that it can't answer, and no other clause of it answers and cites.

        What stands in a condition («если номер не указан») or in quotes («Нет данных») is no refusal; nor is
        a clause with a citation that doesn't speak of its sources. Another clause that cites answers, unless
        it only points elsewhere.
        """
        parts = clauses(text, citable)
        refusing = [one for one in parts if self.is_refusal(one)]
        if not refusing:
            return False
        others = [one for one in parts if one.cites and one not in refusing and says_something(one.text)]
        said = " ".join(one.text for one in refusing)
        if not others and refusing[0].cites:
            before = " ".join(one.text for one in parts[: parts.index(refusing[0])])
            return not answers_first(question, before, said)
        return all(only_points(question, said, one.text) for one in others)

    def is_refusal(self, clause: Sentence) -> bool:
        """True if one clause says that there is no answer."""
        said = clause.text.casefold().replace("ё", "е").replace("’", "'")
        said = _EXCLUDES.sub("", _CONDITION.sub("", _LABEL.sub("", said)))
        if clause.cites and not _CITED_SOURCE.search(said):
            return False
        pattern = _one((*self.ru, *self.en))
        return bool(pattern.search(_unquoted(said, pattern)))


def _unquoted(said: str, pattern: re.Pattern[str]) -> str:
    """Without quotes that sound like a refusal, if something is said about them."""
    rest = _QUOTED.sub(lambda match: "" if pattern.search(match[0][1:-1]) else match[0], said)
    return rest if says_something(rest) else said


@lru_cache(maxsize=16)
def _one(patterns: Sequence[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern.replace('ё', 'е')})" for pattern in patterns) or r"(?!)")


def should_refuse(case: Case) -> bool | None:
    """Whether there is no answer, by the rubric or by what is known of the evidence; None: nobody knows."""
    if case.rubric.expect_refusal is not None:
        return case.rubric.expect_refusal
    if case.evidence is not None:
        return not case.evidence
    return None if case.text.strip() else True


@dataclass(frozen=True)
class RefusalRule:
    """Right where nothing answers the question, wrong where something does."""

    refusals: Refusals
    name: str = "refusal"

    def judge(self, case: Case, answer: Answer) -> Verdict:
        """An answer that neither cites nor refuses fails; a refusal is not judged where nobody knows."""
        refuses, should = self.refusals.refuses(answer.text, case.citable, case.question), should_refuse(case)
        detail = {"refuses": refuses, "should": should}
        if refuses and should is None:
            return Verdict.not_applicable(self.name, "evidence_unknown", detail)
        if refuses:
            return Verdict.of(
                self.name, bool(should), "rightly_refused" if should else "wrongly_refused", detail
            )
        if should:
            return Verdict.of(self.name, False, "should_refuse", detail)
        if not markers(answer.text, case.citable):
            return Verdict.of(self.name, False, "neither_cited_nor_refused", detail)
        return Verdict.of(self.name, True, "answered", detail)
