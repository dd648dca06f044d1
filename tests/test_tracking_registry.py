"""Versions are complete before an alias names them; whatever breaks off leaves the old champion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from servers import Server

from rag_sweep.errors import DataError, TrackingError, UsageError
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.packaging import LOADER, Entry, bundle_in
from rag_sweep.tracking.registry import CHAMPION, PREVIOUS, Registry, Version, invalid_input


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One store for all: to make its tables takes longer than everything else."""
    return tmp_path_factory.mktemp("store") / "mlruns"


@pytest.fixture
def registry(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Registry:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.chdir(tmp_path)
    return Registry(MLflow(path=str(store)))


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    """A model of the test's own."""
    return f"m{abs(hash(request.node.name))}"


@pytest.fixture
def entry(tmp_path: Path) -> Entry:
    bundle = tmp_path / "champion"
    (bundle / "arrays").mkdir(parents=True)
    (bundle / "manifest.json").write_text("{}", encoding="utf-8")
    (bundle / "arrays" / "a.npy").write_bytes(b"a")
    example = {"query": "how many", "k": 3}
    return Entry(bundle, LOADER, "rag-sweep==0.1.0", {"bundle": "abc"}, "**why**", example)


def aliases(registry: Registry, name: str) -> dict[str, str]:
    return {alias: one.version for one in registry.versions(name) for alias in one.aliases}


def test_a_registry_that_is_not_there_has_no_versions_and_none_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    monkeypatch.chdir(tmp_path)
    there = Registry(MLflow(path="elsewhere"))
    assert there.versions("m") == ()
    assert there.find("m", CHAMPION) is None
    assert not Path("elsewhere").exists()


def test_a_version_holds_the_bundle_and_names_our_loader(registry: Registry, entry: Entry, name: str) -> None:
    made = registry.register(name, entry)
    assert made.version == "1"
    assert made.tags["bundle"] == "abc"
    with registry.folder(made) as folder:
        bundle = bundle_in(folder, LOADER)
        assert (bundle / "arrays" / "a.npy").read_bytes() == b"a"
        text = (folder / "MLmodel").read_text(encoding="utf-8")
        requirements = (folder / "requirements.txt").read_text(encoding="utf-8").split()
    assert f"loader_module: {LOADER}" in text
    assert "code: null" in text
    assert [one for one in requirements if not one.startswith("mlflow==")] == ["rag-sweep==0.1.0"]
    assert not list(folder.rglob("*.pkl"))
    assert aliases(registry, name) == {}


def test_nothing_strays_in_the_working_directory(
    registry: Registry, entry: Entry, name: str, tmp_path: Path
) -> None:
    registry.crown(registry.register(name, entry), None)
    assert {path.name for path in tmp_path.iterdir()} == {"champion"}


def test_versions_have_a_signature_and_an_example(registry: Registry, entry: Entry, name: str) -> None:
    with registry.folder(registry.register(name, entry)) as folder:
        example = json.loads((folder / "serving_input_example.json").read_text(encoding="utf-8"))
        told = (folder / "MLmodel").read_text(encoding="utf-8")
    assert example["dataframe_split"] == {"columns": ["query", "k"], "data": [["how many", 3]]}
    for name in ("query", "k", "ids", "scores", "texts", "spans"):
        assert f'"name": "{name}"' in told


def test_the_former_champion_becomes_the_previous_one(registry: Registry, entry: Entry, name: str) -> None:
    first = registry.register(name, entry)
    registry.crown(first, None)
    assert aliases(registry, name) == {CHAMPION: "1"}
    registry.crown(registry.register(name, entry), registry.find(name, CHAMPION))
    assert aliases(registry, name) == {CHAMPION: "2", PREVIOUS: "1"}
    registry.crown(registry.register(name, entry), registry.find(name, CHAMPION))
    assert aliases(registry, name) == {CHAMPION: "3", PREVIOUS: "2"}
    assert [one.version for one in registry.versions(name)] == ["3", "2", "1"]


def test_a_model_is_found_by_alias_and_by_version(registry: Registry, entry: Entry, name: str) -> None:
    registry.crown(registry.register(name, entry), None)
    assert registry.named(f"models:/{name}@champion").version == "1"
    assert registry.named(f"models:/{name}/1").uri == f"models:/{name}/1"


@pytest.mark.parametrize(
    ("uri", "told"),
    [
        ("models:/NAME/2", r"has no models:/m\d+/2; there is version 1 @champion"),
        ("models:/NAME@previous", r"has no models:/m\d+@previous; there is version 1"),
        ("models:/other@champion", "it has no model 'other': `rag-sweep promote` makes one"),
        ("models:/m", "models:/NAME@ALIAS or models:/NAME/VERSION, got 'models:/m'"),
        ("models:/m/latest", "models:/NAME/VERSION, got"),
        ("models:/m' OR name='n@champion", "models:/NAME/VERSION, got"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(
    registry: Registry, entry: Entry, name: str, uri: str, told: str
) -> None:
    registry.crown(registry.register(name, entry), None)
    with pytest.raises(UsageError, match=told):
        registry.named(uri.replace("NAME", name))


# Going back


def two(registry: Registry, entry: Entry, name: str) -> tuple[Version, Version]:
    first = registry.register(name, entry)
    registry.crown(first, None)
    second = registry.register(name, entry)
    registry.crown(second, first)
    return first, second


def test_rolling_back_makes_the_previous_version_the_champion(
    registry: Registry, entry: Entry, name: str
) -> None:
    two(registry, entry, name)
    registry.roll_back(*registry.rolls_back_to(name))
    assert aliases(registry, name) == {CHAMPION: "1"}


def test_rolling_back_twice_is_an_error_and_changes_nothing(
    registry: Registry, entry: Entry, name: str
) -> None:
    two(registry, entry, name)
    registry.roll_back(*registry.rolls_back_to(name))
    with pytest.raises(UsageError, match="has no version before it to roll back to"):
        registry.rolls_back_to(name)
    assert aliases(registry, name) == {CHAMPION: "1"}


def test_rolling_back_nothing_is_an_error(registry: Registry, entry: Entry, name: str) -> None:
    with pytest.raises(UsageError, match=r"no champion of .*: there is nothing to roll back"):
        registry.rolls_back_to(name)
    registry.register(name, entry)
    with pytest.raises(UsageError, match="no champion of"):
        registry.rolls_back_to(name)


def test_after_rolling_back_the_next_promotion_goes_on(registry: Registry, entry: Entry, name: str) -> None:
    two(registry, entry, name)
    registry.roll_back(*registry.rolls_back_to(name))
    registry.crown(registry.register(name, entry), registry.find(name, CHAMPION))
    assert aliases(registry, name) == {CHAMPION: "3", PREVIOUS: "1"}


# Races and interruptions


def test_a_promotion_that_was_overtaken_is_refused(registry: Registry, entry: Entry, name: str) -> None:
    first, second = two(registry, entry, name)
    late = registry.register(name, entry)
    with pytest.raises(TrackingError, match="is version 2 now: another promotion was faster"):
        registry.crown(late, first)
    assert aliases(registry, name) == {CHAMPION: second.version, PREVIOUS: first.version}


def test_a_first_promotion_that_was_overtaken_is_refused(registry: Registry, entry: Entry, name: str) -> None:
    registry.crown(registry.register(name, entry), None)
    with pytest.raises(TrackingError, match="is version 1 now"):
        registry.crown(registry.register(name, entry), None)


def test_a_rollback_that_was_overtaken_is_refused(registry: Registry, entry: Entry, name: str) -> None:
    first, second = two(registry, entry, name)
    registry.crown(registry.register(name, entry), second)
    with pytest.raises(TrackingError, match="was changed meanwhile"):
        registry.roll_back(first, second)
    assert aliases(registry, name) == {CHAMPION: "3", PREVIOUS: "2"}


STEPS = (
    "create_logged_model",
    "log_model_artifacts",
    "finalize_logged_model",
    "create_model_version",
    "set_registered_model_alias",
)


def promote(registry: Registry, entry: Entry, name: str, instead_of: Version) -> None:
    registry.crown(registry.register(name, entry), instead_of)


class Killed(BaseException):
    """Stands for a process that ends."""


@pytest.fixture
def kill(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """Break off before or after one call of MLflow's client, and let nothing clean up behind it."""
    from mlflow import MlflowClient

    def at(step: str, after: bool, call: int = 1) -> None:
        original, calls = getattr(MlflowClient, step), 0

        def broken(self: MlflowClient, *args: Any, **kwargs: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls != call:
                return original(self, *args, **kwargs)
            if after:
                original(self, *args, **kwargs)
            raise Killed

        monkeypatch.setattr(MlflowClient, step, broken)
        monkeypatch.setattr(MlflowClient, "delete_logged_model", lambda *_: None)

    return at


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("step", STEPS)
def test_a_promotion_that_is_killed_leaves_the_old_champion(
    registry: Registry,
    entry: Entry,
    name: str,
    kill: Any,
    monkeypatch: pytest.MonkeyPatch,
    step: str,
    after: bool,
) -> None:
    first = registry.register(name, entry)
    registry.crown(first, None)
    kill(step, after)
    with pytest.raises(Killed):
        promote(registry, entry, name, first)
    monkeypatch.undo()
    assert aliases(registry, name)[CHAMPION] == "1"
    with registry.folder(registry.named(f"models:/{name}@champion")) as folder:
        assert (bundle_in(folder, LOADER) / "manifest.json").exists()
    again = registry.register(name, entry)  # nothing is in the way of the next one
    registry.crown(again, first)
    assert aliases(registry, name) == {CHAMPION: again.version, PREVIOUS: "1"}


def test_a_promotion_killed_between_the_aliases_leaves_nothing_to_roll_back(
    registry: Registry, entry: Entry, name: str, kill: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = registry.register(name, entry)
    registry.crown(first, None)
    second = registry.register(name, entry)
    kill("set_registered_model_alias", after=True)
    with pytest.raises(Killed):
        registry.crown(second, first)
    monkeypatch.undo()
    assert aliases(registry, name) == {CHAMPION: "1", PREVIOUS: "1"}
    with pytest.raises(UsageError, match="has no version before it"):
        registry.rolls_back_to(name)


def test_a_failed_registration_leaves_no_version(
    registry: Registry, entry: Entry, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from mlflow import MlflowClient

    def broken(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(MlflowClient, "log_model_artifacts", broken)
    with pytest.raises(TrackingError, match=r"the model 'm\d+' can't be registered at .*No space left"):
        registry.register(name, entry)
    assert registry.versions(name) == ()


@pytest.mark.full
def test_a_server_that_keeps_the_files_takes_versions_and_gives_them_back(
    entry: Entry, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    server = Server(tmp_path / "server")
    server.start()
    try:
        registry = Registry(MLflow(uri=server.uri))
        first, second = two(registry, entry, name)
        assert aliases(registry, name) == {CHAMPION: second.version, PREVIOUS: first.version}
        with registry.folder(registry.named(f"models:/{name}@champion")) as folder:
            assert (bundle_in(folder, LOADER) / "arrays" / "a.npy").read_bytes() == b"a"
            assert not folder.is_relative_to(server.artifacts)
        assert not folder.exists()
        registry.roll_back(*registry.rolls_back_to(name))
        assert aliases(registry, name) == {CHAMPION: first.version}
    finally:
        server.kill()


# What a model must look like


@pytest.mark.parametrize(
    ("flavor", "told"),
    [
        ("{loader_module: evil, data: data/champion}", "is a model that 'evil' loads"),
        (f"{{loader_module: {LOADER}, data: data/champion, code: code}}", "brings code along"),
        (f"{{loader_module: {LOADER}, data: ../../elsewhere}}", "names no folder of data"),
        (f"{{loader_module: {LOADER}, data: /etc/x}}", "names no folder of data"),
        (f"{{loader_module: {LOADER}}}", "names no folder of data: 'None'"),
        ("[]", "is no MLflow model"),
        ("!!python/object/apply:os.system [echo]", "is no MLflow model"),
    ],
)
def test_a_model_of_another_kind_is_refused(tmp_path: Path, flavor: str, told: str) -> None:
    (tmp_path / "MLmodel").write_text(f"flavors: {{python_function: {flavor}}}", encoding="utf-8")
    with pytest.raises(DataError, match=told):
        bundle_in(tmp_path, LOADER)


def test_a_folder_that_is_no_model_is_a_bundle_itself(tmp_path: Path) -> None:
    assert bundle_in(tmp_path, LOADER) == tmp_path


def test_invalid_input_is_what_mlflow_answers_with_status_400() -> None:
    from mlflow.exceptions import MlflowException

    found = invalid_input("k must be …")
    assert isinstance(found, MlflowException)
    assert found.get_http_status_code() == 400
    assert "k must be" in str(found)
