"""Which store is meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.place import resolve, without_password


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)


def test_a_folder_is_made_absolute_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = resolve(None, "mlruns")
    assert place.database == tmp_path / "mlruns" / "mlflow.db"
    assert place.artifacts == tmp_path / "mlruns" / "artifacts"
    assert place.uri == f"sqlite:///{tmp_path}/mlruns/mlflow.db"
    assert not place.is_server
    assert list(tmp_path.iterdir()) == []


def test_the_key_goes_before_the_environment_and_that_before_the_folder(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://from-environment:1")
    assert resolve(None, "mlruns").uri == "http://from-environment:1"
    assert resolve("https://from-key:2/", "mlruns").uri == "https://from-key:2"


def test_a_relative_sqlite_address_becomes_absolute_with_artifacts_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    place = resolve("sqlite:///some/runs.db", "mlruns")
    assert place.database == tmp_path / "some" / "runs.db"
    assert place.artifacts == tmp_path / "some" / "artifacts"


def test_a_database_server_keeps_files_in_the_folder(tmp_path: Path) -> None:
    place = resolve("postgresql+psycopg://me:secret@db/runs", str(tmp_path))
    assert place.database is None
    assert place.artifacts == tmp_path / "artifacts"


@pytest.mark.parametrize(
    "uri", ["ftp://host/x", "http://", "sqlite://", "postgres://u:secret@h/d", "nonsense:x"]
)
def test_another_scheme_is_refused_with_the_ones_that_work_and_without_a_password(uri: str) -> None:
    with pytest.raises(TrackingError, match=r"^tracking\.uri must be sqlite:///<file>\.db, http") as caught:
        resolve(uri, "mlruns")
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("uri", ["file:///tmp/mlruns", "./mlruns", "mlruns"])
def test_a_plain_folder_as_address_is_pointed_to_the_path(uri: str) -> None:
    with pytest.raises(TrackingError, match=r"set tracking\.path=FOLDER"):
        resolve(uri, "mlruns")


def test_a_bad_address_in_the_environment_is_named_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "ftp://x")
    with pytest.raises(TrackingError, match=r"^MLFLOW_TRACKING_URI must be"):
        resolve(None, "mlruns")


@pytest.mark.parametrize("path", ["100%", "what?"])
def test_a_path_that_a_database_address_cannot_hold_is_refused(path: str) -> None:
    with pytest.raises(TrackingError, match=r"tracking\.path must be a path on disk without"):
        resolve(None, path)


def test_a_password_is_not_shown() -> None:
    assert without_password("http://me:secret@host:1/x?y=a@b") == "http://***@host:1/x?y=a@b"
    assert resolve("http://me:secret@host:1", "mlruns").shown == "http://***@host:1"


def test_marks_of_different_servers_are_kept_apart() -> None:
    assert resolve("http://a", "m").marks != resolve("http://b", "m").marks
