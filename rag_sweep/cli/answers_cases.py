"""`rag-sweep answers cases`: cases from the logs of a running system."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rag_sweep.cli.screen import note, show, show_json
from rag_sweep.cli.streams import results_apart


def cases(
    log: Annotated[
        Path, typer.Option("--from-log", help="JSONL of question, context (texts, or id and text), answer.")
    ],
    out: Annotated[Path, typer.Option("--out", help="JSONL of cases to write; it must not be there.")],
    sample: Annotated[int, typer.Option("--sample", min=1, help="How many lines are drawn.")] = 200,
    seed: Annotated[int, typer.Option("--seed", help="Of the draw: the same lines again.")] = 0,
    answers: Annotated[
        Path | None, typer.Option("--answers", help="JSONL of the answers to write; it must not be there.")
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

    Marks such as PERSON_A stay the same within a line. Patterns miss some: read what you pass on.
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
    told = ", ".join(f"{number} {kind}" for kind, number in found.masked.items())
    if as_json:
        counts = {"lines": found.lines, "cases": len(found.cases), "answers": len(found.answers)}
        show_json({**counts, "seed": seed, "masked": dict(found.masked), "out": str(out)})
    else:
        show(f"{len(found.cases)} cases of {found.lines} lines in {out}; masked: {told or 'nothing'}")
