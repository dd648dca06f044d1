"""Conformance checks: they pass what is good and name what isn't."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pytest

from rag_sweep.cases.records import Answer, Case
from rag_sweep.errors import RagSweepError
from rag_sweep.generator.extractive import Extractive
from rag_sweep.generator.generator import Desk, Watch
from rag_sweep.testing import (
    NASTY_TEXTS,
    ConformanceError,
    check_analyzer,
    check_chunker,
    check_component,
    check_generator,
    check_spans,
)


@dataclass(frozen=True)
class Lines:
    """A chunker as somebody else may write it."""

    def split(self, text: str) -> list[tuple[int, int]]:
        ends = [match.end() for match in re.finditer("\n|$", text)]
        return sorted({(a, b) for a, b in itertools.pairwise([0, *ends]) if a < b}) or [(0, 0)]


@dataclass(frozen=True)
class Letters:
    """An analyzer as somebody else may write it."""

    least: int = 2

    def tokens(self, text: str) -> list[str]:
        return [word for word in re.findall(r"[^\W\d_]+", text.lower()) if len(word) >= self.least]


def test_components_of_other_people_pass() -> None:
    check_chunker(Lines())
    check_analyzer(Letters())
    check_analyzer(Letters(3))


def test_the_error_is_one_of_ours() -> None:
    assert issubclass(ConformanceError, RagSweepError)


def test_the_texts_cover_what_goes_wrong() -> None:
    everything = "".join(NASTY_TEXTS.values())
    assert "" in NASTY_TEXTS.values()
    for needed in ("\u0301", "\r\n", "🚀", "ש", "|", "```", "x" * 10_000, "\x00"):
        assert needed in everything
    assert all(text.isspace() for title, text in NASTY_TEXTS.items() if "spaces" in title and "only" in title)


# -- components -------------------------------------------------------------------------------------


class NoDataclass:
    pass


@dataclass
class Thawed:
    size: int = 1


@dataclass(frozen=True, eq=False)
class NeverEqual:
    size: int = 1


@dataclass(frozen=True)
class Unhashable:
    names: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class NoPlainFields:
    pattern: re.Pattern[str] = re.compile("a")


@dataclass(frozen=True)
class Shrinking:
    size: int = 100

    def __post_init__(self) -> None:
        object.__setattr__(self, "size", self.size - 1)


@dataclass(frozen=True)
class NoPickle:
    size: int = 1

    def __reduce__(self) -> str:
        raise TypeError("not this one")


@pytest.mark.parametrize(
    ("component", "promise"),
    [
        (NoDataclass(), "is a frozen dataclass"),
        (Thawed(), "is a frozen dataclass"),
        (NeverEqual(), "equals a component with the same fields"),
        (Shrinking(), "equals a component with the same fields"),
        (Unhashable(), "can be hashed"),
        (NoPlainFields(), "has plain fields"),
        (NoPickle(), "can be pickled"),
    ],
    ids=lambda value: type(value).__name__ if not isinstance(value, str) else "",
)
def test_a_component_that_is_none_is_named_with_the_promise(component: object, promise: str) -> None:
    with pytest.raises(ConformanceError, match=f"{type(component).__name__} breaks: {promise}"):
        check_component(component)


# -- chunkers ---------------------------------------------------------------------------------------

TEXT = "One two. Three"


@pytest.mark.parametrize("spans", [[(0, 14)], [(0, 8), (9, 14)], [(0, 9), (4, 14)], [(0, 3), (0, 14)]])
def test_good_spans_pass(spans: list[tuple[int, int]]) -> None:
    check_spans(TEXT, spans)


@pytest.mark.parametrize(
    ("spans", "promise"),
    [
        ([], "at least one span"),
        (((0, 14),), "gives a list"),
        ([(0, 14), [0, 3]], "a tuple of two ints"),
        ([(0, 14, 1)], "a tuple of two ints"),
        ([(0.0, 14)], "a tuple of two ints"),
        ([(False, 14)], "a tuple of two ints"),
        ([(0, 15)], "lie in the text of 14 characters"),
        ([(-1, 14)], "lie in the text of 14 characters"),
        ([(0, 14), (9, 4)], "lie in the text of 14 characters"),
        ([(0, 14), (4, 4)], "none empty"),
        ([(9, 14), (0, 8)], "sorted and unique"),
        ([(0, 14), (0, 14)], "sorted and unique"),
        ([(0, 8), (9, 13)], "no word is cut; got word 'Three' at 9 cut at 13"),
        ([(0, 5), (4, 14)], "no word is cut; got word 'two' at 4 cut at 5"),
        ([(0, 14), (5, 14)], "no word is cut; got word 'two' at 4 cut at 5"),
        ([(0, 4), (9, 14)], "every word is in a passage; got word 'two' at 4 lost"),
        ([(0, 8)], "every word is in a passage; got word 'Three' at 9 lost"),
        ([(4, 14)], "every word is in a passage; got word 'One' at 0 lost"),
    ],
)
def test_bad_spans_are_named_with_the_promise_and_the_text(spans: object, promise: str) -> None:
    with pytest.raises(ConformanceError, match=re.escape(promise)) as caught:
        check_spans(TEXT, spans, name="Mine")  # type: ignore[arg-type]
    assert str(caught.value).startswith("Mine breaks: ")
    assert str(caught.value).endswith(f"(text: {TEXT!r})")


@pytest.mark.parametrize("spans", [[], [(0, 0), (0, 0)]])
def test_an_empty_text_has_one_empty_span(spans: list[tuple[int, int]]) -> None:
    check_spans("", [(0, 0)])
    with pytest.raises(ConformanceError):
        check_spans("", spans)


@dataclass(frozen=True)
class ByCharacters:
    def split(self, text: str) -> list[tuple[int, int]]:
        return [(at, min(at + 10, len(text))) for at in range(0, len(text), 10)] or [(0, 0)]


@dataclass(frozen=True)
class Crashing:
    def split(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text) // len(text) * len(text))]


CALLS = itertools.count()


@dataclass(frozen=True)
class Moody:
    def split(self, text: str) -> list[tuple[int, int]]:
        return [(0, len(text) - next(CALLS) % 2)]


@pytest.mark.parametrize(
    ("chunker", "message"),
    [
        (ByCharacters(), "ByCharacters breaks: no word is cut"),
        (Crashing(), "Crashing breaks: split() takes any text; got ZeroDivisionError: "),
    ],
)
def test_a_chunker_that_breaks_a_promise_is_caught(chunker: ByCharacters | Crashing, message: str) -> None:
    with pytest.raises(ConformanceError, match=re.escape(message)) as caught:
        check_chunker(chunker)
    assert re.search(r"\(text: [a-z ]+\)$", str(caught.value))


def test_a_chunker_that_changes_its_mind_is_caught() -> None:
    with pytest.raises(ConformanceError, match=r"split\(\) always gives the same; got another result from"):
        check_chunker(Moody())


# -- analyzers --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Gives:
    """Always the same, whatever comes."""

    what: str

    def tokens(self, text: str) -> object:
        return {"tuple": ("a",), "empty token": ["a", ""], "number": [1], "always": ["a"], "none": []}[
            self.what
        ]


@pytest.mark.parametrize(
    ("what", "promise"),
    [
        ("tuple", "tokens() gives a list"),
        ("empty token", "tokens are non-empty strings"),
        ("number", "tokens are non-empty strings"),
        ("always", "white space has no tokens"),
    ],
)
def test_an_analyzer_that_breaks_a_promise_is_caught(what: str, promise: str) -> None:
    with pytest.raises(ConformanceError, match=re.escape(promise)):
        check_analyzer(Gives(what))  # type: ignore[arg-type]


def test_an_analyzer_may_find_nothing() -> None:
    check_analyzer(Gives("none"))  # type: ignore[arg-type]


SEEN: set[str] = set()


@dataclass(frozen=True)
class Remembering:
    def tokens(self, text: str) -> list[str]:
        new = sorted(set(text.split()) - SEEN)
        SEEN.update(new)
        return new


def test_an_analyzer_that_remembers_is_caught() -> None:
    with pytest.raises(ConformanceError, match="always gives the same"):
        check_analyzer(Remembering())


# -- generators -------------------------------------------------------------------------------------

GIVES: dict[str, Callable[[Sequence[Case]], Any]] = {
    "echo": lambda cases: [Answer(case.id, case.question) for case in cases],
    "one id": lambda cases: [Answer("q-1", "Yes.") for _ in range(3)],
    "backwards": lambda cases: [Answer(case.id, "Yes.") for case in reversed(cases)],
    "texts": lambda cases: ["Yes." for _ in cases],
    "nothing": lambda cases: None,
    "both": lambda cases: [Answer(case.id, "Yes.", None, "no") for case in cases],
    "failures": lambda cases: [Answer(case.id, "", None, "no key") for case in cases],
    "raises": lambda cases: {}["a"],
    "first of the context": lambda cases: [Answer(case.id, case.context[0].text) for case in cases],
}


@dataclass(frozen=True)
class Writes:
    """A generator as somebody else may write it."""

    what: str = "echo"
    asks_model: ClassVar[bool] = False

    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        found: list[Answer] = GIVES[self.what](cases)
        return found


@dataclass(frozen=True)
class Counts(Writes):
    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        watch(2, 1)
        return super().write(cases, desk, watch)


@dataclass(frozen=True)
class Undecided:
    def write(self, cases: Sequence[Case], desk: Desk, watch: Watch) -> list[Answer]:
        return []


def test_generators_of_other_people_pass() -> None:
    check_generator(Writes())
    check_generator(Extractive())


@pytest.mark.parametrize(
    ("generator", "promise"),
    [
        (Writes("one id"), "an answer to each case; got StageFailed: "),
        (Writes("backwards"), "in the order of their cases"),
        (Writes("texts"), "'Yes.' in it"),
        (Writes("nothing"), "got None"),
        (Writes("both"), "both a text and a failure for 'q-1'"),
        (Writes("failures"), "some case gets a text; got ['no key']"),
        (Writes("raises"), "write() takes any cases; got KeyError: 'a'"),
        (Writes("first of the context"), "got IndexError: tuple index out of range (text: no context)"),
        (Counts(), "watch() is told how many of how many are done; got [(2, 1)]"),
        (Undecided(), "says whether it asks the model; got asks_model = None"),
    ],
)
def test_a_generator_that_breaks_a_promise_is_caught(generator: Any, promise: str) -> None:
    with pytest.raises(ConformanceError, match=re.escape(promise)) as caught:
        check_generator(generator)
    assert str(caught.value).startswith(f"{type(generator).__name__} breaks: ")
