"""Prompts: versioned files, ``conf/prompts/<name>/<language>.yaml``; the user's own win."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rag_sweep.errors import ConfigError
from rag_sweep.fingerprint import fingerprint
from rag_sweep.llm.calls import Message

FOLDER = "prompts"


@dataclass(frozen=True)
class Prompt:
    """A text with places for what is asked about.

    Attributes
    ----------
    version
        As its file declares it.
    """

    name: str
    language: str
    version: str
    system: str
    user: str

    @property
    def label(self) -> str:
        """Name, language, version and the beginning of its hash: what a report says of it."""
        return f"{self.name}.{self.language} {self.version} {fingerprint([self.system, self.user])[:8]}"

    def messages(self, **values: str) -> tuple[Message, ...]:
        """Fill the places; a brace in a value is what it is."""
        first = (Message("system", self.system.format(**values)),) if self.system.strip() else ()
        return (*first, Message("user", self.user.format(**values).strip()))


@dataclass(frozen=True)
class Prompts:
    """Where prompts are looked for, the user's own first."""

    folders: tuple[Path, ...]

    def get(self, name: str, language: str, places: Sequence[str]) -> Prompt:
        """A prompt by name and language.

        Raises
        ------
        ConfigError
            If there is none, or if it isn't made as it must be.
        """
        for folder in self.folders:
            file = folder / FOLDER / name / f"{language}.yaml"
            if file.is_file():
                return _read(file, name, language, tuple(places))
        looked = ", ".join(str(folder / FOLDER / name) for folder in self.folders)
        raise ConfigError(f"there is no prompt {name}/{language}.yaml: looked in {looked}")


@lru_cache(maxsize=128)
def _read(file: Path, name: str, language: str, places: tuple[str, ...]) -> Prompt:
    import yaml

    try:
        data: Any = yaml.safe_load(file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConfigError(f"{file} can't be read: {' '.join(str(error).split())}") from error
    prompt = _made(data, file, name, language)
    try:
        used = [found for text in (prompt.system, prompt.user) for found in string.Formatter().parse(text)]
    except ValueError as error:
        raise ConfigError(f"{file}: {error}; a brace of the text itself is written twice") from error
    fields = {field for _, field, *_ in used if field is not None}
    formed = {field for _, field, form, conversion in used if field is not None and (form or conversion)}
    wrong, missing = sorted((fields - set(places)) | formed), sorted(set(places) - fields)
    if wrong or missing:
        what = f"{{{wrong[0]}}} stands for nothing" if wrong else f"{{{missing[0]}}} is missing"
        if wrong and wrong[0] in formed & set(places):
            what = f"{{{wrong[0]}}} must stand alone in its braces"
        raise ConfigError(f"{file}: {what}; its places are {', '.join(f'{{{place}}}' for place in places)}")
    return prompt


def _made(data: Any, file: Path, name: str, language: str) -> Prompt:
    if not isinstance(data, dict) or set(data) != {"version", "system", "user"}:
        raise ConfigError(f"{file} must have version, system and user, and nothing else")
    version, system, user = data["version"], data["system"] or "", data["user"]
    if isinstance(version, dict | list) or version in (None, ""):
        raise ConfigError(f"{file}: version must be a number or a text")
    if not isinstance(system, str) or not isinstance(user, str) or not user.strip():
        raise ConfigError(f"{file}: system and user must be texts, and user not empty")
    return Prompt(name, language, str(version), system, user)
