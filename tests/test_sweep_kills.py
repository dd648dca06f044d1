"""Killed at random moments, a sweep ends as if nothing had happened: in the journal and in MLflow."""

from __future__ import annotations

import os
import random
import subprocess
from pathlib import Path

import pytest
from sweeps import (
    Sweep,
    Whole,
    assert_same_journal,
    assert_same_state,
    kept_in,
    kill,
    left_over,
    state_of,
    undisturbed,
)
from trackers import fresh_store

pytestmark = [pytest.mark.full, pytest.mark.skipif(os.name == "nt", reason="kills by signals of POSIX")]

KILLS, AT_MOST = int(os.environ.get("RAG_SWEEP_KILLS", "12")), 6
"""In all (RAG_SWEEP_KILLS=25 makes more), and of one sweep.

Where the machine has become slower since, none would ever come to its end.
"""

WIDE = [
    *("-m", "chunker=counted", "chunker.number=1,2,3,4,5,6", "chunker.seconds=0.01"),
    *("lexical.k1=0.4,0.8,1.2,1.6,2", "fusion.k_rrf=10,60"),
]
"""60 configurations, in six chunkings that are computed one after the other."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    return undisturbed(tmp_path_factory.mktemp("undisturbed") / "sweep", WIDE)


def test_killed_at_random_moments_it_ends_as_if_it_never_was(tmp_path: Path, whole: Whole) -> None:
    assert len(whole.state[0]) == 61
    moments = random.Random(20261130)
    kills = rounds = 0
    while kills < KILLS:
        workers = "2" if rounds % 3 == 2 else "1"
        sweep = Sweep(tmp_path / f"round {rounds}", WIDE, f"execute.n_jobs={workers}")
        if rounds % 4:  # the others are killed while they make the database too
            fresh_store(sweep.folder)
        rounds += 1
        kept: set[int] = set()
        ended, left = None, min(AT_MOST, KILLS - kills)
        while left and ended is None:
            ended = ended_or_killed(sweep, moments.uniform(0.2, whole.seconds))
            left -= ended is None
            kills += ended is None
            now = kept_in(sweep)
            assert now >= kept, "what was kept is gone"
            kept = now
        code, out, err = ended or sweep.run()
        assert (code, out) == (0, whole.out), err
        assert_same_state(state_of(sweep.database), whole.state)
        assert len(sweep.journals) == 1
        assert_same_journal(sweep.journals[0], whole.sweep.journals[0])
        assert left_over(sweep.folder) == []
    assert rounds >= KILLS / AT_MOST


def ended_or_killed(sweep: Sweep, seconds: float) -> tuple[int, str, str] | None:
    """Start a sweep and kill it after so many seconds; how it ended, if that was earlier."""
    process = sweep.start()
    try:
        process.wait(seconds)
        return sweep.ended(process)
    except subprocess.TimeoutExpired:
        return None
    finally:
        kill(process)
