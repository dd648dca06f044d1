"""A disk without room is one clear error; with room again, the same command completes the sweep."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sweeps import NARROW, Sweep, Whole, assert_same_journal, assert_same_state, kept_in, left_over, state_of

pytestmark = [pytest.mark.full, pytest.mark.skipif(os.name == "nt", reason="kills by signals of POSIX")]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a file system of a few megabytes."""
    folder = tmp_path / "small disk"
    folder.mkdir()
    mounting = ["mount", "-t", "tmpfs", "-o", "size=32m", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mounting, capture_output=True).returncode != 0:
        pytest.skip("no file system can be mounted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(folder: Path) -> Path:
    """A file that takes all the room there is."""
    filler = folder / "filler"
    with filler.open("wb", buffering=0) as file, contextlib.suppress(OSError):
        for size in (1 << 20, 1 << 12, 1):
            with contextlib.suppress(OSError):
                while file.write(b"x" * size):
                    pass
    return filler


def assert_one_error(sweep: Sweep, process: subprocess.Popen[bytes]) -> None:
    code, out, err = sweep.ended(process)
    assert (code, out) == (1, "")
    said = [line for line in err.splitlines() if line.startswith("rag-sweep: ")]
    assert len(said) == 1
    assert re.search("No space left|File too large|disk is full", said[0]), err
    assert "Traceback" not in err


@pytest.mark.parametrize("tracking", ["mlflow", "none"])
def test_a_full_disk_is_one_error_and_with_room_again_the_same_command_completes(
    small_disk: Path, tracking: str, narrow: Whole
) -> None:
    sweep = Sweep(small_disk, NARROW, f"tracking={tracking}")
    process = sweep.held_at(3)
    filler = fill(small_disk)
    sweep.let_go()
    assert_one_error(sweep, process)
    assert kept_in(sweep) == set(range(8))
    code, out, err = sweep.run()  # still full
    assert (code, out) == (1 if tracking == "none" else code, ""), err
    assert code in (1, 2)
    assert "Traceback" not in err
    filler.unlink()
    complete(sweep, tracking, narrow)


def complete(sweep: Sweep, tracking: str, narrow: Whole) -> None:
    """The same command computes the rest and ends as if nothing had happened."""
    sweep.calls()
    code, out, err = sweep.run()
    assert (code, out) == (0, narrow.out), err
    assert not {1, 2} & set(sweep.calls())
    assert_same_journal(sweep.journals[-1], narrow.sweep.journals[0])
    assert left_over(sweep.folder) == []
    if tracking == "mlflow":
        assert_same_state(state_of(sweep.database), narrow.state)


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="limits of another process")
@pytest.mark.parametrize("tracking", ["mlflow", "none"])
def test_so_is_a_limit_on_the_size_of_files(tmp_path: Path, tracking: str, narrow: Whole) -> None:
    sweep = Sweep(tmp_path / "sweep", NARROW, f"tracking={tracking}", "store=none")
    process = sweep.held_at(3)
    resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
    sweep.let_go()
    code, out, err = sweep.ended(process)
    assert (code, out) == (1, ""), err
    assert "Traceback" not in err
    complete(sweep, tracking, narrow)
