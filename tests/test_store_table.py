"""A table in memory: what is looked up is what was added first."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rag_sweep.store.table import Table

rows = st.lists(st.tuples(st.integers(-20, 20), st.floats(allow_nan=False)), max_size=10)


@given(st.lists(rows, max_size=5))
def test_a_table_is_a_dictionary_in_which_the_first_value_stays(adds: list[list[tuple[int, float]]]) -> None:
    table, expected = Table(np.int64, np.float64), dict[int, float]()
    for rows in adds:
        table.add(np.array([key for key, _ in rows], np.int64), np.array([value for _, value in rows]))
        for key, value in rows:
            expected.setdefault(key, value)
        values, known = table.look_up(np.arange(-21, 22))
        found = dict(zip(np.arange(-21, 22)[known].tolist(), values[known].tolist(), strict=True))
        assert found == expected
        assert len(table._keys) == len(expected)


def test_nothing_is_known_of_an_empty_table() -> None:
    values, known = Table("S16", np.float64).look_up(np.array([b"x"], "S16"))
    assert (len(values), known.tolist()) == (1, [False])
