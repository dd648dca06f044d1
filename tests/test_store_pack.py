"""The file format of the store: what comes back, and that nothing else ever does."""

from __future__ import annotations

import hashlib
import io
import json
import struct
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from stores import entries, entry, key_of, same

from rag_sweep.store.entry import Arrays, Entry
from rag_sweep.store.pack import Damaged, checksum_of, encode, read_arrays, read_header


def written(put: Mapping[str, Entry]) -> bytes:
    pack = encode(put)
    content = b"".join(pack.pieces)
    assert len(content) == pack.length
    return content


def read(content: bytes) -> Mapping[str, Arrays]:
    """Everything in a pack, checked as the store does it."""
    header = read_header(io.BytesIO(content), len(content))
    found = {}
    for key, place in header.entries.items():
        data = memoryview(content)[header.start + place.at :][: place.size]
        if checksum_of([data]) != place.checksum:
            raise Damaged("data")
        found[key] = read_arrays(place, data)
    return found


def crafted(entry: object, data: bytes = bytes(64), header: bytes | None = None) -> bytes:
    """A pack with right checksums and a header that the store wouldn't write."""
    text = json.dumps({"entries": {key_of(1): entry}}).encode() if header is None else header
    preamble = struct.pack("<8sIIQQ", b"RSPACK\r\n", 1, 0, len(text), len(data))
    head = preamble + hashlib.sha256(preamble + text).digest() + text
    return head + bytes(-len(head) % 64) + data


def form_of(data: bytes = bytes(64), **changes: object) -> dict[str, Any]:
    """How an entry with one array is described, with some of it changed."""
    array = {"dtype": "<f8", "shape": [8], "order": "C", "at": 0}
    array |= {key: value for key, value in changes.items() if key in array}
    whole = {"stage": "s", "meta": {}, "at": 0, "size": len(data)}
    whole |= {"sha256": hashlib.sha256(data).hexdigest(), "arrays": {"x": array}}
    return whole | {key: value for key, value in changes.items() if key not in array}


@given(entries)
def test_what_is_put_comes_back_bit_for_bit(put: Mapping[str, Entry]) -> None:
    found = read(written(put))
    assert list(found) == list(put)
    assert all(same(found[key], put[key].arrays) for key in put)
    header = read_header(io.BytesIO(written(put)), len(written(put)))
    assert [(place.stage, place.meta) for place in header.entries.values()] == [
        (value.stage, value.meta) for value in put.values()
    ]


@given(entries)
def test_what_comes_back_is_read_only_and_aligned(put: Mapping[str, Entry]) -> None:
    content = written(put)
    header = read_header(io.BytesIO(content), len(content))
    assert header.start % 64 == 0
    assert all(place.at % 64 == 0 for place in header.entries.values())
    for array in (array for found in read(content).values() for array in found.values()):
        assert not array.flags.writeable
        assert array.flags.aligned


@given(entries.filter(bool), st.data())
def test_a_changed_byte_is_noticed_or_has_no_effect(put: Mapping[str, Entry], data: st.DataObject) -> None:
    content = bytearray(written(put))
    at = data.draw(st.integers(0, len(content) - 1))
    content[at] ^= data.draw(st.integers(1, 255))
    try:
        found = read(bytes(content))
    except Damaged:
        return
    start = len(content) - sum(len(piece) for piece in encode(put).pieces[1:])
    header_length = struct.unpack_from("<Q", content, 16)[0]
    assert 64 + header_length <= at < start, "only the filling before the data isn't covered"
    assert all(same(found[key], put[key].arrays) for key in put)


def test_a_changed_byte_is_noticed_everywhere_in_a_small_pack() -> None:
    put = {key_of(1): Entry("s", {"x": np.arange(3.0)}, {"a": 1})}
    content = written(put)
    unnoticed = []
    for at in range(len(content)):
        try:
            found = read(content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :])
        except Damaged:
            continue
        assert same(found[key_of(1)], put[key_of(1)].arrays)
        unnoticed.append(at)
    assert len(unnoticed) < 64, "only the filling before the data"


@given(entries, st.data())
def test_a_pack_that_is_cut_or_longer_is_damaged(put: Mapping[str, Entry], data: st.DataObject) -> None:
    content = written(put)
    with pytest.raises(Damaged):
        read(content[: data.draw(st.integers(0, len(content) - 1))])
    with pytest.raises(Damaged):
        read(content + data.draw(st.binary(min_size=1, max_size=100)))


@given(st.binary(max_size=300))
def test_other_files_are_damaged_packs(content: bytes) -> None:
    for file in (content, b"RSPACK\r\n" + content, b"RSPACK\r\n\1\0\0\0\0\0\0\0" + content):
        with pytest.raises(Damaged):
            read(file)


def test_the_crafted_pack_of_these_tests_is_right_before_it_is_changed() -> None:
    assert same(read(crafted(form_of()))[key_of(1)], {"x": np.zeros(8)})


@pytest.mark.parametrize(
    "dtype",
    [
        "object",
        "O",
        ["<f8"],
        None,
        8,
        "<f8,<f8",
        "<f8\n",
        "|S99999999999999",
        "rag_sweep.cli",
        "|O",
        "|O8",
        "<U4",
        "|V8",
        "<M8[s]",
        "<f16",
        ">f8",
        "=f8",
        "f8",
        "|S0",
        "|S",
        "",
        "<f8 ",
    ],
)
def test_a_type_that_is_not_kept_is_refused_when_read(dtype: object) -> None:
    with pytest.raises(Damaged):
        read(crafted(form_of(dtype=dtype)))


@pytest.mark.parametrize(
    "changes",
    [
        *(
            {"shape": shape}
            for shape in ([9], [-1], [2**63], [8.0], [True], "8", None, 8, [1] * 65, [0, 2**70])
        ),
        *({"at": at} for at in (1, -1, 2**64, 1.0, None)),
        *({"order": order} for order in ("A", "K", None, 1)),
        *({"size": size} for size in (65, -1, 2**64, None)),
        *(
            {"stage": None},
            {"meta": None},
            {"meta": 1},
            {"arrays": None},
            {"arrays": []},
            {"arrays": {"x": 1}},
        ),
        {"arrays": {"x": {}}},
        *({"sha256": value} for value in (None, "", 1)),
    ],
)
def test_a_header_that_does_not_fit_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(Damaged):
        read(crafted(form_of(**changes)))


@pytest.mark.parametrize("at", [1, 64, 2**62])
def test_an_entry_outside_the_file_is_refused(at: int) -> None:
    content = crafted({**form_of(), "at": at})
    with pytest.raises(Damaged):
        read_header(io.BytesIO(content), len(content))


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"null",
        b"[]",
        b"{}",
        b'{"entries": []}',
        b'{"entries": {"x": 1}}',
        b"[" * 100_000,
        b"\xff\xfe",
        b"NaN",
        b'{"entries": {"x": {"at": ' + b"9" * 5000 + b"}}}",
    ],
)
def test_a_header_that_is_no_description_is_refused(header: bytes) -> None:
    with pytest.raises(Damaged):
        read(crafted(None, header=header))


class Trap:
    """Pickled, it would run a command when it is read."""

    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a value was executed",)


@pytest.mark.parametrize(
    "array",
    [
        np.array([Trap()], dtype=object),
        np.array(["text"]),
        np.array([b""], dtype="S")[:0].astype("V4"),
        np.zeros(2, dtype=[("a", "<f8")]),
        np.zeros(2, dtype=">f8"),
        np.zeros(2, dtype="M8[s]"),
        np.ma.masked_array([1.0, 2.0], mask=[True, False]),
        [1.0, 2.0],
        3.0,
        None,
    ],
    ids=lambda array: f"{type(array).__name__} {getattr(array, 'dtype', '')}",
)
def test_what_can_not_be_kept_is_refused_when_put(array: Any) -> None:
    with pytest.raises(TypeError, match="ranking: 'x'"):
        encode({key_of(1): Entry("ranking", {"x": array})})


@pytest.mark.parametrize("meta", [{"x": [1]}, {"x": b""}, {1: 2}, {"x": np.float32(1)}])
def test_meta_that_are_not_plain_are_refused(meta: Any) -> None:
    with pytest.raises(ValueError, match="meta must be plain scalars"):
        encode({key_of(1): Entry("ranking", {}, meta)})


def test_arrays_are_written_from_their_own_memory() -> None:
    big = np.zeros(10**6)
    views: list[NDArray[Any]] = [
        np.asarray(piece) for piece in encode({key_of(1): Entry("s", {"x": big})}).pieces
    ]
    assert any(np.shares_memory(view, big) for view in views)


def test_equal_content_is_the_same_bytes() -> None:
    put = {key_of(number): entry(1000, number) for number in range(3)}
    assert written(put) == written(put)
