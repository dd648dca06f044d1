"""Append-only lines: what is whole comes back, what is half written is nobody's."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_sweep.journal import lines

texts = st.text(st.characters()) | st.text(st.sampled_from('a \n\r\u2028\u0085\x00\ud800\udfff\\"ж'))
"""Any text, with half surrogate pairs and whatever somebody takes for a line end."""

scalars = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.floats(allow_nan=False) | texts
values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def same(one: Any, other: Any) -> bool:
    """Equal in type too: 1, 1.0 and True differ, as do the two zeros."""
    return repr(one) == repr(other)


@settings(max_examples=80)
@given(st.lists(values, max_size=5), st.lists(values, max_size=5))
def test_any_value_comes_back_in_order(first: list[Any], then: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lines"
        lines.append(file, first)
        lines.append(file, then)
        assert same(list(lines.read(file)), [*first, *then])
        assert file.read_bytes().count(b"\n") == len(first) + len(then)


def test_what_is_no_number_comes_back_too(tmp_path: Path) -> None:
    lines.append(tmp_path / "lines", [{"ndcg@10": math.nan, "top": -math.inf}])
    (found,) = lines.read(tmp_path / "lines")
    assert math.isnan(found["ndcg@10"])
    assert found["top"] == -math.inf


def test_no_file_has_no_lines(tmp_path: Path) -> None:
    assert list(lines.read(tmp_path / "none")) == []


def test_what_json_has_not_got_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(TypeError):
        lines.append(tmp_path / "lines", [1, {2}])
    assert list(lines.read(tmp_path / "lines")) == []


WRITTEN = [{"index": 0, "text": "a\nb"}, "ж\u2028\ud800", [1.5, None], 3]


def test_a_file_cut_at_any_byte_gives_exactly_the_whole_lines_and_takes_further_ones(tmp_path: Path) -> None:
    encoded = [lines.encoded(value) for value in WRITTEN]
    content = b"".join(encoded)
    ends = [len(b"".join(encoded[: at + 1])) - 1 for at in range(len(encoded))]  # without the line end
    file = tmp_path / "lines"
    for cut in range(len(content) + 1):
        file.write_bytes(content[:cut])
        whole = [value for value, end in zip(WRITTEN, ends, strict=True) if end <= cut]
        assert same(list(lines.read(file)), whole), cut
        lines.append(file, ["after", 1])
        lines.append(file, [2])
        assert same(list(lines.read(file)), [*whole, "after", 1, 2]), cut


def test_a_changed_byte_costs_its_own_line_or_two_and_is_never_believed(tmp_path: Path) -> None:
    content = b"".join(map(lines.encoded, WRITTEN))
    for at in range(len(content)):
        damaged = bytearray(content)
        damaged[at] ^= 0x04
        (tmp_path / "lines").write_bytes(damaged)
        found = list(lines.read(tmp_path / "lines"))
        left = iter(map(repr, WRITTEN))
        assert all(repr(value) in left for value in found), at  # some of them, in their order
        assert len(found) >= len(WRITTEN) - 2
        assert len(found) < len(WRITTEN) or at == len(content) - 1  # the very last line end isn't missed
