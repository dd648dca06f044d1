"""Conformance checks for your own components: call them in a test of yours.

    from rag_sweep.testing import check_chunker
    def test_my_chunker_conforms() -> None:
        check_chunker(MyChunker(size=3))

Each check runs the component over texts that have broken such code before, and raises `ConformanceError`,
which names the property and the text.
"""

from __future__ import annotations

import dataclasses
import pickle
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from rag_sweep.analyzer import Analyzer
from rag_sweep.cases.records import Case, Context
from rag_sweep.chunker.boundaries import WORD
from rag_sweep.errors import RagSweepError
from rag_sweep.fingerprint import fingerprint
from rag_sweep.generator.checking import checked_answers
from rag_sweep.generator.generator import Desk, Generator
from rag_sweep.llm.prompts import Prompts
from rag_sweep.passages import Chunker

__all__ = [
    "NASTY_TEXTS",
    "ConformanceError",
    "check_analyzer",
    "check_chunker",
    "check_component",
    "check_generator",
    "check_spans",
]


class ConformanceError(RagSweepError):
    """A component breaks a promise that the rest of the program relies on."""


NASTY_TEXTS: Mapping[str, str] = MappingProxyType(
    {
        "empty": "",
        "only spaces": "  \t \n \r\n   ",
        "only punctuation": "?! … — «»()[]***",
        "one letter": "я",
        "no end mark": "a sentence that just stops",
        "surrounding spaces": "\n\n  A word.  \n\n",
        "emoji": "Ship it 🚀! 👩‍👩‍👧‍👦 said yes 👍🏽. 🇷🇺🇬🇧 Done.",
        "combining marks": "За́мок и замо́к; ра\u0438\u0306о́н. E\u0301te\u0301 n\u0303.",
        "mark without a letter": "\u0301 first. \u0301\u0301 Second\u0308",
        "CRLF": "# Title\r\n\r\nFirst line.\r\nSecond line.\r\n\r\n- item\r\n- item\r\n",
        "old line ends": "First line.\rSecond line.\u2028Third line.\x85Fourth\x0cfifth.",
        "right to left": "שלום עולם. مرحبا بالعالم! \u200fנגמר\u200e (סוף).",
        "no spaces between words": "今日は晴れです。明日は雨でしょう。",
        "very long word": "x" * 20_000,
        "very long sentence": "word, " * 5_000,
        "many dots": "Contents " + "." * 20_000 + " 7\nIndex " + ". " * 5_000 + "9",
        "many brackets": "(" * 10_000 + "a" + ")" * 10_000,
        "underscores": "snake_case and __init__ and _ _ _",
        "case folds longer": "STRASSE Straße İstanbul ǰ ŉ ﬁ Ω ς",
        "abbreviations": "В 2024 г. А. С. Пушкин и т. д. См. рис. 3.5. Dr. No. 5 met J. R. e.g. in p. 1.",
        "table": "| Код | Срок |\n|---|---:|\n| A-1 | 5 |\n| B-2 |  |\n",
        "code fence": "# One\n\n```sh\n# no heading\n\necho 1.0. Two\n```\n\n## Two\n~~~\n# no heading\n",
        "headings only": "# One\n## Two\n### Three ###\n#\n####### no heading\n#tag",
        "nested list": "1. One.\n   - inner one\n   - inner two.\n2. Two\n\n   still two\n10) ten",
        "control signs": "a\x00b\x1fc\ufeffd\u200be\u00adf",
    }
)
"""Name to text. Yours may be longer; these are the shapes that go wrong."""


def check_component(component: Any) -> None:
    """Check what every component must be.

    A frozen dataclass instance; equal copies that hash and fingerprint alike; a pickle that comes back equal;
    fields that have a canonical form (None, bool, int, finite float, str, and tuples of them).

    Raises
    ------
    ConformanceError
    """
    name = type(component).__name__
    parameters = getattr(type(component), "__dataclass_params__", None)
    _hold(
        parameters is not None and parameters.frozen,
        name,
        "is a frozen dataclass",
        "no @dataclass(frozen=True)",
    )
    copy = _attempt(lambda: dataclasses.replace(component), name, "can be made from its own fields")
    _hold(copy == component, name, "equals a component with the same fields", f"{copy!r} != {component!r}")
    same_hash = _attempt(lambda: hash(copy) == hash(component), name, "can be hashed")
    _hold(same_hash, name, "hashes like an equal component", "hash() differs")
    same_key = _attempt(lambda: fingerprint(copy) == fingerprint(component), name, "has plain fields")
    _hold(same_key, name, "has the fingerprint of an equal component", "fingerprint() differs")
    pickled = _attempt(lambda: pickle.loads(pickle.dumps(component)), name, "can be pickled")
    _hold(pickled == component, name, "comes back equal from a pickle", f"{pickled!r} != {component!r}")


def check_analyzer(analyzer: Analyzer) -> None:
    """Check `check_component`, and that `tokens` gives a list of non-empty strings, always the same one.

    A text without a word may have tokens (an emoji), but an empty one or one of white space has none.

    Raises
    ------
    ConformanceError
    """
    check_component(analyzer)
    name = type(analyzer).__name__
    for title, tokens in _outputs(analyzer, name, "tokens").items():
        _hold(type(tokens) is list, name, "tokens() gives a list", repr(type(tokens)), title)
        strings = all(isinstance(token, str) and token for token in tokens)
        _hold(strings, name, "tokens are non-empty strings", _short(tokens), title)
        if not NASTY_TEXTS[title].strip():
            _hold(not tokens, name, "white space has no tokens", _short(tokens), title)


def check_chunker(chunker: Chunker) -> None:
    r"""Check `check_component`, and that `split` gives good spans (`check_spans`), always the same ones.

    Raises
    ------
    ConformanceError
    """
    check_component(chunker)
    name = type(chunker).__name__
    for title, spans in _outputs(chunker, name, "split").items():
        check_spans(NASTY_TEXTS[title], spans, name=name, title=title)


def check_spans(
    text: str, spans: Sequence[tuple[int, int]], *, name: str = "chunker", title: str = ""
) -> None:
    r"""Check the spans of one text.

    At least one; pairs of ints with 0 <= start < end <= len(text) (an empty text has the one span (0, 0));
    sorted and unique; each word ``[^\W_]+`` whole in at least one span, and no span beginning or ending
    inside a word.

    Parameters
    ----------
    name, title
        What to call the chunker and the text in the message.

    Raises
    ------
    ConformanceError
    """
    where = title or _short(text)
    _hold(
        isinstance(spans, list) and bool(spans),
        name,
        "split() gives a list of at least one span",
        repr(spans),
        where,
    )
    if not text:
        _hold(spans == [(0, 0)], name, "an empty text has the span (0, 0)", _short(spans), where)
    for span in spans:
        _hold(_is_pair(span), name, "a span is a tuple of two ints", repr(span), where)
        inside = 0 <= span[0] <= span[1] <= len(text) and (span[0] < span[1] or not text)
        _hold(inside, name, f"spans lie in the text of {len(text)} characters, none empty", repr(span), where)
    _hold(list(spans) == sorted(set(spans)), name, "spans are sorted and unique", _short(spans), where)
    words = [match.span() for match in WORD.finditer(text)]
    _no_word_cut(text, words, spans, name, where)
    _no_word_lost(text, words, spans, name, where)


def check_generator(generator: Generator, desk: Desk | None = None) -> None:
    """Check `check_component`, and that `write` gives one good answer to each case, in their order.

    Asked of each text as a question and as a context, of a question without a context, of all at once, and of
    nothing. Answers may differ from call to call: models do that.

    Parameters
    ----------
    desk
        With the prompts and the model that it needs; a generator that asks none needs none.

    Raises
    ------
    ConformanceError
    """
    check_component(generator)
    name = type(generator).__name__
    asks = getattr(generator, "asks_model", None)
    _hold(isinstance(asks, bool), name, "says whether it asks the model", f"asks_model = {asks!r}")
    desk = desk or Desk(Prompts(()))
    for title, cases in _cases().items():
        _check_written(generator, name, desk, title, cases)


def _cases() -> dict[str, list[Case]]:
    """Cases by what is special about them; a case by itself has the name of its text."""
    apart = {
        title: [Case("q-1", text, (Context("d", text), Context("d:0-5", "Other words.")))]
        for title, text in NASTY_TEXTS.items()
        if text.strip()  # files of cases refuse others
    }
    every = [dataclasses.replace(case, id=f"q-{at}") for at, (case,) in enumerate(apart.values())]
    return {"no case": [], **apart, "no context": [Case("q-1", "Who?", ())], "all at once": every}


def _check_written(generator: Generator, name: str, desk: Desk, title: str, cases: list[Case]) -> None:
    told: list[tuple[int, int]] = []

    def watch(done: int, total: int) -> None:
        told.append((done, total))

    promise = "write() gives an answer to each case"
    given = _attempt(
        lambda: generator.write(tuple(cases), desk, watch), name, "write() takes any cases", title
    )
    _attempt(lambda: checked_answers(cases, given), name, promise, title)
    ids = [answer.id for answer in given]
    in_order = ids == [case.id for case in cases]
    _hold(in_order, name, "answers are in the order of their cases", _short(ids), title)
    wrong = [one for one in told if not 0 <= one[0] <= one[1]]
    _hold(not wrong, name, "watch() is told how many of how many are done", _short(wrong[:1]), title)
    failures = [answer.failure for answer in given if answer.failure]
    all_fail = len(cases) > 1 and len(failures) == len(cases)
    _hold(not all_fail, name, "some case gets a text", _short(failures[:1]), title)


def _no_word_cut(
    text: str, words: list[tuple[int, int]], spans: Sequence[tuple[int, int]], name: str, where: str
) -> None:
    starts = [start for start, _ in words]
    for border in sorted({border for span in spans for border in span}):
        at = bisect_left(starts, border) - 1
        cut = at >= 0 and words[at][1] > border
        _hold(not cut, name, "no word is cut", f"{_word(text, words, at)} cut at {border}", where)


def _no_word_lost(
    text: str, words: list[tuple[int, int]], spans: Sequence[tuple[int, int]], name: str, where: str
) -> None:
    reached = at = 0  # how far the spans reach that begin at or before the word
    for number, (start, end) in enumerate(words):
        while at < len(spans) and spans[at][0] <= start:
            reached = max(reached, spans[at][1])
            at += 1
        _hold(reached >= end, name, "every word is in a passage", f"{_word(text, words, number)} lost", where)


def _outputs(component: Any, name: str, verb: str) -> dict[str, Any]:
    """What `verb` gives for each text: twice by one component, backwards the second time, and by a copy."""

    def run(one: Any, title: str) -> Any:
        return _attempt(
            lambda: getattr(one, verb)(NASTY_TEXTS[title]), name, f"{verb}() takes any text", title
        )

    first = {title: run(component, title) for title in NASTY_TEXTS}
    copy = pickle.loads(pickle.dumps(component))
    for title in reversed(list(NASTY_TEXTS)):
        for other, what in ((component, "called again"), (copy, "a copy of it")):
            same = run(other, title) == first[title]
            _hold(same, name, f"{verb}() always gives the same", f"another result from {what}", title)
    return first


def _attempt(action: Callable[[], Any], name: str, promise: str, title: str = "") -> Any:
    try:
        return action()
    except Exception as error:
        raise _broken(name, promise, f"{type(error).__name__}: {error}", title) from error


def _hold(holds: object, name: str, promise: str, found: str, title: str = "") -> None:
    if not holds:
        raise _broken(name, promise, found, title)


def _broken(name: str, promise: str, found: str, title: str) -> ConformanceError:
    where = f" (text: {title})" if title else ""
    return ConformanceError(f"{name} breaks: {promise}; got {found}{where}")


def _is_pair(span: object) -> bool:
    return isinstance(span, tuple) and len(span) == 2 and all(type(place) is int for place in span)


def _word(text: str, words: list[tuple[int, int]], at: int) -> str:
    return f"word {_short(text[slice(*words[at])])} at {words[at][0]}" if at >= 0 else ""


def _short(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 80 else f"{shown[:77]}..."
