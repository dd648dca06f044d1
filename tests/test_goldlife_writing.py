"""New files: whole or not at all, and never over one that is there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from rag_sweep.errors import UsageError
from rag_sweep.goldlife import writing
from rag_sweep.goldlife.writing import write_new


def no_links(*_: Any) -> None:
    raise OSError(95, "Operation not supported")


@pytest.mark.parametrize("links", [True, False])
def test_files_appear_with_their_content_and_nothing_beside_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    write_new({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a": b"1", "b": b"2"}


@pytest.mark.parametrize("links", [True, False])
def test_a_file_that_appears_at_the_last_moment_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, links: bool
) -> None:
    if not links:
        monkeypatch.setattr(os, "link", no_links)
    monkeypatch.setattr(writing, "refuse_existing", lambda *_: (tmp_path / "b").write_bytes(b"theirs"))
    with pytest.raises(UsageError, match="File exists"):
        write_new({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"b": b"theirs"}


def test_if_one_cant_be_written_the_ones_before_are_taken_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = writing.write_whole

    def full(file: Path, temporary: Path, pieces: list[bytes]) -> None:
        if pieces == [b"2"]:
            raise OSError(28, "No space left on device")
        real(file, temporary, pieces)

    monkeypatch.setattr(writing, "write_whole", full)
    with pytest.raises(UsageError, match="No space left"):
        write_new({tmp_path / "a": b"1", tmp_path / "b": b"2"})
    assert list(tmp_path.iterdir()) == []


def test_a_dangling_link_is_a_file_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "a").symlink_to(tmp_path / "nowhere")
    with pytest.raises(UsageError, match="is there already"):
        write_new({tmp_path / "a": b"1"})


def test_folders_are_made_on_request_only(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="doesn't exist"):
        write_new({tmp_path / "x" / "a": b"1"})
    write_new({tmp_path / "x" / "a": b"1"}, folders=True)
    assert (tmp_path / "x" / "a").read_bytes() == b"1"
