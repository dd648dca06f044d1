"""``conf/promoted/<name>.yaml``: the promoted configuration as an option of Hydra, to be run again."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.champion.components import FROZEN
from rag_sweep.config.folder import PROMOTED, USERS
from rag_sweep.errors import ConfigError
from rag_sweep.files import write_whole

_MARK = "# sha256 of what follows: "
_BY_HAND = "changed-by-hand"


@dataclass(frozen=True)
class Written:
    """The file, and the notes on what was there before."""

    file: Path
    notes: tuple[str, ...] = ()


def option_text(
    name: str, version: str, title: str, config: Mapping[str, Any], choices: Mapping[str, str]
) -> str:
    """The content of the file: options first, then every value, and a hash by which changes are seen."""
    import yaml

    groups = [key for key in FROZEN if key in choices]
    values = {key: _values(config[key]) for key in FROZEN if key in config}
    told = {
        "defaults": [{f"override /{group}": choices[group]} for group in groups],
        **{key: value for key, value in values.items() if value != {}},
    }
    body = yaml.safe_dump(told, allow_unicode=True, sort_keys=False, width=10_000)
    head = (
        "# @package _global_\n"
        f"# {name}, version {version}: {_line(title)}\n"
        f"# Written by `rag-sweep promote`. To run it again: rag-sweep run promoted={name}\n"
    )
    return f"{head}{_MARK}{_hash(body)}\n{body}"


def option_file(name: str, config_dir: str | None) -> Path:
    """Where the file is: in the user's config directory, or in ``conf/`` of the working directory."""
    return Path(config_dir or USERS) / PROMOTED / f"{name}.yaml"


def check_writable(name: str, config_dir: str | None) -> None:
    """Find out before anything is registered that the file can't be written.

    Raises
    ------
    ConfigError
        With the system's reason.
    """
    file = option_file(name, config_dir)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=file.parent):
            pass
    except OSError as error:
        raise ConfigError(f"{file} can't be written: {error.strerror or error}") from error


def write_option(name: str, text: str, config_dir: str | None) -> Written:
    """Write the file.

    A file that was changed by hand since it was written is kept under another name.

    Raises
    ------
    ConfigError
        If it can't be written.
    """
    file = option_file(name, config_dir)
    notes: list[str] = []
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        if (kept := _kept_apart(file, text)) is not None:
            notes.append(f"{file} was changed by hand: what it held is in {kept} now")
        write_whole(file, file.with_name(f".{file.name}.{os.getpid()}"), [text.encode("utf-8")])
    except OSError as error:
        raise ConfigError(f"{file} can't be written: {error.strerror or error}") from error
    return Written(file, tuple(notes))


def _kept_apart(file: Path, text: str) -> Path | None:
    """Move a file that isn't as it was written; None if there is nothing to keep."""
    if not file.exists():
        return None
    found = file.read_bytes()
    if found == text.encode("utf-8") or _is_untouched(found):
        return None
    number = 1
    while (kept := file.with_name(f"{file.stem}.{_BY_HAND}-{number}")).exists():
        number += 1
    os.replace(file, kept)
    return kept


def _is_untouched(content: bytes) -> bool:
    head, mark, rest = content.partition(_MARK.encode())
    digest, _, body = rest.partition(b"\n")
    return bool(mark) and head.startswith(b"# @package") and digest.decode("ascii", "replace") == _hash(body)


def _hash(body: str | bytes) -> str:
    return hashlib.sha256(body.encode("utf-8") if isinstance(body, str) else body).hexdigest()


def _values(node: Any) -> Any:
    """Without `_target_`, which is the option's; what looks like an interpolation is a plain text here."""
    if isinstance(node, Mapping):
        return {str(key): _values(value) for key, value in node.items() if key != "_target_"}
    if isinstance(node, list | tuple):
        return [_values(value) for value in node]
    return re.sub(r"(\\*)\$\{", r"\1\1\\${", node) if isinstance(node, str) else node


def _line(text: str) -> str:
    return " ".join(text.split())
