"""Where a store may be, what is refused, and what show and clear tell and do."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from stores import entry, key_of, pack_files, store_in

from rag_sweep.errors import ConfigError, UsageError
from rag_sweep.store.disk import Disk
from rag_sweep.store.diskstore import DiskStore
from rag_sweep.store.folder import Folder
from rag_sweep.store.none import NoStore
from rag_sweep.store.report import StageShare

FORMAT_1 = "rag-sweep store, format 1\n"


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 1 MB, where the machine lets one be mounted."""
    disk = tmp_path / "disk"
    disk.mkdir()
    _mount("-t", "tmpfs", "-o", "size=1m", "tmpfs", disk)
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


def _mount(*arguments: str | Path) -> None:
    if not hasattr(os, "getuid") or os.getuid() != 0:
        pytest.skip("only root can mount")
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        pytest.skip(f"can't mount here: {done.stderr.strip()}")


def content_of(folder: Path) -> dict[str, bytes]:
    return {str(file.relative_to(folder)): file.read_bytes() for file in folder.rglob("*") if file.is_file()}


# Where it may be


def test_a_new_folder_becomes_a_store_with_those_above_it(tmp_path: Path) -> None:
    DiskStore(tmp_path / "a" / "b", 1000)
    assert (tmp_path / "a" / "b" / "STORE").read_bytes() == FORMAT_1.encode()
    assert DiskStore(tmp_path / "a" / "b", 1000).show().packs == 0


def test_an_empty_folder_becomes_a_store(tmp_path: Path) -> None:
    DiskStore(tmp_path, 1000)
    assert {"STORE", "packs"} <= set(os.listdir(tmp_path))


@pytest.mark.parametrize("left", [[], [".lock"], [".lock", ".STORE.new"], [".lock", "STORE"]])
def test_a_store_whose_making_was_interrupted_is_made_whole(tmp_path: Path, left: list[str]) -> None:
    for name in left:
        (tmp_path / name).write_text(FORMAT_1 if name == "STORE" else "")
    DiskStore(tmp_path, 10**6).put({key_of(1): entry(10)})
    assert (tmp_path / "STORE").read_bytes() == FORMAT_1.encode()
    assert DiskStore(tmp_path, 10**6).get(key_of(1)) is not None


def test_a_relative_path_does_not_move_with_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    store = Disk("mine").open()
    monkeypatch.chdir(tmp_path / "elsewhere")
    store.put({key_of(1): entry(10)})
    assert store.show().path == tmp_path / "mine"
    assert len(list((tmp_path / "mine" / "packs").iterdir())) == 1
    assert os.listdir(tmp_path / "elsewhere") == []


@pytest.mark.parametrize(
    "make", ["file", "below a file", "documents", "packs only", "hidden", "folder STORE"]
)
def test_a_path_that_is_no_place_for_a_store_is_refused_and_untouched(tmp_path: Path, make: str) -> None:
    path = tmp_path / "here"
    if make.endswith("file"):
        path.write_text("mine")
    else:
        inside = {
            "documents": "a.txt",
            "packs only": "packs/a.txt",
            "hidden": ".git/a",
            "folder STORE": "STORE/a",
        }
        (path / inside[make]).parent.mkdir(parents=True)
        (path / inside[make]).write_text("mine")
    before = content_of(tmp_path)
    asked = path / "store" if make == "below a file" else path
    with pytest.raises(ConfigError, match=r"^store\.path must be a .*, got '.*': ") as refused:
        DiskStore(asked, 1000)
    assert str(asked) in str(refused.value)
    assert "\n" not in str(refused.value)
    assert content_of(tmp_path) == before


@pytest.mark.parametrize("path", ["a\0b", "x" * 5000])
def test_a_path_that_can_not_be_is_refused(path: str) -> None:
    with pytest.raises(ConfigError, match=r"store\.path must be a folder that can be read and written"):
        DiskStore(path, 1000)


@pytest.mark.parametrize("marker", ["rag-sweep store, format 2\n", "", "my notes", "\xff" * 1000])
def test_a_store_of_another_format_is_refused_and_untouched(tmp_path: Path, marker: str) -> None:
    (tmp_path / "STORE").write_text(marker, encoding="latin-1")
    with pytest.raises(
        ConfigError, match=r"store\.path must be a store of format 1, got .*its file STORE says"
    ):
        DiskStore(tmp_path, 1000)
    assert os.listdir(tmp_path) == ["STORE"]


def test_a_store_that_must_be_there_is_not_made(tmp_path: Path) -> None:
    for path in (tmp_path / "none", tmp_path):
        with pytest.raises(ConfigError, match=r"store\.path must be a store, got '.*': there is none"):
            DiskStore(path, 1000, create=False)
    assert os.listdir(tmp_path) == []
    DiskStore(tmp_path, 10**6).put({key_of(1): entry(10)})
    assert DiskStore(tmp_path, 1000, create=False).show().packs == 1


def test_a_folder_that_can_not_be_made_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(path: Path, *args: object, **kwargs: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "mkdir", denied)
    with pytest.raises(ConfigError, match=r"store\.path must be .* Permission denied"):
        DiskStore(tmp_path / "store", 1000)


# Disks


@pytest.mark.full
def test_on_a_full_disk_nothing_more_is_kept(small_disk: Path) -> None:
    store = DiskStore(small_disk / "store", 10**9)
    store.put({key_of(1): entry(300_000, 1)})
    for number in (2, 3, 4, 5):
        store.put({key_of(number): entry(400_000, number)})
    assert [number for number in range(6) if store.get(key_of(number))] == [1, 2]
    (note,) = store.notes()
    assert "can't be written (No space left on device)" in note
    assert len(os.listdir(small_disk / "store" / "packs")) == 2
    assert not [name for name in os.listdir(small_disk / "store" / "packs") if name.endswith(".tmp")]


@pytest.mark.full
def test_a_store_on_a_read_only_disk_is_read_and_a_new_one_refused(small_disk: Path) -> None:
    put = DiskStore(small_disk / "store", 10**9)
    put.put({key_of(1): entry(1000, 1)})
    _mount("-o", "remount,ro", small_disk)
    for store in (put, DiskStore(small_disk / "store", 10**9)):
        assert store.get(key_of(1)) is not None
        store.put({key_of(2): entry(1000, 2)})
        assert store.get(key_of(2)) is None
        (note,) = store.notes()
        assert "can't be written (Read-only file system)" in note
    with pytest.raises(ConfigError, match=r"store\.path .*Read-only file system"):
        DiskStore(small_disk / "other", 10**9)
    with pytest.raises(UsageError, match=r"store\.path .* can't be emptied: .*Read-only file system"):
        put.clear()


# Show and clear


def filled(folder: Path) -> DiskStore:
    store = store_in(folder, 10**7)
    store.put({key_of(number): entry(1000, number) for number in range(3)})
    store.put({key_of(10): entry(100_000, 10, "vectors"), key_of(11): entry(10, 11)})
    for at, pack in enumerate(pack_files(folder)):
        os.utime(pack, (1_000_000_000 + at, 1_000_000_000 + at))
    return store


def test_show_counts_entries_and_bytes_of_each_stage(tmp_path: Path) -> None:
    report = filled(tmp_path).show()
    assert report.stages == {"vectors": StageShare(1, 100_032), "ranking": StageShare(4, 3 * 1024 + 64)}
    assert list(report.stages) == ["vectors", "ranking"]
    assert (report.path, report.limit, report.packs) == (tmp_path / "store", 10**7, 2)
    assert report.bytes == sum(file.stat().st_size for file in pack_files(tmp_path))
    assert report.oldest == datetime.fromtimestamp(1_000_000_000, UTC)
    assert report.newest == datetime.fromtimestamp(1_000_000_001, UTC)


def test_a_report_can_be_written_as_json(tmp_path: Path) -> None:
    report = filled(tmp_path).show()
    written = json.loads(json.dumps(report.to_dict()))
    assert set(written) == {field.name for field in dataclasses.fields(report)}
    assert written["oldest"] == "2001-09-09T01:46:40+00:00"
    assert written["stages"]["vectors"] == {"entries": 1, "bytes": 100_032}
    empty = store_in(tmp_path / "empty").show().to_dict()
    assert (empty["oldest"], empty["newest"], empty["bytes"], empty["stages"]) == (None, None, 0, {})


def test_clear_removes_the_entries_tells_which_and_leaves_a_store(tmp_path: Path) -> None:
    store = filled(tmp_path)
    other = store_in(tmp_path)
    shown = store.show()
    left = tmp_path / "store" / "packs" / ("0" * 32 + ".tmp")
    left.write_bytes(b"half")
    os.utime(left, (1, 1))
    assert store.clear() == shown
    assert sorted(content_of(tmp_path / "store")) == [".lock", "STORE"]
    assert store.show().packs == 0
    assert store.get(key_of(1)) is None
    assert other.get(key_of(1)) is None
    assert other.notes() == ()
    store.put({key_of(1): entry(10)})
    assert store.get(key_of(1)) is not None


def test_clear_leaves_files_that_are_none_of_the_store(tmp_path: Path) -> None:
    store = filled(tmp_path)
    for name in ("mine.txt", "packs/mine.txt", "packs/mine.pack", "packs/deeper/a.pack"):
        (tmp_path / "store" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "store" / name).write_text("mine")
    store.clear()
    kept = set(content_of(tmp_path / "store")) - {".lock", "STORE"}
    assert kept == {"mine.txt", "packs/mine.txt", "packs/mine.pack", "packs/deeper/a.pack"}


def test_a_store_that_can_not_be_emptied_is_a_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*args: object) -> None:
        raise OSError(5, "Input/output error")

    store = filled(tmp_path)
    monkeypatch.setattr(Folder, "files", fails)
    with pytest.raises(UsageError, match=r"^store\.path .* can't be emptied: .*Input/output error$"):
        store.clear()
    with pytest.raises(UsageError, match=r"^store\.path .* can't be listed: .*Input/output error$"):
        store.show()


# Components


def test_the_component_opens_a_store_with_its_limit(tmp_path: Path) -> None:
    report = Disk(str(tmp_path / "s"), 7).open().show()
    assert (report.path, report.limit) == (tmp_path / "s", 7_000_000)
    with pytest.raises(ConfigError, match="there is none"):
        Disk(str(tmp_path / "t")).open(create=False)


@pytest.mark.parametrize("path", ["", "  ", None, 3])
def test_a_path_that_is_no_text_is_refused(path: object) -> None:
    with pytest.raises(ConfigError, match=r"store\.path must be the path of a folder, got "):
        Disk(path=path)  # type: ignore[arg-type]


@pytest.mark.parametrize("limit", [0, -1, 1.5, True, "9", None])
def test_a_limit_that_is_no_count_is_refused(limit: object) -> None:
    with pytest.raises(ConfigError, match=r"store\.limit_mb must be an int >= 1, got "):
        Disk(limit_mb=limit)  # type: ignore[arg-type]


def test_no_store_keeps_nothing() -> None:
    store = NoStore().open()
    store.put({key_of(1): entry(10)})
    assert store.get(key_of(1)) is None
    assert store.has([key_of(1)]) == frozenset()
    assert store.find("ranking", {}) == frozenset()
    assert store.notes() == ()
