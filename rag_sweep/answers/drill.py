"""Answers broken on purpose: which rule notices? Offline, without a model."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rag_sweep.answers.strangers import refuse_strangers
from rag_sweep.cases.records import Answer, Case, Cases, absence
from rag_sweep.checks import require
from rag_sweep.comparison.plain import plain as as_plain
from rag_sweep.errors import ConfigError, UsageError
from rag_sweep.rules.judging import Judged, Rules
from rag_sweep.rules.markers import markers, plain
from rag_sweep.rules.numbers import claims
from rag_sweep.rules.wording import script

Both = tuple[Case, Answer]
Answered = Mapping[str, Both]
"""Cases with their answers, by id."""

STEPS = (1, 3, 7, 10, 100, 1234)
"""That a number is changed by, until its context hasn't got it."""
LONG = 15
"""Digits that are reckoned with."""

_NEGATED = re.compile(r"\b(?:not|never|не)\s+|n't\b", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:is|are|was|were|can|may|must|will|has|have|should|does|do|did)\b(?P<english>)"
    r"|\b(?:можно|нужно|надо|следует|долж(?:ен|на|но|ны)|обязан[аоы]?|\w{3,}(?:[уюия]тся|[еи]тся|ают|яют|уют"
    r"|ает|яет|ует|ят|ит|ён|ен|ена|ено|ены))\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Sabotage:
    """One way to break answers or cases; gives those that it changes."""

    key: str
    told: str
    apply: Callable[[Answered, int], dict[str, Both]]


@dataclass(frozen=True)
class Noticed:
    """Of the answers that a rule didn't fail before, how many it fails now."""

    count: int
    of: int


@dataclass(frozen=True)
class Broken:
    """What became of a sabotage.

    Attributes
    ----------
    applies
        Answers that it changes.
    failing
        Of those that passed before, how many pass no longer.
    rules
        By rule.
    caught
        Whether enough of them fail; None where it applies to no answer that passed before.
    missed
        Ids of those that still pass.
    """

    key: str
    told: str
    applies: int
    failing: Noticed
    rules: Mapping[str, Noticed]
    caught: bool | None
    missed: tuple[str, ...]


@dataclass(frozen=True)
class AnswersDrill:
    """All sabotages, with what passes untouched, of how many answers."""

    least: float
    passing: int
    answers: int
    pass_rules: tuple[str, ...]
    broken: tuple[Broken, ...]

    @property
    def caught(self) -> int:
        """How many sabotages are caught."""
        return sum(one.caught is True for one in self.broken)

    @property
    def applicable(self) -> int:
        """How many could be."""
        return sum(one.caught is not None for one in self.broken)

    def is_passed(self, required: int | None = None) -> bool:
        """True if so many were caught (all that apply for None); never where nothing could be."""
        return self.applicable > 0 and self.caught >= (self.applicable if required is None else required)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        found: dict[str, Any] = as_plain(self)
        return {**found, "caught": self.caught, "applicable": self.applicable}


def drill(
    cases: Cases,
    answers: Mapping[str, Answer],
    rules: Rules,
    *,
    least: float = 0.5,
    seed: int = 0,
    only: Sequence[str] = (),
) -> AnswersDrill:
    """Break answers in every known way, and judge them by the rules again.

    Parameters
    ----------
    least
        Share of the answers that passed before from which a sabotage counts as caught, above 0 to 1.
    only
        Keys of sabotages; all without any.

    Raises
    ------
    ConfigError, DataError, UsageError
        For an unknown key, for answers to cases that aren't there, and where nothing was answered.
    """
    require("--least", least, "a number above 0 to 1", 0 < least <= 1)
    for key in only:
        if key not in KEYS:
            raise ConfigError(f"--only must be one of {', '.join(KEYS)}, got {key!r}")
    refuse_strangers(cases, answers)
    there = {
        case.id: (case.cleaned, answers[case.id].cleaned)
        for case in cases.cases
        if absence(answers.get(case.id)) is None
    }
    if not there:
        raise UsageError("no case has an answer, so there is nothing to break")
    before = {name: rules.judge(*both) for name, both in there.items()}
    chosen = [one for one in SABOTAGES if not only or one.key in only]
    return AnswersDrill(
        least,
        sum(one.passed for one in before.values()),
        len(there),
        rules.pass_rules,
        tuple(_broken(one, one.apply(there, seed), before, rules, least) for one in chosen),
    )


def _broken(
    sabotage: Sabotage, changed: Mapping[str, Both], before: Mapping[str, Judged], rules: Rules, least: float
) -> Broken:
    after = {name: rules.judge(*both) for name, both in changed.items()}
    passed = [name for name in changed if before[name].passed]
    missed = tuple(name for name in passed if after[name].passed)
    noticed = {rule.name: _noticed(rule.name, before, after) for rule in rules.rules}
    failing = Noticed(len(passed) - len(missed), len(passed))
    caught = failing.count >= least * failing.of if passed else None
    return Broken(sabotage.key, sabotage.told, len(changed), failing, noticed, caught, missed)


def _noticed(rule: str, before: Mapping[str, Judged], after: Mapping[str, Judged]) -> Noticed:
    fine = [name for name in after if not _fails(before[name], rule)]
    return Noticed(sum(_fails(after[name], rule) for name in fine), len(fine))


def _fails(judged: Judged, rule: str) -> bool:
    verdict = judged.verdict(rule)
    return verdict is not None and verdict.state == "fail"


def _each(change: Callable[[Case, Answer], Both | None]) -> Callable[[Answered, int], dict[str, Both]]:
    """A sabotage of every answer by itself; None where there is nothing to break."""

    def apply(there: Answered, seed: int) -> dict[str, Both]:
        found = ((name, change(*both)) for name, both in there.items())
        return {name: both for name, both in found if both is not None}

    return apply


def without_citations(case: Case, answer: Answer) -> Both | None:
    """The answer without its markers."""
    text, found = answer.text, markers(answer.text, case.citable)
    for marker in reversed(found):
        text = text[: marker.start].rstrip(" ") + text[marker.end :]
    return (case, replace(answer, text=text)) if found and text.strip() else None


def other_number(case: Case, answer: Answer) -> Both | None:
    """The answer with another number in place of its first one that can be told from the context's."""
    context = [part.text for part in case.context]
    for claim in claims(plain(answer.text, case.citable), context):
        digits = re.search(r"\d+", answer.text[claim.start : claim.end])
        if digits:
            start, end = (claim.start + at for at in digits.span())
            there = set(re.findall(r"\d+", case.text))
            further = (_further(digits[0], step) for step in STEPS)
            number = next((new for new in further if new not in there), None)
            if number is not None:
                changed = f"{answer.text[:start]}{number}{answer.text[end:]}"
                return case, replace(answer, text=changed)
    return None


def _further(digits: str, step: int) -> str:
    """A number so much larger, as wide as it was; of a long one only the end is reckoned with."""
    head, tail = digits[:-LONG], digits[-LONG:]
    return head + str(int(tail) + step).zfill(len(tail))


def negated(case: Case, answer: Answer) -> Both | None:
    """The answer with a negation put in, or taken out where there is one.

    Where no verb is known, the first sentence is said to be untrue.
    """
    text = answer.text
    if found := _NEGATED.search(text):
        return case, replace(answer, text=text[: found.start()] + text[found.end() :])
    verb = _VERB.search(text)
    if verb is None:
        untrue = "Неверно, что" if script(text) == "ru" else "It is not true that"
        return (case, replace(answer, text=f"{untrue} {text}")) if re.search(r"\w", text) else None
    is_english = verb["english"] is not None
    told = f"{verb[0]} not" if is_english else f"не {verb[0]}"
    return case, replace(answer, text=text[: verb.start()] + told + text[verb.end() :])


def cut_context(case: Case, answer: Answer) -> Both | None:
    """The case without the passages that its answer cites."""
    cited = {name for marker in markers(answer.text, case.citable) for name in marker.ids}
    left = tuple(part for part in case.context if part.id not in cited)
    if len(left) == len(case.context):
        return None
    allowed = case.rubric.allow_cites
    kept = None if allowed is None else tuple(name for name in allowed if name not in cited)
    rubric = replace(case.rubric, allow_cites=kept)
    return replace(case, context=left, rubric=rubric, evidence=None), answer


def swapped(there: Answered, seed: int) -> dict[str, Both]:
    """Every case with the answer to another one."""
    names = list(there)
    random.Random(seed).shuffle(names)
    after = [*names[1:], *names[:1]]
    found = {
        name: (there[name][0], replace(there[other][1], id=name))
        for name, other in zip(names, after, strict=True)
        if there[other][1].text != there[name][1].text
    }
    return {name: found[name] for name in there if name in found}


SABOTAGES = (
    Sabotage("drop_citations", "no citation is left", _each(without_citations)),
    Sabotage("change_number", "the first number is another one", _each(other_number)),
    Sabotage("negate", "a negation is put in or taken out", _each(negated)),
    Sabotage("cut_context", "the cited passages weren't handed over", _each(cut_context)),
    Sabotage("swap_answers", "every answer stands at another question", swapped),
)
KEYS = tuple(one.key for one in SABOTAGES)
