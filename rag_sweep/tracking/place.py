"""Which store is meant: a server, a database, or a folder of our own. Nothing is opened here."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from rag_sweep.errors import TrackingError

_SQLITE = re.compile(r"sqlite(\+\w+)?:///(?P<file>.+)")
_DATABASES = ("postgresql", "mysql", "mssql")
_ALLOWED = "sqlite:///<file>.db, http(s)://<server>, postgresql://, mysql://, mssql:// or databricks"


@dataclass(frozen=True)
class Place:
    """A tracking store.

    Attributes
    ----------
    uri
        What MLflow's client is given; may hold a password.
    database
        The SQLite file, absolute; None for anything else.
    artifacts
        The folder for files of runs, absolute; None where the store decides it.
    """

    uri: str
    database: Path | None = None
    artifacts: Path | None = None

    @property
    def is_server(self) -> bool:
        """True if the store is reached by HTTP, so its UI is already there."""
        return self.uri.startswith(("http://", "https://"))

    @property
    def shown(self) -> str:
        """The path of the database, or else the URI without user name and password."""
        if self.database is not None:
            return str(self.database)
        return without_password(self.uri)

    @property
    def typed(self) -> str:
        """The URI as a command line may show it: a database from the working directory, no password."""
        if self.database is None:
            return without_password(self.uri)
        here = Path.cwd()
        inside = self.database.is_relative_to(here)
        return f"sqlite:///{(self.database.relative_to(here) if inside else self.database).as_posix()}"

    @property
    def marks(self) -> Path:
        """The folder of the marks that say which sweeps of this store are alive, on this machine."""
        if self.database is not None:
            return self.database.parent / "running"
        user = os.getuid() if hasattr(os, "getuid") else 0
        store = hashlib.sha256(self.uri.encode()).hexdigest()[:16]
        return Path(tempfile.gettempdir()) / f"rag-sweep-{user}" / store


HIDDEN = "//***@"
"""What stands in a URI in place of user name and password."""


def without_password(uri: str) -> str:
    """`uri` as it may be shown: what stands before an ``@`` in its server's part becomes ``***``."""
    return re.sub(r"//[^/@]*@", HIDDEN, uri)


def resolve(uri: str | None, path: str) -> Place:
    """`uri`, else the environment's MLFLOW_TRACKING_URI, else SQLite in the folder `path`.

    Relative paths are taken from the working directory of now and become absolute.

    Raises
    ------
    TrackingError
        For a URI that MLflow can't use, naming the ones that it can.
    """
    if uri:
        return _given(uri, "tracking.uri", path)
    if named := os.environ.get("MLFLOW_TRACKING_URI"):
        return _given(named, "MLFLOW_TRACKING_URI", path)
    return _sqlite(Path(path) / "mlflow.db", "tracking.path")


def _given(uri: str, key: str, path: str) -> Place:
    if match := _SQLITE.fullmatch(uri):
        return _sqlite(Path(match["file"]), key)
    scheme = urlsplit(uri).scheme.split("+")[0]
    if scheme in ("http", "https") and urlsplit(uri).netloc:
        return Place(uri.rstrip("/"))
    if scheme in _DATABASES:
        return Place(uri, artifacts=Path(path).resolve() / "artifacts")
    if scheme == "databricks" or uri == "databricks":
        return Place(uri)
    hint = ""
    if scheme in ("", "file"):
        hint = "; MLflow no longer writes to plain folders: leave it out and set tracking.path=FOLDER"
    raise TrackingError(f"{key} must be {_ALLOWED}, got {without_password(uri)!r}{hint}")


def _sqlite(file: Path, key: str) -> Place:
    database = file.expanduser().resolve()
    if database.name == ":memory:" or "?" in str(database) or "%" in str(database):
        # a database URL takes the one for its query and the other for an escape
        raise TrackingError(f"{key} must be a path on disk without '?' and '%', got {str(file)!r}")
    return Place(f"sqlite:///{database.as_posix()}", database, database.parent / "artifacts")
