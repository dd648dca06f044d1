"""The store of one drill: it reads another one and writes nothing to it."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from rag_sweep.drill.memory import Aside
from rag_sweep.store.disk import Disk
from rag_sweep.store.entry import Entry

KEYS = [letter * 64 for letter in "abc"]


def entry(number: int) -> Entry:
    return Entry("lexical", {"x": np.array([number])}, {"n": number})


def test_what_is_below_is_read_and_what_is_new_stays_in_memory(tmp_path: Path) -> None:
    below = Disk(str(tmp_path / "store")).open()
    below.put({KEYS[0]: entry(0)})
    store = Aside(below)
    store.put({KEYS[1]: entry(1)})
    assert store.has(KEYS) == set(KEYS[:2])
    found = [store.get(key) for key in KEYS]
    assert [None if one is None else one["x"].tolist() for one in found] == [[0], [1], None]
    assert store.find("lexical", {}) == set(KEYS[:2])
    assert store.find("lexical", {"n": 1}) == {KEYS[1]}
    assert store.find("dense", {}) == set()
    assert below.has(KEYS) == {KEYS[0]}
