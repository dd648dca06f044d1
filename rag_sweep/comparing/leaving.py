"""Leaving a report where it is looked for: with the sweep's run in MLflow, in its journal, or in a folder."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_sweep.comparing.finding import Found, journal_of
from rag_sweep.comparing.stores import Store
from rag_sweep.errors import ConfigError, TrackingError
from rag_sweep.files import write_whole
from rag_sweep.fingerprint import fingerprint
from rag_sweep.report.comparison_csv import leaderboard_csv
from rag_sweep.report.comparison_markdown import comparison_markdown

PAGE, DATA, MARKDOWN, TABLE = "comparison.html", "comparison.json", "comparison.md", "leaderboard.csv"
"""The files of a report."""

FOLDER = "comparison"
"""Where they are among the artifacts of a run."""


@dataclass(frozen=True)
class Left:
    """Where a report was left.

    Attributes
    ----------
    page
        The HTML file on this disk; None if there is none.
    run
        In words, the run of MLflow that has it too; None if none has.
    notes
        Why it isn't where it should be.
    """

    page: Path | None = None
    run: str | None = None
    notes: tuple[str, ...] = ()


class Report:
    """The files of a report, each made when it is asked for."""

    def __init__(self, data: Mapping[str, Any], detail: Mapping[str, Any]) -> None:
        self._data, self._detail = data, detail

    @cached_property
    def page(self) -> bytes:
        """The HTML page, which needs nothing else."""
        from rag_sweep.report.page.build import comparison_page

        return comparison_page(self._data, self._detail).encode("utf-8")

    @cached_property
    def all(self) -> dict[str, bytes]:
        """Every file by its name."""
        data = json.dumps(self._data, ensure_ascii=False, indent=1, allow_nan=False)
        return {
            PAGE: self.page,
            DATA: f"{data}\n".encode(),
            MARKDOWN: comparison_markdown(self._data).encode("utf-8"),
            TABLE: leaderboard_csv(self._data).encode("utf-8"),
        }


def leave(
    data: Mapping[str, Any], detail: Mapping[str, Any], found: Found, store: Store | None, out: Path | None
) -> Left:
    """Leave the report; that MLflow or the journal takes nothing is a note, and no failure.

    Parameters
    ----------
    store
        Whose runs get it; None for none.
    out
        A folder for all of its files; None leaves the page in the journal of the first sweep.

    Raises
    ------
    ConfigError
        If `out` can't be written.
    """
    report = Report(data, detail)
    page, note = (_in_journal(report, found), None) if out is None else (_written(report, out), None)
    if isinstance(page, str):
        page, note = None, page
    run, other = _in_mlflow(report, found, store)
    return Left(page, run, tuple(text for text in (note, other) if text))


def name_of(found: Found) -> str:
    """``comparison`` for a whole sweep; other choices of configurations get a name of their own."""
    if found.whole and len(found.sweeps) == 1:
        return FOLDER
    chosen = sorted((sweep.sweep_id, index) for sweep, index in found.places)
    return f"{FOLDER}-{fingerprint([list(one) for one in chosen])[:8]}"


def _written(report: Report, out: Path) -> Path:
    folder = out.absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in report.all.items():
            _put(folder / name, content)
    except OSError as error:
        raise ConfigError(f"--out {out} can't be written: {_reason(error)}") from error
    return folder / PAGE


def _in_journal(report: Report, found: Found) -> Path | str | None:
    """The page in the journal's folder; a text if it couldn't be written, None if there is no journal."""
    folder = journal_of(found.sweeps[0])
    if folder is None:
        return None
    file = folder / f"{name_of(found)}.html"
    try:
        _put(file, report.page)
    except OSError as error:
        return f"the page can't be written to {file}: {_reason(error)}; --out FOLDER writes it elsewhere"
    return file


def _in_mlflow(report: Report, found: Found, store: Store | None) -> tuple[str | None, str | None]:
    """The run that has it, and why none has; both are None where the sweep has no run."""
    if store is None:
        return None, None
    folder = name_of(found)
    try:
        attached = store.runs.attach(
            found.sweeps[0].sweep_id, {f"{folder}/{name}": content for name, content in report.all.items()}
        )
    except TrackingError as error:
        return None, f"the report isn't in MLflow: {error}"
    if attached is None:
        return None, None
    return f"run {attached.name!r} ({attached.run_id}), artifacts, {folder}/", None


def _put(file: Path, content: bytes) -> None:
    write_whole(file, file.with_name(f".{file.name}.{os.getpid()}"), [content])


def _reason(error: OSError) -> str:
    return error.strerror or str(error)
