"""The store under several processes, some of which are killed: a value is right or it isn't there."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from stores import entry, key_of, pack_files, same, store_in

from rag_sweep.store.diskstore import DiskStore
from rag_sweep.store.entry import Entry

SIZES = (10, 3_000, 200_000, 1_500_000)
"""Bytes of the entries, by their number; the last is large enough to be mapped."""

WORKER = """
import random, sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from stores import key_of, same
from test_store_processes import the_entry
from rag_sweep.store.diskstore import DiskStore

folder, limit, seconds, seed = Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4]), int(sys.argv[5])
order, until = random.Random(seed), time.monotonic() + seconds
store = DiskStore(folder / "store", limit)
print("started", flush=True)
found = written = 0
while time.monotonic() < until:
    numbers = order.sample(range(60), 4)
    missing = {}
    for number in numbers:
        arrays = store.get(key_of(number))
        if arrays is None:
            missing[key_of(number)] = the_entry(number)
        elif same(arrays, the_entry(number).arrays):
            found += 1
        else:
            sys.exit(f"{number} came back wrong")
    store.put(missing)
    written += len(missing)
    if order.random() < 0.01:
        store.clear()
notes = [note for note in store.notes() if "dropped" not in note]
print(found, written, notes)
"""


KILLED = """
import os, signal, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from stores import entry, key_of, store_in

store = store_in(Path(sys.argv[2]))
store.put({key_of(1): entry(1000, 1)})
function, at = sys.argv[3], int(sys.argv[4])
real, calls = getattr(os, function), []

def killing(*arguments):
    calls.append(function)
    if len(calls) == at:
        os.kill(os.getpid(), signal.SIGKILL)
    return real(*arguments)

setattr(os, function, killing)
store.put({key_of(2): entry(1000, 2), key_of(3): entry(1000, 3)})
"""
"""A process that kills itself when it calls a function of the system for the n-th time."""


def the_entry(number: int) -> Entry:
    """What every process computes for a number."""
    return entry(SIZES[number % len(SIZES)], number)


def worker(folder: Path, limit: int, seconds: float, seed: int) -> subprocess.Popen[str]:
    here = str(Path(__file__).parent)
    command = [sys.executable, "-c", WORKER, here, str(folder), str(limit), str(seconds), str(seed)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def check_all(folder: Path) -> int:
    """Read every entry as a new process; gives how many there are."""
    store = store_in(folder)
    found = {number: store.get(key_of(number)) for number in range(60)}
    for number, arrays in found.items():
        assert arrays is None or same(arrays, the_entry(number).arrays)
    assert store.notes() == (), "nothing may look damaged"
    return sum(arrays is not None for arrays in found.values())


def kill_writers(folder: Path, times: int) -> tuple[list[int], list[int]]:
    """Kill a writer so many times at a random moment; temporary files left, and entries found, after each."""
    left, found = [], []
    for seed in range(times):
        process = worker(folder, 8_000_000, 60, seed)
        assert process.stdout is not None
        assert process.stdout.readline() == "started\n"
        time.sleep(random.Random(seed).uniform(0, 0.3))
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        found.append(check_all(folder))
        left.append(len(list((folder / "store" / "packs").glob("*.tmp"))))
    return left, found


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
@pytest.mark.parametrize(
    ("function", "at", "kept"),
    [("fsync", 1, False), ("replace", 1, False), ("fsync", 2, True)],
    ids=["before it is synced", "before it has its name", "before its name is synced"],
)
def test_a_put_that_is_killed_is_there_whole_or_not_at_all(
    tmp_path: Path, function: str, at: int, kept: bool
) -> None:
    arguments = [str(Path(__file__).parent), str(tmp_path), function, str(at)]
    done = subprocess.run([sys.executable, "-c", KILLED, *arguments], check=False)
    assert done.returncode == -signal.SIGKILL
    store = store_in(tmp_path)
    assert same(store.get(key_of(1)), entry(1000, 1).arrays)
    for number in (2, 3):
        found = store.get(key_of(number))
        assert same(found, entry(1000, number).arrays) if kept else found is None
    assert store.notes() == ()
    assert len(list((tmp_path / "store" / "packs").glob("*.tmp"))) == (not kept)


@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_after_a_kill_every_value_is_whole_or_missing(tmp_path: Path) -> None:
    kill_writers(tmp_path, 2)


@pytest.mark.full
@pytest.mark.skipif(os.name == "nt", reason="needs SIGKILL")
def test_after_many_kills_every_value_is_whole_or_missing(tmp_path: Path) -> None:
    left, found = kill_writers(tmp_path, 25)
    assert left[-1] > 0, "no kill hit a write: the test shows nothing"
    assert max(found) > 0
    for file in (tmp_path / "store" / "packs").glob("*.tmp"):
        os.utime(file, (1, 1))
    check_all(tmp_path)  # perhaps nothing: a writer clears the store now and then
    assert not list((tmp_path / "store" / "packs").glob("*.tmp"))


@pytest.mark.full
@pytest.mark.parametrize("limit", [8_000_000, 10**9], ids=["evicting", "roomy"])
def test_processes_that_read_write_evict_and_clear_at_once_get_right_values(
    tmp_path: Path, limit: int
) -> None:
    processes = [worker(tmp_path, limit, 4, seed) for seed in range(4)]
    results = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 4, results
    for said, errors in results:
        _, found, written, notes = said.split(maxsplit=3)
        assert int(found) > 0
        assert int(written) > 0
        assert notes.strip() == "[]"
        assert errors == ""
    # a process that waited too long for the lock has left making room to the next put
    DiskStore(tmp_path / "store", limit).put({key_of(10**6): entry(10, 1)})
    assert sum(file.stat().st_size for file in pack_files(tmp_path)) <= limit
    check_all(tmp_path)


def test_processes_that_start_at_once_make_one_store(tmp_path: Path) -> None:
    processes = [worker(tmp_path, 10**7, 0.1, seed) for seed in range(3)]
    results = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0] * 3, results
    check_all(tmp_path)


def test_a_store_that_another_makes_between_two_looks_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[Path] = []
    real = Path.is_file

    def is_file(path: Path) -> bool:
        if not looks:
            looks.append(path)
            DiskStore(tmp_path / "store", 1000)
            return False
        return real(path)

    monkeypatch.setattr(Path, "is_file", is_file)
    assert DiskStore(tmp_path / "store", 1000).show().packs == 0
    assert looks[0].name == "STORE"
