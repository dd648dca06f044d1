"""The store on disk: values come back, others see them, and what is wrong is a miss."""

from __future__ import annotations

import errno
import gc
import mmap
import os
import pickle
import random
import tempfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from stores import entries, entry, key_of, pack_files, same, store_in

from rag_sweep.store import diskstore, index, reader
from rag_sweep.store.diskstore import DiskStore
from rag_sweep.store.entry import Entry
from rag_sweep.store.folder import Folder
from rag_sweep.store.pack import checksum_of

LARGE = 3 << 20  # bytes: enough to be mapped


@pytest.fixture(autouse=True)
def looks_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests don't wait a second to see what another store has added."""
    monkeypatch.setattr(diskstore, "_LOOK_EVERY", 0.0)


def put_all(store: DiskStore, *numbers: int, size: int = 1000) -> None:
    """Each number in a pack of its own, with times of use in that order."""
    for number in numbers:
        store.put({key_of(number): entry(size, number)})


def here(store: DiskStore, *numbers: int) -> list[int]:
    return [number for number in numbers if store.get(key_of(number)) is not None]


def age(file: Path, seconds: float) -> None:
    then = file.stat().st_mtime - seconds
    os.utime(file, (then, then))


# Putting and getting


@settings(max_examples=50, deadline=None)
@given(entries)
def test_what_is_put_comes_back_also_for_others(put: Mapping[str, Entry]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = store_in(Path(folder))
        store.put(put)
        for reading in (store, store_in(Path(folder))):
            assert reading.has([*put, key_of("other")]) == frozenset(put)
            assert all(same(reading.get(key), put[key].arrays) for key in put)
            assert reading.get(key_of("other")) is None
            assert reading.notes() == ()


@pytest.mark.parametrize("size", [0, 1, 1000, (1 << 20) - 64, 1 << 20, LARGE])
def test_small_and_large_entries_come_back_read_only(tmp_path: Path, size: int) -> None:
    store_in(tmp_path).put({key_of(1): entry(size), key_of(2): entry(size, 2)})
    for store in (store_in(tmp_path), store_in(tmp_path)):
        for _ in range(2):
            found = store.get(key_of(2))
            assert found is not None
            assert same(found, entry(size, 2).arrays)
            with pytest.raises(ValueError, match="read-only"):
                found["content"][...] = 0


def test_one_put_is_one_file_and_one_sync_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced: list[int] = []
    store = store_in(tmp_path)
    monkeypatch.setattr(os, "fsync", synced.append)
    store.put({key_of(number): entry(100, number) for number in range(200)})
    assert len(pack_files(tmp_path)) == 1
    assert len(synced) == 2  # the file's and its folder's


def test_a_file_is_synced_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_in(tmp_path)
    seen: list[tuple[str, int]] = []
    real = os.replace

    def replace(source: Path, target: Path) -> None:
        seen.append(("name", len(pack_files(tmp_path))))
        real(source, target)

    monkeypatch.setattr(os, "fsync", lambda number: seen.append(("sync", len(pack_files(tmp_path)))))
    monkeypatch.setattr(os, "replace", replace)
    put_all(store, 1)
    assert seen == [("sync", 0), ("name", 0), ("sync", 1)]


def test_a_put_of_nothing_or_of_what_is_there_writes_nothing(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.put({})
    put_all(store, 1, 1)
    store_in(tmp_path).put({key_of(1): entry(1000, 1), key_of(2): entry(1000, 2)})
    assert len(pack_files(tmp_path)) == 2
    assert pack_files(tmp_path)[0].stat().st_size == pack_files(tmp_path)[1].stat().st_size


@pytest.mark.parametrize("key", ["", "x" * 64, key_of(1).upper(), key_of(1)[:-1], key_of(1) + "\n"])
def test_a_key_that_is_no_fingerprint_is_refused_and_is_a_miss(tmp_path: Path, key: str) -> None:
    store = store_in(tmp_path)
    with pytest.raises(ValueError, match="64 hex digits"):
        store.put({key_of(2): entry(1), key: entry(1)})
    assert store.get(key) is None
    assert pack_files(tmp_path) == []


def test_a_value_that_can_not_be_kept_is_refused_whole(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    with pytest.raises(TypeError, match="can't be stored as object"):
        store.put({key_of(1): entry(1), key_of(2): Entry("s", {"x": np.array([None])})})
    assert store.has([key_of(1), key_of(2)]) == frozenset()
    assert os.listdir(tmp_path / "store" / "packs") == []


def test_the_same_key_from_two_processes_is_one_value(tmp_path: Path) -> None:
    one, two = store_in(tmp_path), store_in(tmp_path)
    one._looked = two._looked = float("inf")  # neither sees the other
    for store in (one, two):
        put_all(store, 1)
    assert len(pack_files(tmp_path)) == 2
    three = store_in(tmp_path)
    for pack in pack_files(tmp_path):
        assert same(three.get(key_of(1)), entry(1000, 1).arrays)
        pack.unlink()
    assert three.get(key_of(1)) is None
    assert three.notes() == ()


def test_entries_are_found_by_stage_and_meta(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    facts: list[dict[str, str | int]] = [{"model": "a"}, {"model": "a", "rows": 2}, {"model": "b"}, {}]
    for number, meta in enumerate(facts):
        store.put({key_of(number): Entry("pairs", {}, meta)})
    store.put({key_of(9): Entry("other", {}, {"model": "a"})})
    for reading in (store, store_in(tmp_path)):
        assert reading.find("pairs", {"model": "a"}) == {key_of(0), key_of(1)}
        assert reading.find("pairs", {"model": "a", "rows": 2}) == {key_of(1)}
        assert reading.find("pairs", {}) == {key_of(number) for number in range(4)}
        assert reading.find("nothing", {}) == frozenset()


# Other processes


def test_what_others_add_is_seen_but_looked_for_once_a_second(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, other = store_in(tmp_path), store_in(tmp_path)
    monkeypatch.setattr(diskstore, "_LOOK_EVERY", 3600.0)
    put_all(other, 1)
    assert store.get(key_of(1)) is None
    assert store.has([key_of(1)]) == frozenset()
    store.refresh()
    assert store.has([key_of(1)]) == {key_of(1)}
    put_all(other, 2)
    store._looked -= 3600.0
    assert here(store, 1, 2) == [1, 2]


def test_a_pack_that_vanished_is_a_quiet_miss(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    put_all(store, 1, 2)
    store._looked = float("inf")
    for pack in pack_files(tmp_path):
        pack.unlink()
    assert here(store, 1, 2) == []
    assert store.notes() == ()
    put_all(store, 1)
    assert here(store, 1) == [1]


@pytest.mark.skipif(os.name == "nt", reason="a mapped file can't be deleted there")
def test_what_was_read_outlives_its_pack(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    put_all(store, 1, size=LARGE)
    found = store.get(key_of(1))
    store_in(tmp_path).clear()
    assert same(found, entry(LARGE, 1).arrays)
    assert store.get(key_of(1)) is None


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="needs /proc")
def test_a_pack_is_mapped_once_and_let_go_with_its_last_array(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    store.put({key_of(number): entry(LARGE, number) for number in range(5)})
    before = len(os.listdir("/proc/self/fd"))
    found = [store.get(key_of(number)) for number in range(5)]
    assert len(os.listdir("/proc/self/fd")) == before + 1
    del found
    gc.collect()
    assert len(os.listdir("/proc/self/fd")) == before


def test_without_a_mapping_large_entries_are_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*args: object, **kwargs: object) -> None:
        raise OSError(errno.EMFILE, "Too many open files")

    store = store_in(tmp_path)
    put_all(store, 1, size=LARGE)
    monkeypatch.setattr(mmap, "mmap", none_left)
    assert same(store.get(key_of(1)), entry(LARGE, 1).arrays)


def test_a_store_can_be_sent_to_another_process(tmp_path: Path) -> None:
    store = store_in(tmp_path, limit=5000)
    put_all(store, 1)
    copy = pickle.loads(pickle.dumps(store))
    assert here(copy, 1) == [1]
    assert copy.show().limit == 5000


@pytest.mark.full
def test_mapped_arrays_go_to_workers_of_joblib(tmp_path: Path) -> None:
    from joblib import Parallel, delayed

    store = store_in(tmp_path)
    put_all(store, 1, size=LARGE)
    found = store.get(key_of(1))
    assert found is not None
    content = found["content"]
    for backend in ("loky", "threading"):
        sums = Parallel(n_jobs=2, backend=backend)(delayed(np.sum)(content[at:]) for at in (0, 1))
        assert sums == [content.sum(), content[1:].sum()]


def test_threads_put_and_get_in_one_store(tmp_path: Path) -> None:
    store = store_in(tmp_path, limit=200_000)
    wrong: list[object] = []

    def work(seed: int) -> None:
        order = random.Random(seed)
        for _ in range(150):
            number = order.randrange(40)
            try:
                found = store.get(key_of(number))
                if found is None:
                    put_all(store, number, size=10_000)
                elif not same(found, entry(10_000, number).arrays):
                    wrong.append(number)
            except Exception as error:
                wrong.append(error)

    threads = [Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert store.show().bytes <= 200_000


# Damage


def damaged_by(change: Callable[[bytes], bytes], file: Path) -> None:
    file.write_bytes(change(file.read_bytes()))


@pytest.mark.parametrize("size", [1000, LARGE])
@pytest.mark.parametrize(
    "change",
    [
        lambda content: b"",
        lambda content: content[:40],
        lambda content: content[:200],
        lambda content: content[:-1],
        lambda content: content + b"\0",
        lambda content: bytes(len(content)),
        lambda content: b"X" + content[1:],
        lambda content: content[:20] + b"X" + content[21:],
        lambda content: content[:100] + b"\0" + content[101:],
        lambda content: content[:-500] + bytes([content[-500] ^ 1]) + content[-499:],
    ],
    ids=[
        "empty",
        "preamble cut",
        "header cut",
        "end cut",
        "longer",
        "zeros",
        "magic",
        "length",
        "header",
        "data",
    ],
)
def test_a_damaged_pack_is_a_miss_said_once_and_removed(
    tmp_path: Path, size: int, change: Callable[[bytes], bytes]
) -> None:
    put_all(store_in(tmp_path), 1, 2, size=size)
    broken = store_in(tmp_path)._index.holder(key_of(1))
    assert broken is not None
    file = tmp_path / "store" / "packs" / broken.name
    damaged_by(change, file)
    store = store_in(tmp_path)
    assert here(store, 1, 2, 1) == [2]
    (note,) = store.notes()
    assert str(file) in note
    assert "is damaged" in note
    assert note.endswith("it was removed")
    assert store.notes() == ()
    assert not file.exists()
    put_all(store, 1, size=size)
    assert here(store_in(tmp_path), 1, 2) == [1, 2]


def test_a_pack_that_is_damaged_after_it_was_indexed_is_a_miss(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    put_all(store, 1)
    damaged_by(lambda content: content[:-64] + b"X" * 64, pack_files(tmp_path)[0])
    assert here(store, 1) == []
    put_all(store, 2)
    damaged_by(lambda content: content[:-64], pack_files(tmp_path)[0])
    assert here(store, 2) == []
    assert len(store.notes()) == 2


def test_a_damaged_pack_that_can_not_be_removed_is_passed_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put_all(store_in(tmp_path), 1, 2)
    for pack in pack_files(tmp_path):
        damaged_by(lambda content: content[:-64] + b"X" * 64, pack)
    monkeypatch.setattr(Folder, "remove", lambda self, name: False)
    store = store_in(tmp_path)
    assert here(store, 1, 2, 1, 2) == []
    store.refresh()
    assert store.has([key_of(1), key_of(2)]) == frozenset()
    assert [note.endswith("it can't be removed") for note in store.notes()] == [True, True]


def test_a_damaged_pack_does_not_hide_a_whole_one_with_the_same_key(tmp_path: Path) -> None:
    one, two = store_in(tmp_path), store_in(tmp_path)
    one._looked = two._looked = float("inf")
    for store in (one, two):
        put_all(store, 1)
    for first in (0, 1):
        file = pack_files(tmp_path)[first]
        content = file.read_bytes()
        reading = store_in(tmp_path)
        file.write_bytes(content[:-1000] + bytes(1000))
        assert same(reading.get(key_of(1)), entry(1000, 1).arrays)
        file.write_bytes(content)


def test_data_are_checked_once_in_a_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    checked: list[str] = []

    def checksum(data: Iterable[memoryview]) -> str:
        checked.append(checksum_of(data))
        return checked[-1]

    monkeypatch.setattr(reader, "checksum_of", checksum)
    store = store_in(tmp_path)
    store.put({key_of(1): entry(1000), key_of(2): entry(LARGE, 2)})
    for _ in range(3):
        store.get(key_of(1))
        store.get(key_of(2))
    assert len(checked) == 2


def test_a_pack_that_can_not_be_read_is_left_where_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*args: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    put_all(store_in(tmp_path), 1)
    store = store_in(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(reader, "checksum_of", broken)
        assert here(store, 1, 1) == []
    with monkeypatch.context() as patch:
        patch.setattr(index, "read_header", broken)
        other = store_in(tmp_path)
        assert here(other, 1, 1) == []
    for said in (store.notes(), other.notes()):
        assert len(said) == 1
        assert "can't be read: Input/output error" in said[0]
    assert here(store_in(tmp_path), 1) == [1]


def test_files_of_others_among_the_packs_are_named_once_and_left_alone(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    packs = tmp_path / "store" / "packs"
    (packs / "notes.txt").write_text("mine")
    (packs / "x.pack").write_bytes(b"mine too")
    (packs / ".hidden").write_text("of the file system")
    (packs / ("0" * 32 + ".tmp")).write_bytes(b"being written")
    put_all(store, 1)
    store.refresh()
    said = store.notes()
    assert [name in note for name, note in zip(("notes.txt", "x.pack"), said, strict=True)] == [True, True]
    store.clear()
    assert sorted(os.listdir(packs)) == [".hidden", "0" * 32 + ".tmp", "notes.txt", "x.pack"]


def test_only_temporary_files_without_a_write_for_an_hour_are_removed(tmp_path: Path) -> None:
    store_in(tmp_path)
    packs = tmp_path / "store" / "packs"
    for name, minutes in (("a" * 32 + ".tmp", 61), ("b" * 32 + ".tmp", 59), ("mine.tmp", 600)):
        (packs / name).write_bytes(b"half")
        age(packs / name, minutes * 60)
    store_in(tmp_path)
    assert sorted(os.listdir(packs)) == ["b" * 32 + ".tmp", "mine.tmp"]


def test_an_interrupted_put_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*args: object) -> None:
        raise KeyboardInterrupt

    store = store_in(tmp_path)
    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt):
            put_all(store, 1)
    assert os.listdir(tmp_path / "store" / "packs") == []
    put_all(store, 1)
    assert here(store, 1) == [1]


# The limit


def in_order_of_use(folder: Path, *numbers: int) -> None:
    """Make the packs of these numbers look used in this order, long ago."""
    holders = store_in(folder)._index
    for at, number in enumerate(numbers):
        holder = holders.holder(key_of(number))
        assert holder is not None
        os.utime(folder / "store" / "packs" / holder.name, (1_000_000 + at, 1_000_000 + at))


def test_above_the_limit_the_least_recently_used_go(tmp_path: Path) -> None:
    limit = 5 * 2000
    put_all(store_in(tmp_path, limit), 1, 2, 3, 4, size=1500)
    in_order_of_use(tmp_path, 3, 1, 4, 2)
    store = store_in(tmp_path, limit)
    assert here(store, 3) == [3]  # which makes it the last one used
    put_all(store, 5, 6, 7, size=1500)
    assert here(store_in(tmp_path), *range(8)) == [2, 3, 5, 6, 7]
    assert store.show().bytes <= limit
    for count in (2, 1):
        dropped = f"store: {count} entries (0 MB) were dropped to stay within store.limit_mb={limit / 1e6:g}"
        assert store.notes() == (dropped,)
        assert store.notes() == ()
        put_all(store, 7 + count, size=1500)


def test_use_is_noted_at_most_once_a_minute(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put_all(store_in(tmp_path), 1)
    in_order_of_use(tmp_path, 1)
    store = store_in(tmp_path)
    touched: list[str] = []
    monkeypatch.setattr(Folder, "touch", lambda self, name: touched.append(name))
    here(store, 1, 1, 1)
    assert len(touched) == 1
    holder = store._index.holder(key_of(1))
    assert holder is not None
    holder.touched -= 61
    here(store, 1, 1)
    assert len(touched) == 2


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(1, 3000), min_size=1, max_size=12), st.integers(1000, 9000))
def test_a_store_never_exceeds_its_limit_and_keeps_the_last_put(sizes: list[int], limit: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = store_in(Path(folder), limit)
        for number, size in enumerate(sizes):
            put_all(store, number, size=size)
            took = sum(file.stat().st_size for file in pack_files(Path(folder)))
            assert store._index.bytes == took <= limit
            fits = size + 1000 < limit
            assert here(store, number) == [number] or not fits


def test_the_last_put_stays_whatever_the_clocks_of_others_say(tmp_path: Path) -> None:
    store = store_in(tmp_path, 5000)
    put_all(store, 1, 2, size=1500)
    for pack in pack_files(tmp_path):
        os.utime(pack, (4e9, 4e9))
    put_all(store, 3, size=1500)
    assert here(store, 3) == [3]
    assert len(here(store, 1, 2)) == 1


def test_what_others_wrote_counts_for_the_limit(tmp_path: Path) -> None:
    one, two = store_in(tmp_path, 5000), store_in(tmp_path, 5000)
    put_all(one, 1, 2, size=1500)
    put_all(two, 3, 4, size=1500)
    assert two.show().bytes <= 5000
    assert here(store_in(tmp_path), 3, 4)[-1] == 4


def test_a_put_above_the_limit_is_not_kept_which_is_said_once(tmp_path: Path) -> None:
    store = store_in(tmp_path, 5000)
    put_all(store, 1)
    put_all(store, 2, 3, size=6000)
    assert here(store, 1, 2, 3) == [1]
    assert store.notes() == ("store: more than store.limit_mb=0.005 came at once, which isn't kept",)


def test_a_pack_that_can_not_be_removed_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows, where a mapped file stays."""
    store = store_in(tmp_path, 5000)
    put_all(store, 1, 2, size=1500)
    in_order_of_use(tmp_path, 1, 2)
    mapped = store._index.holder(key_of(1))
    assert mapped is not None
    real = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        if path.name == mapped.name:
            raise PermissionError(errno.EACCES, "in use")
        real(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    put_all(store, 3, size=1500)
    assert here(store, 1, 2, 3) == [1, 3]
    assert store.clear().packs == 1
    assert here(store, 1, 3) == [1]


# A disk that is full or can't be written


@pytest.mark.parametrize("function", ["fsync", "replace"])
@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
def test_when_writing_fails_nothing_more_is_kept_and_reading_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, function: str, number: int
) -> None:
    def fails(*args: object) -> None:
        raise OSError(number, os.strerror(number))

    store = store_in(tmp_path)
    put_all(store, 1)
    with monkeypatch.context() as patch:
        patch.setattr(os, function, fails)
        put_all(store, 2, 3)
    put_all(store, 4)
    assert here(store, 1, 2, 3, 4) == [1]
    (note,) = store.notes()
    assert os.strerror(number) in note
    assert "no more results are kept" in note
    assert len(os.listdir(tmp_path / "store" / "packs")) == 1


def test_when_the_folder_is_gone_nothing_more_is_kept(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    put_all(store, 1)
    (tmp_path / "store").rename(tmp_path / "elsewhere")
    assert here(store, 1) == []
    put_all(store, 2)
    assert here(store, 2) == []
    assert any("can't be written" in note for note in store.notes())


def test_when_the_store_can_not_be_locked_nothing_more_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import filelock

    class NoLock(filelock.FileLock):  # type: ignore[misc, unused-ignore]
        def acquire(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
            raise NotImplementedError("FileSystem does not appear to support flock")

    store = store_in(tmp_path, 5000)
    put_all(store, 1, size=1500)
    monkeypatch.setattr(filelock, "FileLock", NoLock)
    put_all(store, 2, 3, 4, 5, size=1500)
    assert len(pack_files(tmp_path)) <= 4
    assert "has no locks" in " ".join(store.notes())
