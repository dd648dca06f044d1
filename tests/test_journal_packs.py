"""Packs of arrays: whole, or known to be damaged."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from stores import entries, same

from rag_sweep.journal.packs import Packs
from rag_sweep.store.entry import Entry
from rag_sweep.store.pack import Damaged

SMALL = {
    "one": Entry("outcome", {"scores": np.array([0.5, -np.inf])}, {"chunking": "a"}),
    "two": Entry("passages", {"start": np.arange(3, dtype=np.int32)}),
}


@settings(max_examples=60)
@given(entries)
def test_what_is_written_comes_back_also_to_another_process(written: Mapping[str, Entry]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        mine = Packs(Path(folder))
        name = mine.write(written)
        for packs in (mine, Packs(Path(folder))):
            assert packs.is_whole(name)
            for key, entry in written.items():
                arrays, meta = packs.read(name, key)
                assert same(arrays, entry.arrays)
                assert meta == entry.meta
        assert [file.name for file in Path(folder).iterdir()] == [f"{name}.pack"]


def test_many_packs_are_read_in_any_order(tmp_path: Path) -> None:
    packs = Packs(tmp_path)
    names = [packs.write({"it": Entry("outcome", {"number": np.array([at])})}) for at in range(12)]
    for at in (*range(12), 3, 11, 0):
        assert packs.read(names[at], "it")[0]["number"].tolist() == [at]


def test_damage_of_any_byte_is_found_or_makes_no_difference(tmp_path: Path) -> None:
    name = Packs(tmp_path).write(SMALL)
    file = tmp_path / f"{name}.pack"
    content = file.read_bytes()
    unnoticed = 0
    for at in range(len(content)):
        file.write_bytes(content[:at] + bytes([content[at] ^ 0x10]) + content[at + 1 :])
        packs = Packs(tmp_path)
        if packs.is_whole(name):
            unnoticed += 1
            assert all(same(packs.read(name, key)[0], entry.arrays) for key, entry in SMALL.items())
    assert unnoticed < 64  # the padding of the header


def test_a_pack_cut_anywhere_or_grown_is_not_whole(tmp_path: Path) -> None:
    name = Packs(tmp_path).write(SMALL)
    file = tmp_path / f"{name}.pack"
    content = file.read_bytes()
    for damaged in (*(content[:at] for at in range(0, len(content), 7)), content + b"\0"):
        file.write_bytes(damaged)
        packs = Packs(tmp_path)
        assert not packs.is_whole(name)
        with pytest.raises(Damaged):
            packs.read(name, "one")


def test_a_pack_that_is_gone_is_not_whole_and_an_entry_that_is_not_there_is_named(tmp_path: Path) -> None:
    packs = Packs(tmp_path)
    assert not packs.is_whole("nothing")
    with pytest.raises(Damaged, match="it has no entry three"):
        packs.read(packs.write(SMALL), "three")


def test_a_pack_under_the_name_of_another_is_damaged(tmp_path: Path) -> None:
    packs = Packs(tmp_path)
    other = {key: replace(entry, meta={"other": 1}) for key, entry in SMALL.items()}
    first, second = packs.write(SMALL), packs.write(other)
    assert first != second
    (tmp_path / f"{first}.pack").rename(tmp_path / f"{second}.pack")
    assert not Packs(tmp_path).is_whole(second)


def test_what_killed_processes_left_goes_and_what_is_named_stays(tmp_path: Path) -> None:
    packs = Packs(tmp_path)
    other = {key: replace(entry, meta={"other": 1}) for key, entry in SMALL.items()}
    named, unnamed = packs.write(SMALL), packs.write(other)
    (tmp_path / "0123.tmp").write_bytes(b"half")
    packs.drop_others({named, "one that is missing"})
    assert [file.name for file in tmp_path.iterdir()] == [f"{named}.pack"]
    assert packs.is_whole(named)
    assert not Packs(tmp_path).is_whole(unnamed)


def test_a_pack_that_cannot_be_written_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        Packs(tmp_path).write(SMALL)
    assert list(tmp_path.iterdir()) == []
