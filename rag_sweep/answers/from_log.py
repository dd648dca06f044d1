"""Cases, and the answers that were given, from logs of a running system, with personal data masked."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_sweep.answers.masking.masker import Masker
from rag_sweep.cases.records import Answer, Case, Cases, Context
from rag_sweep.checks import is_count, require
from rag_sweep.dataset.fields import AN_ID, Say, as_id, errors_at, question_text, text_of, twice
from rag_sweep.dataset.jsonl import Row, read_rows, shown
from rag_sweep.errors import DataError, Fault
from rag_sweep.rules.markers import markers

KEYS = ("question", "context", "answer")


@dataclass(frozen=True, eq=False)
class FromLog:
    """What was sampled.

    Attributes
    ----------
    lines
        In the log.
    masked
        How many places were masked, by kind.
    people
        Different people among them; one that is in two lines counts twice.
    left_out
        Keys of the log that are in no case: an id of a log may be somebody's.
    """

    cases: Cases
    answers: Mapping[str, Answer]
    lines: int
    masked: Mapping[str, int]
    people: int
    left_out: tuple[str, ...]


def sample_log(path: Path, sample: int, seed: int = 0, *, mask: bool = True) -> FromLog:
    """A random sample of a log, without replacement, in its order; all of it if it isn't longer.

    A line is an object with ``question``, ``context`` (a list of texts, or of ``{"id", "text"}``) and
    ``answer``. A case is named after its line, ``log-17``; nothing else of the log is taken over.

    Raises
    ------
    DataError
        With every fault of the lines that were drawn, and of lines that aren't JSON.
    """
    require("--sample", sample, "an int >= 1", is_count(sample))
    faults: list[Fault] = []
    rows = read_rows(path, faults) or []
    if not rows and not faults:
        faults.append(Fault("has no lines", path))
    chosen = sorted(random.Random(seed).sample(range(len(rows)), min(sample, len(rows))))
    made = [_one(rows[at], faults, mask) for at in chosen]
    if faults:
        raise DataError(faults)
    counts: Counter[str] = Counter()
    for _, _, masker in made:
        counts.update(masker.counts)
    extra = dict.fromkeys(key for row in rows for key in row.values if key not in KEYS)
    return FromLog(
        Cases(tuple(case for case, _, _ in made)),
        {answer.id: answer for _, answer, _ in made if answer is not None},
        len(rows),
        dict(sorted(counts.items())),
        sum(masker.people for _, _, masker in made),
        tuple(extra),
    )


def _one(row: Row, faults: list[Fault], mask: bool) -> tuple[Case, Answer | None, Masker]:
    error = errors_at(row.place, faults)
    question = question_text(row.values, "question", error)
    context = _context(row.values, error)
    answer = text_of(row.values, "answer", error, "") or ""
    masker = Masker()
    if mask:
        masker.learn(question, *(part.text for part in context), answer)
        names = _masked_ids([part.id for part in context], masker)
        context = [Context(names[part.id], masker.mask(part.text)) for part in context]
        question, answer = masker.mask(question), _masked_answer(answer, names, masker)
    name = f"log-{row.place.line}"
    return (
        Case(name, question, tuple(context), tags=("log",)),
        Answer(name, answer, "log") if answer else None,
        masker,
    )


def _masked_ids(ids: list[str], masker: Masker) -> dict[str, str]:
    """Each id with its marks; two of one mark (a phone that is written in two ways) stay two ids."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for name in ids:
        own = masked = masker.mask(name)
        number = 1
        while masked in taken:
            number += 1
            masked = f"{own}-{number}"
        taken.add(masked)
        names[name] = masked
    return names


def _masked_answer(text: str, names: Mapping[str, str], masker: Masker) -> str:
    """With citations of renamed ids as these are called now; everything else goes through the masker."""
    parts, at = [], 0
    for marker in markers(text, names):
        if any(names.get(name, name) != name for name in marker.ids):
            cited = ", ".join(names.get(name) or masker.mask(name) for name in marker.ids)
            parts += [masker.mask(text[at : marker.start]), f"[{cited}]"]
            at = marker.end
    return "".join([*parts, masker.mask(text[at:])])


def _context(values: Mapping[str, Any], error: Say) -> list[Context]:
    given = values.get("context")
    parts = [given] if isinstance(given, str) else given
    if not isinstance(parts, list):
        error(f'"context" must be a list of texts, or of objects with "id" and "text", got {shown(given)}')
        return []
    found = [one for at, part in enumerate(parts) if (one := _part(at, part, error))]
    for name in twice([part.id for part in found]):
        error(f'"context" has the id "{name}" twice, so a citation of it says nothing')
    return found


def _part(at: int, given: object, error: Say) -> Context | None:
    """A text is named after its place, and so is an object without "id"."""
    part = {"text": given} if isinstance(given, str) else given
    if not isinstance(part, dict) or not isinstance(part.get("text"), str):
        error(f'"context"[{at}] must be a text, or an object with "id" and "text", got {shown(given)}')
        return None
    name = as_id(part.get("id", at + 1))
    if name is None:
        error(f'"id" of "context"[{at}] must be {AN_ID}, got {shown(part["id"])}')
        return None
    return Context(name, part["text"])
