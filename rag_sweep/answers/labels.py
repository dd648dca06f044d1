"""Tables that people have labelled, beside what a judge said of the same answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_sweep.agreement.agreed import YES_NO, Scale
from rag_sweep.answers.reading import has_texts
from rag_sweep.answers.sampling import NOTE, PASS, TEXTS, cell
from rag_sweep.dataset.fields import nearest
from rag_sweep.dataset.spreadsheet import Line, read_table, unguarded
from rag_sweep.errors import DataError, Fault
from rag_sweep.judges.known import JUDGES

YES = frozenset({"yes", "y", "true", "да", "д", "истина"})
NO = frozenset({"no", "n", "false", "нет", "н", "ложь"})
UNSURE = frozenset({"?", "n/a", "na", "unsure", "не знаю", "н/д"})
"""Whoever labels can't tell, or the question makes no sense of this answer."""


@dataclass(frozen=True)
class Labels:
    """What a person said.

    Attributes
    ----------
    file
        Where it was read from.
    scales
        Of each column that has a label.
    given
        By column and id of the case: the place on the scale.
    unsure
        By column: how many cells say that it can't be told.
    rows
        Cases in the table.
    """

    file: Path
    scales: Mapping[str, Scale]
    given: Mapping[str, Mapping[str, int]]
    unsure: Mapping[str, int]
    rows: int


def read_labels(path: Path, evaluation: Mapping[str, Any]) -> Labels:
    """Read a table that `rag-sweep answers sample` wrote, filled in.

    Every column that isn't a text is the name of something that the evaluation has judged. Cells are yes or
    no, 1 or 0, да or нет, a grade where the judge grades, ``?`` for "can't tell", or empty.

    Raises
    ------
    DataError
        With every cell that is none of these, by row and column; for cases that the evaluation hasn't got, or
        whose answer was another one; and if nothing at all is labelled.
    """
    lines = _with_ids(read_table(path, ("id",), ()), evaluation)
    columns = _columns(lines, evaluation, path)
    faults = _strangers(lines, evaluation)
    scales, given, unsure = {}, {}, {}
    for name in columns:
        cells = [(line, line.cells[name].casefold()) for line in lines]
        scale = _scale(name, [text for _, text in cells])
        read = {line.cells["id"]: _read(line, name, text, scale, faults) for line, text in cells}
        there = {case: label for case, label in read.items() if label is not None}
        unsure[name] = sum(text in UNSURE for _, text in cells)
        if there:
            scales[name], given[name] = scale, there
    if faults:
        raise DataError(sorted(faults, key=lambda one: one.line or 0))
    if not given:
        raise DataError(Fault(f"has no label: fill in {', '.join(columns)}", path))
    return Labels(path, scales, given, unsure, len(lines))


def _with_ids(lines: Sequence[Line], evaluation: Mapping[str, Any]) -> list[Line]:
    """With the ids of the evaluation: a table's cells have lost the blanks at their ends."""
    ids = {unguarded(name.strip()).strip(): name for name in evaluation["cases"]}
    found = [(line, ids.get(line.cells["id"])) for line in lines]
    return [line if name is None else replace(line, cells={**line.cells, "id": name}) for line, name in found]


def _columns(lines: Sequence[Line], evaluation: Mapping[str, Any], path: Path) -> list[str]:
    judged = [one["rule"] for case in evaluation["cases"].values() for one in case["verdicts"]]
    known = list(dict.fromkeys((PASS, *judged)))
    there = [name for name in (lines[0].cells if lines else ()) if name not in ("", "id", NOTE, *TEXTS)]
    for name in there:
        if name not in known:
            near = nearest(name, known)
            hint = f" (is it {near}?)" if near else f"; it has {', '.join(known)}"
            raise DataError(
                Fault(f"has the column {name}, which the evaluation says nothing of{hint}", path, 1)
            )
    if lines and "answer" in lines[0].cells and not has_texts(evaluation):
        told = (
            "has the column answer, and the evaluation was kept without texts: nobody can see if they belong"
        )
        more = "give the evaluation that answers judge --json printed, or leave that column out"
        raise DataError(Fault(f"{told}; {more}", path, 1))
    if not there:
        raise DataError(Fault(f"has no column to label, such as {', '.join(known[:4])}", path))
    return there


def _strangers(lines: Sequence[Line], evaluation: Mapping[str, Any]) -> list[Fault]:
    """Rows that aren't about what was judged, or are there twice."""
    faults, seen = [], set()
    for line in lines:
        name = line.cells["id"]
        case = evaluation["cases"].get(name)
        if case is None:
            faults.append(line.place.fault("no case of the evaluation has this id", name or None))
        elif name in seen:
            faults.append(line.place.fault("this id is there twice", name))
        elif "answer" in line.cells and not _same(line.cells["answer"], case["answer"] or ""):
            faults.append(line.place.fault("the evaluation is of another answer to it", name))
        seen.add(name)
    return faults


def _same(labelled: str, judged: str) -> bool:
    """Spreadsheets change line ends and blanks, and some take the guard against formulas away."""
    return unguarded(labelled).split() == unguarded(cell(judged)).split()


def _scale(name: str, cells: Sequence[str]) -> Scale:
    """Grades where the judge grades, unless all is said in words."""
    highest = JUDGES[name].highest if name in JUDGES else None
    if highest is None or all(text in YES | NO | UNSURE | {""} for text in cells):
        return YES_NO
    return Scale(tuple(str(grade) for grade in range(highest + 1)), "quadratic")


def _read(line: Line, name: str, text: str, scale: Scale, faults: list[Fault]) -> int | None:
    if not text or text in UNSURE:
        return None
    if scale is not YES_NO and text in scale.labels:
        return scale.labels.index(text)
    if scale is YES_NO and (text in YES or text == "1"):
        return 1
    if scale is YES_NO and (text in NO or text == "0"):
        return 0
    allowed = "yes or no (1 or 0, да or нет)"
    if scale is not YES_NO:
        allowed = f"a grade from {scale.labels[0]} to {scale.labels[-1]}"
    told = f"the column {name} must have {allowed}, ? or nothing, got {line.cells[name]!r:.60}"
    faults.append(line.place.fault(told, line.cells["id"] or None))
    return None
