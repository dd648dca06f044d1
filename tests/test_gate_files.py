"""Small files that a gate reads."""

from __future__ import annotations

from pathlib import Path

from rag_sweep.gate.files import read_known_misses


def test_a_reason_stands_behind_a_hash_and_a_blank_and_an_id_may_hold_one(tmp_path: Path) -> None:
    file = tmp_path / "known.txt"
    file.write_text("# of October\nq1 # nobody wrote it\nc#-7\n\nq1\nq2\t#x # y\n", encoding="utf-8")
    assert read_known_misses(file) == ("q1", "c#-7", "q2")
