"""Models in MLflow's registry: versions that are complete before an alias names them.

A version is a logged model, saved with `loader_module`: MLflow keeps the name of our module and a folder of
plain data, and pickles nothing.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout

from rag_sweep.errors import DataError, Fault, TrackingError, UsageError
from rag_sweep.tracking.artifacts import local_folder
from rag_sweep.tracking.connect import connect, ensure_experiment
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.packaging import MLMODEL, Entry, model_digest, save_model
from rag_sweep.tracking.place import Place, resolve
from rag_sweep.tracking.thirdparty import at_mlflow, calling_mlflow, environment, uploading

if TYPE_CHECKING:
    from mlflow import MlflowClient
    from mlflow.entities.model_registry import ModelVersion

CHAMPION, PREVIOUS = "champion", "previous"
"""The aliases: what is served, and what was served before it."""

_MODEL = "model"
"""The tag of a version that holds the hash of what MLflow itself goes by."""

_LONGEST_WAIT = 60.0  # seconds for another process that moves an alias
_PAGE = 200
_URI = re.compile(r"models:/(?P<name>[\w .-]+)(?:@(?P<alias>[\w-]+)|/(?P<version>\d+))")


@dataclass(frozen=True)
class Version:
    """A version of a registered model.

    Attributes
    ----------
    created
        Milliseconds since 1970.
    source
        Where its files are, for MLflow.
    """

    name: str
    version: str
    aliases: tuple[str, ...]
    tags: Mapping[str, str]
    created: int
    source: str

    @property
    def uri(self) -> str:
        """``models:/rag-sweep/3``."""
        return f"models:/{self.name}/{self.version}"


class Registry:
    """The registry of a tracking store.

    Parameters
    ----------
    of
        Where that is; nothing is opened before it is needed.

    Raises
    ------
    TrackingError
        By every method, if the store can't be reached or used.
    """

    def __init__(self, of: MLflow) -> None:
        self._of = of

    @cached_property
    def place(self) -> Place:
        """The store."""
        return resolve(self._of.uri, self._of.path)

    @property
    def shown(self) -> str:
        """Where that is, for people."""
        return f"MLflow at {self.place.shown}"

    def versions(self, name: str) -> tuple[Version, ...]:
        """All versions of a model, the newest first; none if there is no such model."""
        with self._calling("models can't be read", make=False) as client:
            if client is None:
                return ()
            aliases = _aliases(client, name)
            found, token = [], None
            while True:
                page = client.search_model_versions(f"name='{name}'", max_results=_PAGE, page_token=token)
                found += [_version(one, aliases) for one in page]
                token = page.token
                if not token:
                    return tuple(sorted(found, key=lambda one: -int(one.version)))

    def find(self, name: str, alias: str | None = None, version: str | None = None) -> Version | None:
        """The version that an alias or a number names; None if there is none."""
        for one in self.versions(name):
            if (alias is not None and alias in one.aliases) or one.version == version:
                return one
        return None

    def named(self, uri: str) -> Version:
        """The version of ``models:/NAME@ALIAS`` or ``models:/NAME/VERSION``.

        Raises
        ------
        UsageError
            If it is no such URI, or there is no such version; the message says which ones there are.
        """
        match = _URI.fullmatch(uri)
        if match is None:
            raise UsageError(f"a model is named models:/NAME@ALIAS or models:/NAME/VERSION, got {uri!r}")
        found = self.find(match["name"], match["alias"], match["version"])
        if found is None:
            raise UsageError(f"{self.shown} has no {uri}{self._known(match['name'])}")
        return found

    @contextmanager
    def folder(self, version: Version) -> Iterator[Path]:
        """The files of a version: where they are, or copied for the time of a block.

        Raises
        ------
        DataError
            If what MLflow loads it by has changed since it was registered.
        """
        with ExitStack() as stack:
            with self._calling(f"{version.uri} can't be read"):
                found = local_folder(version.source)
                if found is None:
                    import mlflow

                    target = stack.enter_context(tempfile.TemporaryDirectory(prefix="rag-sweep-"))
                    with uploading():
                        found = Path(mlflow.artifacts.download_artifacts(version.source, dst_path=target))
            if model_digest(found) != version.tags.get(_MODEL):
                told = f"{version.uri}: {MLMODEL} or its requirements have changed since it was registered"
                raise DataError(Fault(told, file=found))
            yield found

    def register(self, name: str, entry: Entry) -> Version:
        """Make a complete version; no alias names it yet.

        If anything goes wrong, no version is left behind.
        """
        with self._calling(f"the model {name!r} can't be registered") as client:
            if client is None:
                raise TrackingError(f"{self.shown} can't be used")
            experiment = ensure_experiment(client, self.place, self._of.experiment)
            model = client.create_logged_model(experiment, name=name, tags=dict(entry.tags))
            try:
                with tempfile.TemporaryDirectory(prefix="rag-sweep-") as folder:
                    saved = save_model(Path(folder) / "model", entry, model.model_id)
                    tags = {**entry.tags, _MODEL: model_digest(saved)}
                    with uploading():
                        client.log_model_artifacts(model.model_id, str(saved))
                client.finalize_logged_model(model.model_id, "READY")
                _ensure_model(client, name)
                made = client.create_model_version(
                    name,
                    model.artifact_location,
                    model_id=model.model_id,
                    tags=tags,
                    description=entry.description,
                )
            except BaseException:
                with suppress(Exception):  # the first error is the one to tell
                    client.delete_logged_model(model.model_id)
                raise
            return _version(made, {})

    def crown(self, version: Version, instead_of: Version | None) -> None:
        """Make a version the champion; the former one becomes the previous one.

        The champion's alias moves last: whatever breaks off before that leaves the old champion.

        Parameters
        ----------
        instead_of
            The champion that the decision was made against; None for none.

        Raises
        ------
        TrackingError
            If another one has become the champion meanwhile.
        """
        with self._moving(version.name) as client:
            now = self.find(version.name, CHAMPION)
            if (now and now.version) != (instead_of and instead_of.version):
                told = f"version {now.version}" if now else "none"
                raise TrackingError(
                    f"the champion of {version.name!r} is {told} now: another promotion was faster. Version "
                    f"{version.version} is registered, and no alias names it; look at both and promote again"
                )
            if now is not None:
                client.set_registered_model_alias(version.name, PREVIOUS, now.version)
            client.set_registered_model_alias(version.name, CHAMPION, version.version)

    def rolls_back_to(self, name: str) -> tuple[Version, Version]:
        """The version before the champion, and the champion.

        Raises
        ------
        UsageError
            If there is nothing to go back to.
        """
        champion, previous = self.find(name, CHAMPION), self.find(name, PREVIOUS)
        if champion is None:
            raise UsageError(f"{self.shown} has no champion of {name!r}: there is nothing to roll back")
        if previous is None or previous.version == champion.version:
            raise UsageError(
                f"version {champion.version} of {name!r} has no version before it to roll back to"
                f"{self._known(name)}"
            )
        return previous, champion

    def roll_back(self, previous: Version, champion: Version) -> None:
        """Make the previous version the champion again.

        There is no previous one then: to roll back twice doesn't bring the second champion back.

        Raises
        ------
        TrackingError
            If these aren't the two any more.
        """
        with self._moving(champion.name) as client:
            now = self.rolls_back_to(champion.name)
            if tuple(one.version for one in now) != (previous.version, champion.version):
                raise TrackingError(f"the champion of {champion.name!r} was changed meanwhile: look again")
            client.set_registered_model_alias(champion.name, CHAMPION, previous.version)
            client.delete_registered_model_alias(champion.name, PREVIOUS)

    def _known(self, name: str) -> str:
        """``; there are versions 1, 2``."""
        found = self.versions(name)
        if not found:
            return f"; it has no model {name!r}: `rag-sweep promote` makes one"
        told = [f"{one.version}{''.join(f' @{alias}' for alias in one.aliases)}" for one in found[:20]]
        return f"; there {'is version' if len(told) == 1 else 'are versions'} {', '.join(told)}"

    @contextmanager
    def _moving(self, name: str) -> Iterator[MlflowClient]:
        """A client, while no other process of this machine moves the aliases of the model."""
        with self._calling(f"the aliases of {name!r} can't be moved") as client:
            if client is None:
                raise UsageError(f"{self.shown} has no model {name!r}")
            self.place.marks.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self.place.marks / f".alias-{name}", timeout=_LONGEST_WAIT)
            try:
                lock.acquire()
            except Timeout as error:
                raise TrackingError(f"another process has held {lock.lock_file} for a minute") from error
            try:
                yield client
            finally:
                lock.release()

    @contextmanager
    def _calling(self, doing: str, make: bool = True) -> Iterator[MlflowClient | None]:
        """A client; None where there is no store yet and none is to be made.

        MLflow's registry asks the store that the environment names, whatever its client was given.
        """
        place = self.place
        if not make and place.database is not None and not place.database.exists():
            yield None
            return
        with calling_mlflow(f"{doing} at {place.shown}"), environment({"MLFLOW_TRACKING_URI": place.uri}):
            yield connect(place)


def invalid_input(text: str) -> Exception:
    """The exception that MLflow's scoring server answers with status 400 and this text."""
    with at_mlflow():
        from mlflow.exceptions import MlflowException

    made: Exception = MlflowException.invalid_parameter_value(text)
    return made


def _ensure_model(client: MlflowClient, name: str) -> None:
    from mlflow.exceptions import MlflowException

    try:
        client.create_registered_model(name)
    except MlflowException as error:
        if error.error_code != "RESOURCE_ALREADY_EXISTS":
            raise


def _aliases(client: MlflowClient, name: str) -> dict[str, list[str]]:
    """Aliases by version; a search of versions doesn't tell them in every store."""
    from mlflow.exceptions import MlflowException

    try:
        model = client.get_registered_model(name)
    except MlflowException as error:
        if error.error_code != "RESOURCE_DOES_NOT_EXIST":
            raise
        return {}
    found: dict[str, list[str]] = {}
    for alias, version in model.aliases.items():
        found.setdefault(str(version), []).append(str(alias))
    return found


def _version(one: ModelVersion, aliases: Mapping[str, list[str]]) -> Version:
    number = str(one.version)
    return Version(
        name=str(one.name),
        version=number,
        aliases=tuple(sorted(aliases.get(number, []))),
        tags=dict(one.tags),
        created=int(one.creation_timestamp),
        source=str(one.source),
    )
