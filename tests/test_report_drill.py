"""A drill in the terminal and as Markdown."""

from __future__ import annotations

import io
from dataclasses import replace

from test_drill_states import drill_of, state

from rag_sweep.drill.states import BASELINE, CAUGHT, IMPROVED, NOT_APPLICABLE, PASSED, Effect, Fall, Judged
from rag_sweep.drill.words import Names, fallen, headline, plain_drill, widening
from rag_sweep.report.drill import drill_markdown, drill_text

FELL = Effect(
    {"mrr@5": 0.5, "recall@5": 0.75, "hit@5": 0.75},
    {"mrr@5": -0.1, "recall@5": 0.0, "hit@5": 0.0},
    Fall("mrr@5", 0.6, 0.5, ("q02", "q01"), ("q03",)),
    ("q02", "q01"),
    ("q03",),
    ("q02", "q01", "q03"),
    ("q02",),
    ("q03",),
    ("q02", "q01", "q03"),
)
STILL = replace(FELL, changes=dict.fromkeys(FELL.means, 0.0), fall=None, worse=(), better=(), lost=())
DRILL = drill_of(
    replace(state(BASELINE, "baseline"), effect=STILL, judged=Judged(0, (), 0.0, 0.0)),
    replace(state(CAUGHT, "a"), effect=FELL, judged=Judged(1, ("too low",), -0.2, -0.01, 0.08)),
    replace(
        state(PASSED, "b"),
        effect=FELL,
        judged=Judged(0, (), None, None),
        because=("q02 asks for [this](http://evil)",),
        catch=("more questions",),
    ),
    state(NOT_APPLICABLE, "c"),
)


def text_of(width: int) -> str:
    from rich.console import Console

    console = Console(file=io.StringIO(), width=width, color_system=None)
    for thing in drill_text(plain_drill(DRILL), width):
        console.print(thing)
    file = console.file
    assert isinstance(file, io.StringIO)
    return file.getvalue()


def test_the_terminal_shows_the_result_first_and_every_row() -> None:
    lines = text_of(200).splitlines()
    assert lines[0] == "This gold with these thresholds notices 1 of 2 sabotages"
    table = {line.split()[0]: " ".join(line.split()[1:]) for line in lines if " to " in line or " no" in line}
    assert table["a"] == "0.500 0.750 0.750 −0.100 −0.200 to −0.010 0.080 mrr@5 −0.100 2/1/3 1 yes"
    assert table["b"] == "0.500 0.750 0.750 −0.100 – – mrr@5 −0.100 2/1/3 0 no"


def test_a_narrow_terminal_loses_columns_and_never_the_answer() -> None:
    lines = text_of(70).splitlines()
    head = next(line for line in lines if line.startswith("state"))
    assert head.split()[-2:] == ["exit", "noticed"]
    assert "mrr@5" in head
    assert "hit@5" not in head
    assert all(len(line) <= 70 for line in lines)


def test_nothing_of_the_data_is_markup_in_markdown() -> None:
    text = drill_markdown(plain_drill(DRILL))
    assert "[this](" not in text
    assert "\\[this\\](http://evil)" in text
    assert text.count("\n| ") == 2 + 4


def test_questions_are_called_by_their_ids_and_a_single_one_by_its_text() -> None:
    names = Names({"7": "how  long\nis it", "q1": "x" * 90})
    assert names(["7"]) == "“7”: “how long is it”"
    assert names(["q1"]) == f"q1: “{'x' * 69}…”"
    assert names(["7", "q1"]) == "“7” and q1"
    assert names([f"q{at}" for at in range(9)]) == "q0, q1, q2, q3 and 5 more"


def test_a_fall_is_told_with_its_questions() -> None:
    assert fallen(FELL, Names({})) == (
        "the largest fall is that of mrr@5, 0.600 → 0.500: 2 questions worse (q02 and q01), 1 better; "
        "1 question finds nothing relevant any more"
    )


def test_the_headline_says_if_all_are_noticed_and_if_nothing_can_be_told() -> None:
    assert headline(drill_of(state(CAUGHT))) == (
        "This gold with these thresholds notices 1 of 1 sabotage: all that apply"
    )
    assert headline(drill_of(state(CAUGHT), unfit="it fails")).startswith("The gate fails also")


def test_a_fall_that_is_no_noise_would_be_caught_by_a_narrower_margin() -> None:
    real, noise = Judged(0, (), -0.2, -0.01), Judged(0, (), -0.2, 0.01)
    assert widening(PASSED, FELL, real, "mrr@5") == ("a margin below 0.100 for mrr@5",)
    assert widening(PASSED, FELL, noise, "mrr@5") == ()
    assert widening(IMPROVED, FELL, real, "mrr@5") == (
        "more questions of each kind: 1 question better and 2 worse turn the mean here",
    )
