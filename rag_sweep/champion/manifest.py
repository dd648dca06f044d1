"""The files of a bundle under one list of hashes: a changed byte is found before anything is used."""

from __future__ import annotations

import hashlib
import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.errors import DataError, Fault
from rag_sweep.files import sync_folder, write_whole
from rag_sweep.fingerprint import fingerprint

FORMAT = 1
"""The version of a bundle; another one isn't read."""

MANIFEST = "manifest.json"

_NAME = re.compile(r"[A-Za-z0-9][\w-]*(?:\.[\w-]+)*(?:/[A-Za-z0-9][\w-]*(?:\.[\w-]+)*)?", re.ASCII)
"""A file of a bundle: at most one folder deep, and no way out of it."""

_HASH = re.compile(r"[0-9a-f]{64}")
_LONGEST = 1 << 24  # bytes of a manifest
_AGAIN = "promote it again, or restore the files as they were registered"


@dataclass(frozen=True)
class Manifest:
    """What a bundle holds.

    Attributes
    ----------
    name
        Of the model.
    code
        The version of package and stages that wrote it.
    created
        The day (UTC), as ``2026-11-30``.
    files
        The SHA-256 of each file by its name, in 64 hex digits.
    """

    name: str
    code: str
    created: str
    files: Mapping[str, str]

    @property
    def digest(self) -> str:
        """The hash of all of it: equal for equal bundles."""
        return fingerprint({"format": FORMAT, **vars(self)})

    def to_json(self) -> bytes:
        """The content of `MANIFEST`."""
        told = {"format": FORMAT, **vars(self), "digest": self.digest}
        return f"{json.dumps(told, indent=1, sort_keys=True)}\n".encode("ascii")


def write_files(folder: Path, manifest: Manifest, files: Mapping[str, bytes]) -> None:
    """Write a bundle into a folder that isn't there or is empty; the manifest comes last.

    Raises
    ------
    DataError
        If the folder holds something, and for a name that no file of a bundle may have.
    OSError
        If it can't be written.
    """
    for name in manifest.files:
        if not _NAME.fullmatch(name):
            allowed = "letters, digits, _, - and . are allowed"
            raise DataError(f"a file of a bundle can't be called {name!r:.120}: {allowed}")
    if folder.exists() and any(folder.iterdir()):
        raise DataError(Fault("must be a new or empty folder to take a bundle", file=folder))
    for name, content in {**files, MANIFEST: manifest.to_json()}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, file.with_name(f".{file.name}.new"), [content])
    sync_folder(folder)


def hash_of(content: bytes) -> str:
    """SHA-256, 64 hex digits."""
    return hashlib.sha256(content).hexdigest()


def read_files(folder: Path) -> tuple[Manifest, dict[str, bytes]]:
    """The manifest of a bundle, and every file that it lists, each as it was written.

    Files are read once: what was hashed is what is used.

    Raises
    ------
    DataError
        If the folder holds no bundle of this format, and for each file that is missing, changed, too many or
        no plain file.
    """
    if not folder.is_dir():
        raise DataError(Fault("there is no such folder", file=folder))
    manifest = _manifest(folder)
    there, faults = _there(folder)
    files: dict[str, bytes] = {}
    for name, wanted in manifest.files.items():
        if name not in there:
            faults.append(Fault(f"is missing; {_AGAIN}", file=folder / name))
            continue
        files[name] = (folder / name).read_bytes()
        if (found := hash_of(files[name])) != wanted:
            told = f"has changed: its SHA-256 is {found[:12]}…, the manifest says {wanted[:12]}…; {_AGAIN}"
            faults.append(Fault(told, file=folder / name))
    extra = sorted(there - manifest.files.keys() - {MANIFEST})
    faults += [Fault("doesn't belong to the bundle; take it away", file=folder / name) for name in extra]
    if faults:
        raise DataError(faults)
    return manifest, files


def plain_json(content: bytes, file: Path) -> Any:
    """JSON without NaN and without a key twice.

    Raises
    ------
    DataError
        Naming the file.
    """
    try:
        return json.loads(content, object_pairs_hook=_once, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise DataError(Fault(f"can't be read as JSON: {error}", file=file)) from error


def _manifest(folder: Path) -> Manifest:
    file = folder / MANIFEST
    if not file.is_file() or file.is_symlink():
        raise DataError(Fault(f"holds no champion: there is no {MANIFEST} in it", file=folder))
    if file.stat().st_size > _LONGEST:
        raise DataError(Fault(f"is larger than any manifest ({_LONGEST:,} bytes)", file=file))
    told = plain_json(file.read_bytes(), file)
    if not isinstance(told, dict) or told.get("format") != FORMAT:
        found = told.get("format") if isinstance(told, dict) else None
        kind = "none" if found is None else f"a bundle of format {found!r:.40}"
        raise DataError(Fault(f"this version reads bundles of format {FORMAT}, this is {kind}", file=file))
    texts = all(isinstance(told.get(key), str) for key in ("name", "code", "created", "digest"))
    if told.keys() != {"format", "name", "code", "created", "files", "digest"} or not texts:
        raise DataError(Fault("has other keys than a manifest", file=file))
    _check_names(told["files"], file)
    made = Manifest(told["name"], told["code"], told["created"], told["files"])
    if made.digest != told["digest"]:
        raise DataError(Fault(f"has changed: its digest isn't that of its content; {_AGAIN}", file=file))
    return made


def _check_names(files: Any, manifest: Path) -> None:
    if not isinstance(files, dict):
        raise DataError(Fault('"files" must be an object of file names and hashes', file=manifest))
    for name, digest in files.items():
        if not _NAME.fullmatch(name) or name == MANIFEST:
            raise DataError(Fault(f"names a file that no bundle may hold: {name!r:.120}", file=manifest))
        if not isinstance(digest, str) or not _HASH.fullmatch(digest):
            raise DataError(Fault(f"has no SHA-256 for {name}", file=manifest))


def _there(folder: Path) -> tuple[set[str], list[Fault]]:
    """Names of the plain files below a folder; a link or a device is a fault, and never followed."""
    found, faults = set(), []
    for path in _walked(folder):
        if stat.S_ISREG(path.lstat().st_mode):
            found.add(path.relative_to(folder).as_posix())
        else:
            faults.append(Fault("is a link or no plain file, which a bundle never holds", file=path))
    return found, faults


def _walked(folder: Path) -> Iterator[Path]:
    """Everything below a folder that is no folder."""
    with os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda one: one.name):
            if entry.is_dir(follow_symlinks=False):
                yield from _walked(Path(entry.path))
            else:
                yield Path(entry.path)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key stands twice in one object")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")
