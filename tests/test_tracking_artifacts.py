"""Files of runs."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pandas as pd
import pytest
from trackers import TABLE

from rag_sweep.tracking.artifacts import local_folder, table_json, write_files
from rag_sweep.tracking.records import Table


def test_a_table_is_what_pandas_writes_and_reads_as_split() -> None:
    written = table_json(TABLE)
    frame = pd.read_json(io.BytesIO(written), orient="split")
    assert tuple(frame.columns) == TABLE.columns
    assert frame["question"].tolist() == [row[0] for row in TABLE.rows]
    assert frame["ndcg@10"].isna().tolist() == [False, True]
    again = frame.to_json(orient="split", index=False, force_ascii=False)
    assert pd.read_json(io.StringIO(again), orient="split").equals(frame)


def test_equal_tables_give_equal_bytes_with_readable_letters() -> None:
    assert table_json(TABLE) == table_json(Table(tuple(TABLE.columns), tuple(TABLE.rows)))
    assert "акт".encode() in table_json(TABLE)


def test_an_infinite_cell_is_an_error() -> None:
    with pytest.raises(ValueError, match="Out of range"):
        table_json(Table(("a",), ((float("inf"),),)))


def test_local_addresses_are_folders_and_others_are_not() -> None:
    assert local_folder("/data/мои runs/a#b") == Path("/data/мои runs/a#b")
    assert local_folder("file:///data/a%20b") == Path("/data/a b")
    assert local_folder("mlflow-artifacts:/1/abc") is None
    assert local_folder("s3://bucket/x") is None


def test_a_file_that_could_not_be_written_whole_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(self: Path, content: bytes) -> int:
        with open(self, "wb") as file:
            file.write(content[:2])
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(Path, "write_bytes", half)
    with pytest.raises(OSError, match="No space left"):
        write_files(None, "run", str(tmp_path / "run"), {"a/b.txt": b"1234"})  # type: ignore[arg-type]
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_files_for_a_store_elsewhere_go_through_the_client_in_one_call(tmp_path: Path) -> None:
    calls: list[tuple[str, dict[str, bytes]]] = []

    class Client:
        def log_artifacts(self, run_id: str, folder: str) -> None:
            root = Path(folder)
            files = {str(p.relative_to(root)): p.read_bytes() for p in root.rglob("*") if p.is_file()}
            calls.append((run_id, files))

    write_files(Client(), "r1", "mlflow-artifacts:/1/r1", {"x/a.txt": b"a", "b.txt": b"b"})  # type: ignore[arg-type]
    assert calls == [("r1", {os.path.join("x", "a.txt"): b"a", "b.txt": b"b"})]
