"""Exceptions between processes: they arrive as what they were, and say where they were raised."""

from __future__ import annotations

import pickle
import traceback
from pathlib import Path

import pytest

from rag_sweep.errors import DataError, Fault, MissingExtra, RagSweepError, TrackingError
from rag_sweep.tracking.carried import packed, unpacked


def carried(error: Exception) -> Exception:
    """The error as the other process gets it."""
    try:
        raise error
    except Exception as raised:
        content, there = packed(raised)
    return unpacked(content, there)


@pytest.mark.parametrize(
    "error",
    [
        TrackingError("MLflow can't be used at x: no route"),
        MissingExtra("the server", "mlflow"),
        DataError([Fault("no id", Path("gold.jsonl"), 3)]),
    ],
)
def test_an_error_of_ours_keeps_its_type_text_and_notes(error: RagSweepError) -> None:
    error.add_note("5 of 6 results are kept")
    found = carried(error)
    assert type(found) is type(error)
    assert str(found) == str(error)
    assert found.__notes__ == ["5 of 6 results are kept"]
    assert found.__dict__ == error.__dict__


def test_another_error_is_what_it_was() -> None:
    found = carried(FileNotFoundError(2, "No such file", "x"))
    assert isinstance(found, FileNotFoundError)
    assert (found.errno, found.filename) == (2, "x")


def test_an_error_that_cannot_be_pickled_arrives_with_its_text() -> None:
    class Local(Exception):
        pass

    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(Local("x"))
    found = carried(Local("too deep"))
    assert type(found) is RuntimeError
    assert str(found) == "Local: too deep"


def test_one_that_pickle_cannot_make_again_too() -> None:
    found = carried(Unmakeable("no such thing"))
    assert type(found) is RuntimeError
    assert str(found) == "Unmakeable: no such thing"


class Unmakeable(Exception):
    """Pickle takes it, but what it holds can't come back."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.held = Unreadable()


class Unreadable:
    def __reduce__(self) -> tuple[object, ...]:
        return int, ("no number",)


def test_a_printed_traceback_shows_where_it_was_raised_and_the_text_does_not() -> None:
    found = carried(TrackingError("gone"))
    assert str(found) == "gone"
    printed = "".join(traceback.format_exception(found))
    assert "in the other process:" in printed
    assert "raise error" in printed
