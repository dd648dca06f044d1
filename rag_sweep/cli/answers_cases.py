"""`rag-sweep answers cases`: cases from the logs of a running system."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note, show, show_json
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.answers.from_log import FromLog


def cases(
    log: Annotated[
        Path, path_option("--from-log", "JSONL of question, context (texts, or id and text), answer.")
    ],
    out: Annotated[Path, path_option("--out", "JSONL of cases to write; it must not be there.")],
    sample: Annotated[int, typer.Option("--sample", min=1, help="How many lines are drawn.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Of the draw: the same lines again.")] = 0,
    answers: Annotated[
        Path | None, path_option("--answers", "JSONL of the answers to write; it must not be there.")
    ] = None,
    unmasked: Annotated[
        bool, typer.Option("--unmasked", help="Leave names, phones, mails and numbers as they are.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print what was done as JSON.")] = False,
) -> None:
    """Draw cases from a log, with names, phones, mails and numbers of documents masked.

    \b
    rag-sweep answers cases --from-log chat.jsonl --sample 200 --out cases.jsonl --answers answers.jsonl
    rag-sweep answers judge --cases cases.jsonl --answers answers.jsonl

    Marks such as PERSON_A stay the same within a line. Patterns miss some:
    read the file before you hand it on.
    """
    from rag_sweep.answers.from_log import sample_log
    from rag_sweep.answers.writing import refuse_there, write_answers, write_cases

    refuse_there(out, *([answers] if answers is not None else []))
    with results_apart():
        found = sample_log(log, sample, seed, mask=not unmasked)
        write_cases(out, found.cases)
        if answers is not None:
            write_answers(answers, list(found.answers.values()))
    if found.left_out:
        note(f"note: of the log only question, context and answer are taken, not {', '.join(found.left_out)}")
    if as_json:
        counts = {"lines": found.lines, "cases": len(found.cases), "answers": len(found.answers)}
        masked = {"masked": dict(found.masked), "people": found.people}
        show_json({**counts, "seed": seed, **masked, "out": str(out)})
    else:
        show(f"{len(found.cases)} cases of {found.lines} lines in {out}; masked: {_told(found, unmasked)}")
    files = f"{out} and {answers}" if answers is not None else str(out)
    missed = "nothing was masked" if unmasked else "patterns miss some names and numbers"
    note(f"note: {missed}: read {files} before you hand {'them' if answers is not None else 'it'} on")


def _told(found: FromLog, unmasked: bool) -> str:
    """Places by kind, the names of people first."""
    if unmasked or not found.masked:
        return "nothing"
    others = [f"{number} {kind}" for kind, number in found.masked.items() if kind != "PERSON"]
    names = found.masked.get("PERSON", 0)
    people = [f"{names} PERSON ({found.people} people, line by line)"] if names else []
    return ", ".join([*people, *others])
