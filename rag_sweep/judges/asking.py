"""Judging many answers by several judges at once, step by step."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Protocol

from rag_sweep.cases.records import Answer, Case
from rag_sweep.llm.calls import Call, Completion, Message, NotMeasured
from rag_sweep.llm.client import Client, Watch
from rag_sweep.llm.parsing import json_object
from rag_sweep.llm.prompts import Prompt, Prompts
from rag_sweep.rules.verdict import Verdict
from rag_sweep.rules.wording import script

LEAST_TOKENS = 1024
"""That a reply may have, however short what is judged is."""
LONGEST_REPLY = 4000
"""Characters of a broken reply that are sent back."""


@dataclass(frozen=True)
class Ask:
    """One question to the model.

    Attributes
    ----------
    read
        Takes the JSON object of the reply; what it returns goes back to the judge. Raises `Unreadable`.
    """

    messages: tuple[Message, ...]
    read: Callable[[Mapping[str, Any]], Any]
    max_tokens: int = LEAST_TOKENS


class Unreadable(ValueError):
    """A reply that isn't what was asked for."""


Steps = Generator[Ask, Any, Verdict]
"""Asks, gets what was read of the reply, and ends in a verdict."""


@dataclass(frozen=True)
class Asked:
    """What a judge knows of the evaluation: its prompts, in the language that was chosen.

    Parameters
    ----------
    language
        ``ru``, ``en``, or ``auto``: that of the question, English where it has none.
    swapped
        Show the parts of the context, and lists, in reverse order: what that changes is a bias.
    settings
        How the model is asked, as `rag_sweep.judges.settings.settings_of` tells it.
    """

    prompts: Prompts
    language: str = "auto"
    swapped: bool = False
    settings: tuple[str, ...] = ()

    def messages(self, name: str, case: Case, **values: str) -> tuple[Message, ...]:
        """A prompt about a case."""
        return self.prompts.get(name, self.spoken(case), tuple(values)).messages(**values)

    def spoken(self, case: Case) -> str:
        """The language of the prompts about a case."""
        return script(case.question) or "en" if self.language == "auto" else self.language

    def ordered(self, items: Sequence[Any]) -> list[Any]:
        """In their order, or in reverse."""
        return list(reversed(items)) if self.swapped else list(items)


class Judge(Protocol):
    """A frozen dataclass with one verb.

    Attributes
    ----------
    prompts
        The names of the prompts that it uses, each with its places.
    """

    prompts: ClassVar[Mapping[str, tuple[str, ...]]]

    @property
    def name(self) -> str:
        """What its verdicts are called."""
        ...

    @property
    def labels(self) -> tuple[str, ...]:
        """What else decides its values, each after the name of a prompt and a dot; reports name it."""
        ...

    def steps(self, case: Case, answer: Answer, asked: Asked) -> Steps:
        """Judge one answer."""
        ...


@dataclass
class _Running:
    """A judge on an answer.

    Attributes
    ----------
    straight
        The same judge with everything in its given order, as long as it asks the same; None for one that has
        nothing in reverse order, and once they have parted.
    parted
        Whether anything was asked otherwise than in the given order.
    """

    case: Case
    name: str
    steps: Steps
    straight: Steps | None = None
    ask: Ask | None = None
    verdict: Verdict | None = None
    parted: bool = False

    def go(self, value: Any) -> None:
        """Give the judge what it asked for, up to its next question or its verdict."""
        try:
            self.ask = self.steps.send(value)
        except StopIteration as end:
            self.ask, self.verdict = None, end.value
        if self.ask is not None and self.straight is not None:
            self._compare(self.ask, self.straight, value)

    def _compare(self, mine: Ask, straight: Steps, value: Any) -> None:
        """Up to here both have asked the same, and so are told the same."""
        try:
            self.parted = straight.send(value).messages != mine.messages
        except StopIteration:
            self.parted = True
        if self.parted:
            self.straight = None

    def give_up(self, why: NotMeasured) -> None:
        self.steps.close()
        self.ask = None
        self.verdict = Verdict(self.name, "not_measured", why.reason, {"detail": why.detail})


def judge_all(
    judges: Sequence[Judge],
    pairs: Sequence[tuple[Case, Answer]],
    client: Client,
    asked: Asked,
    *,
    repeat: int = 0,
    watch: Watch | None = None,
) -> dict[tuple[str, str], Verdict]:
    """Verdicts by (id of the case, name of the judge); each is there.

    What can't be asked, or isn't answered as it must be after one repair, is ``not_measured``, with why.

    Parameters
    ----------
    repeat
        0, 1, ...: the same calls again, which are asked anew.
    watch
        Told of calls: so many are answered, of so many that are known of.

    Raises
    ------
    ConfigError
        For a prompt that isn't there or isn't made as it must be, before anything is asked.
    """
    _check_prompts(judges, [case for case, _ in pairs], asked)
    running = [_running(judge, case, answer, asked) for case, answer in pairs for judge in judges]
    _finish(running, _Desk(client, asked, repeat, watch))
    return {(one.case.id, one.name): one.verdict for one in running if one.verdict is not None}


def judge_reversed(
    judges: Sequence[Judge],
    pairs: Sequence[tuple[Case, Answer]],
    client: Client,
    asked: Asked,
    *,
    watch: Watch | None = None,
) -> dict[tuple[str, str], Verdict]:
    """Verdicts with everything shown in reverse order, only of those for which that changes what is shown.

    One that wasn't measured is there too, since nobody knows what would have been shown; otherwise as
    `judge_all`.
    """
    _check_prompts(judges, [case for case, _ in pairs], asked)
    reverse = replace(asked, swapped=True)
    running = [
        replace(_running(judge, case, answer, reverse), straight=_running(judge, case, answer, asked).steps)
        for case, answer in pairs
        for judge in judges
    ]
    _finish(running, _Desk(client, reverse, 0, watch))
    return {
        (one.case.id, one.name): one.verdict
        for one in running
        if one.verdict is not None and (one.parted or one.verdict.state == "not_measured")
    }


def labels(judges: Sequence[Judge], cases: Sequence[Case], asked: Asked) -> tuple[str, ...]:
    """What decides the values of judges, as reports have it; errors of `judge_all`.

    The prompts in the languages that occur, what else each judge goes by, and how the model is asked.
    """
    if not judges:
        return ()
    of_prompts = (one.label for one in _prompts(judges, cases, asked))
    return (*of_prompts, *(label for judge in judges for label in judge.labels), *asked.settings)


def _check_prompts(judges: Sequence[Judge], cases: Sequence[Case], asked: Asked) -> None:
    """Raise ConfigError for a prompt that isn't there, or isn't made as it must be."""
    _prompts(judges, cases, asked)


def _prompts(judges: Sequence[Judge], cases: Sequence[Case], asked: Asked) -> list[Prompt]:
    """Every prompt that may be needed, in the languages that occur; errors of `_check_prompts`."""
    spoken = sorted({asked.spoken(case) for case in cases})
    used = [(name, places) for judge in judges for name, places in judge.prompts.items()]
    return [
        asked.prompts.get(name, language, places)
        for name, places in [*used, ("repair", ("fault",))]
        for language in spoken
    ]


def _running(judge: Judge, case: Case, answer: Answer, asked: Asked) -> _Running:
    return _Running(case, judge.name, judge.steps(case.cleaned, answer.cleaned, asked))


def _finish(running: Sequence[_Running], desk: _Desk) -> None:
    """Ask until each has its verdict."""
    for one in running:
        one.go(None)
    while waiting := [one for one in running if one.ask is not None]:
        desk.round(waiting)


@dataclass
class _Desk:
    """Where judges hand in what they ask."""

    client: Client
    asked: Asked
    repeat: int
    watch: Watch | None
    answered: int = 0

    def round(self, waiting: Sequence[_Running]) -> None:
        """Ask what is waiting, repair what can't be read, and let the judges go on."""
        calls = [
            Call(one.ask.messages, one.ask.max_tokens, as_json=True, repeat=self.repeat)
            for one in waiting
            if one.ask is not None
        ]
        broken: list[tuple[_Running, Call, Completion, str]] = []
        for one, call, reply in zip(waiting, calls, self._complete(calls), strict=True):
            fault = _take(one, reply)
            if fault and isinstance(reply, Completion):
                broken.append((one, call, reply, fault))
        if broken:
            self._repair(broken)

    def _repair(self, broken: Sequence[tuple[_Running, Call, Completion, str]]) -> None:
        """One more try for each, with what was wrong."""
        calls = []
        for one, call, reply, fault in broken:
            prompt = self.asked.prompts.get("repair", self.asked.spoken(one.case), ("fault",))
            turns = (*call.messages, Message("assistant", reply.text[:LONGEST_REPLY]))
            more = prompt.messages(fault=fault)
            calls.append(Call((*turns, *more), call.max_tokens, as_json=True, repeat=call.repeat))
        for (one, *_), repaired in zip(broken, self._complete(calls), strict=True):
            fault = _take(one, repaired)
            if fault:
                one.give_up(NotMeasured("unparsable", fault))

    def _complete(self, calls: Sequence[Call]) -> list[Completion | NotMeasured]:
        before, watch = self.answered, self.watch
        told = None if watch is None else lambda done, total: watch(before + done, before + total)
        replies = self.client.complete_many(calls, told)
        self.answered += len(set(calls))
        return replies


def _take(one: _Running, reply: Completion | NotMeasured) -> str:
    """Give a reply to its judge; what is wrong with it, or ""."""
    if isinstance(reply, NotMeasured) or one.ask is None:
        one.give_up(reply if isinstance(reply, NotMeasured) else NotMeasured("no_question", ""))
        return ""
    data = json_object(reply.text)
    if data is None:
        cut = f", since it was cut at {one.ask.max_tokens} tokens" if reply.cut else ""
        return f"it has no whole JSON object{cut}"
    try:
        value = one.ask.read(data)
    except Unreadable as error:
        return str(error)
    one.go(value)
    return ""
