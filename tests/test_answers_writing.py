"""Files of answers: whole or not at all, and refused before anything is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_sweep.answers.writing import new_folder, refuse_there
from rag_sweep.errors import UsageError


def test_a_folder_gets_its_name_when_all_of_it_is_there(tmp_path: Path) -> None:
    out = tmp_path / "deep" / "out"
    with new_folder(out) as folder:
        assert not out.exists()
        (folder / "a").write_text("whole")
    assert [file.name for file in out.iterdir()] == ["a"]
    assert [file.name for file in out.parent.iterdir()] == ["out"]


def test_an_empty_folder_is_taken(tmp_path: Path) -> None:
    with new_folder(tmp_path / "out") as folder:
        (tmp_path / "out").mkdir()
        (folder / "a").write_text("whole")
    assert (tmp_path / "out" / "a").read_text() == "whole"


@pytest.mark.parametrize("end", [KeyboardInterrupt, ValueError])
def test_what_breaks_off_leaves_nothing(tmp_path: Path, end: type[BaseException]) -> None:
    def break_off() -> None:
        with new_folder(tmp_path / "out") as folder:
            (folder / "a").write_text("half")
            raise end

    with pytest.raises(end):
        break_off()
    assert list(tmp_path.iterdir()) == []


def test_what_came_there_meanwhile_stays_and_so_does_what_was_made(tmp_path: Path) -> None:
    out = tmp_path / "out"

    def meet() -> None:
        with new_folder(out) as folder:
            (folder / "a").write_text("ours")
            out.mkdir()
            (out / "b").write_text("theirs")

    with pytest.raises(UsageError, match="something in it by now: all is in ") as caught:
        meet()
    assert [file.name for file in out.iterdir()] == ["b"]
    (kept,) = [folder for folder in tmp_path.iterdir() if folder != out]
    assert str(kept) in str(caught.value)
    assert (kept / "a").read_text() == "ours"


def test_a_folder_that_can_not_be_is_refused_before_the_block(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    for out in (Path(""), tmp_path, tmp_path / "file", tmp_path / "file" / "out"):
        with pytest.raises(UsageError, match="--out"), new_folder(out):
            pytest.fail("nothing may be asked")
    assert [file.name for file in tmp_path.iterdir()] == ["file"]


@pytest.mark.parametrize("names", [("",), ("a", "a"), ("there",), ("away/a",)])
def test_files_that_can_not_be_written_are_refused(tmp_path: Path, names: tuple[str, ...]) -> None:
    (tmp_path / "there").write_text("x")
    with pytest.raises(UsageError):
        refuse_there(*(tmp_path / name if name else Path("") for name in names))
