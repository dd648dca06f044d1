"""Whether an answer refuses, and whether it should."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rag_sweep.cases.records import Answer, Case
from rag_sweep.errors import ConfigError
from rag_sweep.rules.markers import Sentence, markers, sentences
from rag_sweep.rules.verdict import Verdict

_OF_WHAT = "(?:информаци|данны|данных|сведени|ответ)"
_SOURCES = (
    "(?:контекст|документ|материал|источник|фрагмент|отрывк|текст|стать|раздел|правил"
    "|context|document|passage|source|excerpt|text|material|article|handbook|polic|question|answer|information"
    "|вопрос|информаци|сведени|данны|данных|ответ)"
)
_OF_SOURCES = rf"(?=[^\n]*\b{_SOURCES})"
_NOT = "(?: not|n't)"
RUSSIAN = (
    rf"\bнет (?:такой |таких |этой |этих |нужной |точной |достаточной |никак\w+ )?{_OF_WHAT}",
    r"\b(?:информации|сведений|данных|упоминани[йя])\b[^.!?,\n]{0,40}\bнет(?=\s*(?:[.!?,;]|$))",
    rf"^{_OF_SOURCES}[^\n]*\bне (?:содерж|освеща|затрагива|рассматрива|раскрыва|привод|привед|сообща|говор"
    r"|отраж)\w*",
    r"\bне (?:содержит|содержат) (?:ответ|информаци|сведени|данных)",
    r"\bне (?:указан[оаы]?|упомина\w+|упомянут\w*|описан[оаы]?|сказано|известно)\b|\bнеизвестн[оы]\b",
    r"\bничего не (?:сказано|говорится|сообщается|известно|указано|написано|наш[ле]\w+|найдено)\b",
    r"\bне (?:наш[ле]\w+|найден[оаы]?|нашлось|удалось найти)\b",
    r"\bне (?:могу|можем|удалось|удается|получится|смог\w*) (?:\w+ )?"
    r"(?:ответить|найти|дать ответ|сказать|определить)",
    r"\b(?:нельзя|невозможно) (?:\w+ )?(?:ответить|сказать|определить|установить)",
    r"\b(?:ответить|сказать|определить|установить)[^.!?,\n]{0,30}\b"
    r"(?:нельзя|невозможно|не могу|не получится)",
    rf"\bне (?:знаю|располагаю|имею {_OF_WHAT})",
    r"\bнедостаточно (?:информации|данных|сведений|контекста)",
    rf"\b{_OF_WHAT}\w*\b[^.!?\n]{{0,40}}\bотсутству[ею]т",
    rf"\bотсутству[ею]т {_OF_WHAT}",
)
"""Refusals in Russian, for one sentence, case-folded, with е for ё."""

ENGLISH = (
    rf"\b(?:can(?:no|')t|can not|could{_NOT}|unable to|not able to) (?:be )?(?:answer|find|found|say|tell)",
    rf"\b(?:can(?:no|')t|can not|could{_NOT}|unable to|not able to) (?:be )?determine",
    rf"\b(?:{_SOURCES}\w*|it|they|this|that|these)\b[^.!?,\n]{{0,30}} (?:do(?:es)?|did){_NOT} "
    r"(?:\w+ )?(?:contain|mention|say|state|specify|include|provide|cover|tell|address|describe)\b",
    r"\b(?:do(?:es)?|did)(?: not|n't) (?:mention|say|state|specify)\b",
    r"\bi (?:do not|don't) (?:know|have)\b",
    r"\b(?:no|not enough|insufficient) (?:such )?"
    r"(?:information|data|evidence|context|answer|mention|details)\b",
    rf"\b(?:is|are|was|were){_NOT} (?:mentioned|stated|specified|covered|addressed|discussed|described)\b",
    rf"^{_OF_SOURCES}[^\n]*\b(?:is|are|was|were){_NOT} (?:\w+ )?(?:provided|given|found|available|known)\b",
    rf"\bnothing\b[^.!?\n]{{0,40}}\b{_SOURCES}|\b{_SOURCES}\w*\b[^.!?\n]{{0,30}}\bnothing\b",
    rf"\b{_SOURCES}\w*\b[^.!?,\n]{{0,30}}\b(?:lacks?|omits?)\b|\bno way (?:of|to) know",
    r"\bsilent (?:on|about)\b|\b(?:outside|beyond) the (?:scope|given|provided)",
)
"""Refusals in English, for one sentence, case-folded."""

_CONDITION = re.compile(r"\b(?:если|когда|котор\w+|if|when|unless|whose|which)\b[^,.;:\n]*")
_CITED_SOURCE = re.compile(rf"\b{_SOURCES}")


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

    def refuses(self, text: str, citable: Collection[str] = ()) -> bool:
        """True if the answer says that it can't answer, and no other sentence of it cites something.

        What stands in a condition («если номер не указан») is no refusal; nor is a sentence with a citation
        that doesn't speak of its sources.
        """
        parts = sentences(text, citable)
        refusing = [self._refuses(one) for one in parts]
        return any(refusing) and not any(
            one.cites and not refused for one, refused in zip(parts, refusing, strict=True)
        )

    def _refuses(self, sentence: Sentence) -> bool:
        said = _CONDITION.sub("", sentence.text.casefold().replace("ё", "е").replace("’", "'"))
        if sentence.cites and not _CITED_SOURCE.search(said):
            return False
        return bool(_one((*self.ru, *self.en)).search(said))


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
        refuses, should = self.refusals.refuses(answer.text, case.citable), should_refuse(case)
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
