"""Whose journal is whose, and what is swept out."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from journals import IDENTITY, PIPELINES, begun, cards_of, configurations_of, head_of, results_of

from rag_sweep.errors import ConfigError
from rag_sweep.journal.journal import Journal
from rag_sweep.journal.shelf import HEAD, Shelf, locked

CONFIGURATIONS = configurations_of(*PIPELINES[:2])
RESULTS = results_of(CONFIGURATIONS)


def test_what_is_begun_can_be_taken_up_by_its_identity_alone(tmp_path: Path) -> None:
    begun(tmp_path, CONFIGURATIONS).close()
    shelf = Shelf(tmp_path)
    assert Journal.take_up(shelf, "cd" * 32) is None
    assert Journal.take_up(shelf, IDENTITY[:16] + "cd" * 24) is None  # only the folder's name is the same
    found = Journal.take_up(shelf, IDENTITY)
    assert found is not None
    assert found.head == head_of(CONFIGURATIONS, record=found.head.record)
    assert list(found.cards.values()) == cards_of(CONFIGURATIONS)


def test_the_second_of_two_claims_of_one_identity_gets_a_journal_of_its_own(tmp_path: Path) -> None:
    first = begun(tmp_path, CONFIGURATIONS)
    assert Journal.take_up(Shelf(tmp_path), IDENTITY) is None
    second = begun(tmp_path, CONFIGURATIONS)
    assert second.folder != first.folder
    second.write(RESULTS[:1])
    first.write(RESULTS)
    for journal, kept in ((first, 2), (second, 1)):
        journal.close()
        opened = Journal.open(journal.folder)
        assert opened is not None
        assert len(opened.kept) == kept
        opened.close()


def test_the_newest_that_nobody_works_on_is_taken_up(tmp_path: Path) -> None:
    made = []
    for day in ("20260102", "20260101", "20260103"):
        record = head_of(CONFIGURATIONS).record
        record = type(record)(**{**record.__dict__, "sweep_id": f"{day}-000000-abcdef"})
        made.append(begun(tmp_path, CONFIGURATIONS, record=record))
    made[0].close()
    made[1].close()
    found = Journal.take_up(Shelf(tmp_path), IDENTITY)
    assert found is not None
    assert found.folder == made[0].folder


def test_a_sweep_without_an_identity_is_never_taken_up_but_listed(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS, identity=None)
    journal.close()
    assert Journal.take_up(Shelf(tmp_path), IDENTITY) is None
    assert Shelf(tmp_path).all() == [journal.folder]


def test_a_journal_of_another_process_is_left_alone_until_that_dies(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    journal.close()
    hold = (
        "import sys; from pathlib import Path; from rag_sweep.journal.shelf import locked; "
        "lock = locked(Path(sys.argv[1])); print(lock is not None, flush=True); sys.stdin.read()"
    )
    command = [sys.executable, "-c", hold, str(journal.folder)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"True\n"
        assert locked(journal.folder) is None
        assert Journal.open(journal.folder) is None
        assert Journal.take_up(Shelf(tmp_path), IDENTITY) is None
        (journal.folder / HEAD).unlink()  # as if it had just begun
        Shelf(tmp_path).sweep_out()
        assert journal.folder.is_dir()
        process.kill()
        process.wait()
        Shelf(tmp_path).sweep_out()
        assert not journal.folder.exists()


def test_only_what_was_never_begun_is_swept_out(tmp_path: Path) -> None:
    whole = begun(tmp_path, CONFIGURATIONS)
    whole.write(RESULTS)
    whole.close()
    half, _ = Shelf(tmp_path).new(IDENTITY, "20260101-000000-abcdef")
    _.release()
    (half / "configurations.jsonl").write_text("half")
    (half / f"{HEAD}.new").write_text("half")
    Shelf(tmp_path).sweep_out()
    assert not half.exists()
    assert whole.folder.is_dir()


def test_a_journal_of_another_version_is_left_alone(tmp_path: Path) -> None:
    begun(tmp_path, CONFIGURATIONS).close()
    (folder,) = Shelf(tmp_path).all()
    head = folder / HEAD
    head.write_bytes(b"another checksum {}\n")
    begun(tmp_path, CONFIGURATIONS).close()
    assert head.read_bytes() == b"another checksum {}\n"
    assert Journal.open(folder) is None


@pytest.mark.parametrize(
    "name", [".git", ".venv", "my.project", "v1.2", "abcdef0123456789.notes", "sweep.d", "photos.2026"]
)
def test_folders_of_somebody_else_are_never_touched(tmp_path: Path, name: str) -> None:
    file = tmp_path / name / "precious"
    file.parent.mkdir()
    file.write_text("mine")
    begun(tmp_path, CONFIGURATIONS).close()
    assert [path.name for path in file.parent.iterdir()] == ["precious"]
    assert file.read_text() == "mine"


@pytest.mark.parametrize("path", ["a file", "a file/below"])
def test_what_is_no_folder_is_one_clear_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a file").touch()
    with pytest.raises(ConfigError) as told:
        Shelf(path)
    assert str(told.value).startswith(f"journal must be a folder that can be written, got '{path}': ")
    assert str(told.value).endswith("journal=null keeps none.")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_is_one_clear_error(tmp_path: Path) -> None:
    tmp_path.chmod(stat.S_IRUSR | stat.S_IXUSR)
    for path in (tmp_path, tmp_path / "below"):
        with pytest.raises(ConfigError, match="Permission denied"):
            Shelf(path)


def test_a_path_with_what_patterns_are_made_of_is_a_path(tmp_path: Path) -> None:
    folder = tmp_path / "a [b] *?"
    begun(folder, CONFIGURATIONS).close()
    assert len(Shelf(folder).all()) == 1
    assert Journal.take_up(Shelf(folder), IDENTITY) is not None
