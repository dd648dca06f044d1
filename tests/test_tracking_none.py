"""No tracking."""

from __future__ import annotations

from pathlib import Path

import pytest
from trackers import SWEEP, child

from rag_sweep.errors import ConfigError
from rag_sweep.tracking.none import NoTracking


def test_everything_is_taken_and_nothing_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    tracker = NoTracking().tracker()
    tracker.open(SWEEP)
    assert tracker.log(child()) is None
    tracker.close("FINISHED", {"a": 1.0}, {"f": b"x"})
    assert tracker.log_single(SWEEP, child()) is None
    assert tracker.where() == ""
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_choice_of_text_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"^tracking\.text must be full or none, got 'some'$"):
        NoTracking(text="some")  # type: ignore[arg-type]
