"""Families cut into tiles."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.tiles import tiles

points = st.lists(st.tuples(st.floats(0, 9), st.floats(0, 9)), min_size=1, max_size=40)


@given(points, st.integers(1, 50))
def test_each_member_is_in_one_tile_and_no_tile_is_too_large(
    members: list[tuple[float, float]], size: int
) -> None:
    found = tiles(np.array(members), size)
    assert sorted(at for tile in found for at in tile.tolist()) == list(range(len(members)))
    assert all(1 <= len(tile) <= size for tile in found)


def test_a_family_is_cut_where_its_members_differ_most() -> None:
    found = tiles(np.array([[0.0, 5.0], [1.0, 90.0], [0.5, 6.0], [1.5, 91.0]]), 2)
    assert sorted(sorted(tile.tolist()) for tile in found) == [[0, 2], [1, 3]]
