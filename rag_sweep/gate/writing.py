"""The files of a report: each is there whole or not at all, and only once everything is computed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_sweep.errors import ConfigError
from rag_sweep.files import write_whole
from rag_sweep.gate.files import REPORT
from rag_sweep.report.gate_junit import gate_junit
from rag_sweep.report.gate_markdown import gate_markdown

MARKDOWN, JUNIT = "report.md", "junit.xml"


def checked_folder(out: Path) -> None:
    """Refuse, before anything is computed, what can't become a folder.

    Raises
    ------
    ConfigError
        If it is a file, or has no name.
    """
    if not out.name and not out.is_absolute():
        raise ConfigError("--out must be a folder, got an empty text; . is the one you are in")
    if out.exists() and not out.is_dir():
        raise ConfigError(f"--out must be a folder, {out} is a file")


def write_report(report: Mapping[str, Any], out: Path) -> Path:
    """Write the report as JSON, Markdown and JUnit, each in place of one of before; gives the folder.

    Raises
    ------
    ConfigError
        If it can't be written.
    """
    files = {MARKDOWN: gate_markdown(report), JUNIT: gate_junit(report), REPORT: report_json(report)}
    folder = out.absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            write_whole(folder / name, folder / f".{name}.{os.getpid()}", [text.encode("utf-8")])
    except OSError as error:
        raise ConfigError(f"--out {out} can't be written: {error.strerror or error}") from error
    return folder


def report_json(report: Mapping[str, Any]) -> str:
    """The report as it is kept: one text for one verdict."""
    return json.dumps(report, ensure_ascii=False, indent=1, allow_nan=False) + "\n"
