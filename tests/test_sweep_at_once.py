"""Sweeps that start at once on one fresh folder: all complete, and none takes another for dead."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from sweeps import NARROW, Sweep, Whole, assert_same_state, left_over, state_of

pytestmark = [pytest.mark.full, pytest.mark.skipif(os.name == "nt", reason="groups of processes of POSIX")]


def test_sweeps_that_start_at_once_on_one_fresh_folder_all_complete(tmp_path: Path, narrow: Whole) -> None:
    other = [word.replace("lexical.k1=0.5,1.5", "lexical.k1=0.7,1.1") for word in NARROW]
    sweep = Sweep(tmp_path / "sweep", NARROW)
    grids = {f"run {at}": grid for at, grid in enumerate((NARROW, NARROW, other, other))}
    everyone = {}
    for name, grid in grids.items():
        words = [*Sweep(tmp_path / name, grid).words]
        mine = Sweep(tmp_path / name, grid)
        shutil.rmtree(mine.folder)
        mine.folder.symlink_to(sweep.folder, target_is_directory=True)
        everyone[name] = mine, mine.start(command=words)
    outs = []
    for name, (mine, process) in everyone.items():
        code, out, err = mine.ended(process)
        assert code == 0, (name, err)
        outs.append(out)
    assert outs[:2] == [narrow.out] * 2
    assert outs[2] == outs[3] != outs[0]
    state = state_of(sweep.database)
    assert len(state) == 4
    assert {run.state for runs in state.values() for run in runs.values()} == {"FINISHED"}
    same = [runs for runs in state.values() if runs["0"].params["lexical.k1"] == "0.5"]
    assert len(same) == 2
    for runs in same:
        assert_same_state({0: runs}, narrow.state)
    assert sorted(map(len, state.values())) == [17] * 4
    assert len(sweep.journals) == 4
    sweep.calls()
    assert sweep.run()[:2] == (0, narrow.out)
    assert not sweep.calls()
    assert left_over(sweep.folder) == []
