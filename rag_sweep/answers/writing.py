"""Files of answers and of cases, whole or not at all, and never over another."""

from __future__ import annotations

import json
import secrets
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.answers.reading import EVALUATION
from rag_sweep.cases.records import Answer, Cases
from rag_sweep.errors import UsageError
from rag_sweep.files import write_whole
from rag_sweep.report.answers import answers_csv, answers_markdown

CASES, ANSWERS = "cases.jsonl", "answers.jsonl"
TABLE, REPORT = "evaluation.csv", "evaluation.md"
"""The files of an evaluation."""


def write_answers(file: Path, answers: Sequence[Answer]) -> None:
    """One line an answer.

    Raises
    ------
    UsageError
        If the file is there already.
    """
    _write(file, (answer.to_dict() for answer in answers))


def write_cases(file: Path, cases: Cases) -> None:
    """One line a case; errors as of `write_answers`."""
    _write(file, (case.to_dict() for case in cases.cases))


def write_evaluation(found: Evaluation, folder: Path, about: Mapping[str, Any] | None = None) -> None:
    """All of an evaluation into a new folder: cases, answers, and the evaluation as JSON, CSV and Markdown.

    Parameters
    ----------
    about
        What the evaluation is of, under ``about`` in its JSON.

    Raises
    ------
    UsageError
        If one of the files is there already, or the folder can't be made.
    """
    data = found.to_dict() | ({"about": dict(about)} if about is not None else {})
    _folder(folder)
    write_cases(folder / CASES, found.cases)
    there = [found.answers[case.id] for case in found.cases.cases if case.id in found.answers]
    write_answers(folder / ANSWERS, there)
    write_json(folder / EVALUATION, data)
    _put(folder / TABLE, [answers_csv(data).encode()])
    _put(folder / REPORT, [answers_markdown(data).encode()])


@contextmanager
def new_folder(out: Path) -> Iterator[Path]:
    """A folder beside `out`, made at once, that gets its name when the block has ended without an error.

    So a name that can't be is told before anything is asked, and what has it is whole.

    Raises
    ------
    UsageError
        If `out` has something in it, or can't be made. If something came into it meanwhile, what was made
        stays beside it, and the error says where.
    """
    if not out.name and not out.is_absolute():
        raise UsageError("--out must be a folder, got an empty text")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError(f"--out {out} has something in it, and nothing is overwritten: give another folder")
    unfinished = out.absolute().with_name(f".{out.name}.{secrets.token_hex(4)}.new")
    try:
        unfinished.mkdir(parents=True)
    except OSError as error:
        raise UsageError(f"--out {out} can't be made: {error.strerror or error}") from error
    try:
        yield unfinished
    except BaseException:
        shutil.rmtree(unfinished, ignore_errors=True)
        raise
    try:
        if out.exists():
            out.rmdir()  # an empty one, or it fails
        unfinished.rename(out)
    except OSError as error:
        raise UsageError(f"--out {out} has something in it by now: all is in {unfinished}") from error


def write_json(file: Path, data: Mapping[str, Any]) -> None:
    """Plain data; errors as of `write_answers`."""
    text = json.dumps(data, ensure_ascii=False, indent=1, allow_nan=False)
    _put(file, [f"{text}\n".encode()])


def _folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"the folder {folder} can't be made: {error.strerror or error}") from error


def _write(file: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    _put(file, (f"{json.dumps(row, ensure_ascii=False)}\n".encode() for row in rows))


def refuse_there(*files: Path) -> None:
    """Refuse files that are there, or whose folder isn't, before anything is written. Raises UsageError."""
    if len({file.absolute() for file in files}) < len(files):
        raise UsageError(f"{files[0]} is named twice: each file needs a name of its own")
    for file in files:
        if not file.name:
            raise UsageError("a file to write must have a name, got an empty text")
        if file.exists():
            raise UsageError(f"{file} is there already, and nothing is overwritten: give another name")
        if not file.parent.is_dir():
            raise UsageError(f"{file.parent} is no folder")


def _put(file: Path, pieces: Iterable[bytes]) -> None:
    refuse_there(file)
    write_whole(file, file.with_name(f".{file.name}.new"), pieces)
