"""Files of runs."""

from __future__ import annotations

import errno
import io
import json
import math
import os
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pandas as pd
import pytest
from hypothesis import given
from trackers import TABLE

from rag_sweep.tracking.artifacts import local_folder, table_json, write_files
from rag_sweep.tracking.records import Table

NO_CLIENT: Any = None


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
        write_files(NO_CLIENT, "run", str(tmp_path / "run"), {"a/b.txt": b"1234"})
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


def test_a_file_on_the_same_disk_is_there_under_a_second_name(tmp_path: Path) -> None:
    source = tmp_path / "journal.npz"
    source.write_bytes(b"numbers")
    run = tmp_path / "run"
    for _ in range(2):
        write_files(NO_CLIENT, "run", str(run), {"sweep/matrix.npz": source})
    assert (run / "sweep" / "matrix.npz").samefile(source)
    assert [path.name for path in run.rglob("*")] == ["sweep", "matrix.npz"]


def test_writing_content_where_a_second_name_was_leaves_the_source_alone(tmp_path: Path) -> None:
    source = tmp_path / "journal.npz"
    source.write_bytes(b"numbers")
    write_files(NO_CLIENT, "run", str(tmp_path / "run"), {"matrix.npz": source})
    write_files(NO_CLIENT, "run", str(tmp_path / "run"), {"matrix.npz": b"others"})
    assert (tmp_path / "run" / "matrix.npz").read_bytes() == b"others"
    assert source.read_bytes() == b"numbers"


def test_a_file_behind_a_symbolic_link_is_there_itself(tmp_path: Path) -> None:
    source, link = tmp_path / "real", tmp_path / "link"
    source.write_bytes(b"numbers")
    link.symlink_to(source)
    write_files(NO_CLIENT, "run", str(tmp_path / "run"), {"a.npz": link})
    assert not (tmp_path / "run" / "a.npz").is_symlink()
    assert (tmp_path / "run" / "a.npz").samefile(source)


def _cross_device(*_: object, **__: object) -> None:
    raise OSError(errno.EXDEV, os.strerror(errno.EXDEV))


def test_a_file_on_another_disk_is_copied_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "journal.npz"
    source.write_bytes(b"first")
    monkeypatch.setattr("rag_sweep.tracking.artifacts.os.link", _cross_device)
    write_files(NO_CLIENT, "run", str(tmp_path / "run"), {"matrix.npz": source})
    source.write_bytes(b"second")
    target = tmp_path / "run" / "matrix.npz"
    assert target.read_bytes() == b"first"
    write_files(NO_CLIENT, "run", str(tmp_path / "run"), {"matrix.npz": source})
    assert target.read_bytes() == b"second"
    assert list(target.parent.iterdir()) == [target]


def test_a_copy_that_broke_off_leaves_the_former_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, target = tmp_path / "journal.npz", tmp_path / "run" / "matrix.npz"
    source.write_bytes(b"numbers")
    target.parent.mkdir()
    target.write_bytes(b"former")

    def half(_: Path, to: Path) -> None:
        to.write_bytes(b"num")
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("rag_sweep.tracking.artifacts.os.link", _cross_device)
    monkeypatch.setattr("rag_sweep.tracking.artifacts.shutil.copyfile", half)
    with pytest.raises(OSError, match="No space left"):
        write_files(NO_CLIENT, "run", str(target.parent), {"matrix.npz": source})
    assert target.read_bytes() == b"former"
    assert list(target.parent.iterdir()) == [target]


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"gone\.npz"):
        write_files(NO_CLIENT, "run", str(tmp_path / "run"), {"matrix.npz": tmp_path / "gone.npz"})


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**70), 2**70),
    st.floats(allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs"])),
)


@given(st.integers(1, 4).flatmap(lambda n: st.lists(st.tuples(*[CELLS] * n), max_size=5)))
def test_a_table_is_what_json_itself_writes(rows: list[tuple[Any, ...]]) -> None:
    def plain(cell: Any) -> Any:
        if not isinstance(cell, float):
            return cell
        return None if math.isnan(cell) else cell or 0.0

    names = [f"имя {at}" for at in range(len(rows[0]))] if rows else ["a"]
    content = {"columns": names, "data": [[plain(cell) for cell in row] for row in rows]}
    expected = json.dumps(content, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    assert table_json(Table(tuple(names), tuple(rows))).decode() == expected
