"""`rag-sweep answers`: are the answers true to their context? A layer apart from retrieval."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from rag_sweep.cli import answers_agree, answers_cases, answers_compare, answers_drill, answers_finalists
from rag_sweep.cli.answers_options import (
    Answers,
    AsJson,
    Budget,
    Cases,
    ConfigDir,
    Overrides,
    spending,
    track,
    with_budget,
)
from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import chosen, note, progress, screen_width, show, show_json, show_text
from rag_sweep.cli.streams import results_apart

app = typer.Typer(
    help="Judge written answers, by rules or by a model.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


class Format(StrEnum):
    """What is printed."""

    TEXT = "text"
    JSON = "json"
    MD = "md"
    CSV = "csv"


Form = Annotated[Format | None, typer.Option("--format", help="What to print.", show_default="text")]


@app.command(short_help="Judge answers by rules, and by a model where you have one.")
def judge(
    cases: Cases,
    answers: Answers,
    overrides: Overrides = None,
    form: Form = None,
    as_json: AsJson = False,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Failing cases to show.")] = 20,
    budget: Budget = None,
    config_dir: ConfigDir = None,
) -> None:
    """Judge answers to cases: citations, numbers, what must be said, and more; with a model, faithfulness.

    \b
    rag-sweep answers judge --cases cases.jsonl --answers answers.jsonl
    rag-sweep answers judge --cases cases.jsonl --answers answers.jsonl llm=openai 'judges=[faithfulness]'
    """
    from rag_sweep.answers.recording import record_of
    from rag_sweep.answers.request import AnswersRequest
    from rag_sweep.answers.running import judge as run
    from rag_sweep.cases.reading import read_answers, read_cases

    shape = chosen(Format, form, as_json)
    with results_apart():
        request = AnswersRequest.of(with_budget(overrides, budget), config_dir)
        with spending(request), progress("calls") as watch:
            found = run(read_cases(cases), read_answers(answers), request, watch)
    for text in found.notes:
        note(f"note: {text}")
    _show(found.to_dict(), shape, limit)
    track([record_of(found, request)], request)
    if silent := found.silent:
        note(f"nothing was measured by {', '.join(silent)}")
        raise typer.Exit(1)


def _show(data: dict[str, Any], form: Format, limit: int) -> None:
    from rag_sweep.report import answers as report

    if form is Format.JSON:
        show_json(data)
    elif form is Format.MD:
        show_text(report.answers_markdown(data))
    elif form is Format.CSV:
        show_text(report.answers_csv(data))
    else:
        show(*report.answers_text(data, limit, screen_width()))


@app.command(short_help="Write answers to cases; offline by default.")
def generate(
    cases: Cases,
    out: Annotated[Path, path_option("--out", "JSONL to write; it must not be there.")],
    overrides: Overrides = None,
    as_json: AsJson = False,
    budget: Budget = None,
    config_dir: ConfigDir = None,
) -> None:
    """Write answers to cases with the generator of the config; the default one works offline.

    \b
    rag-sweep answers generate --cases cases.jsonl --out answers.jsonl
    rag-sweep answers generate --cases cases.jsonl --out answers.jsonl generator=openai llm=openai
    """
    from rag_sweep.answers.request import AnswersRequest
    from rag_sweep.answers.running import generate as run
    from rag_sweep.answers.writing import refuse_there, write_answers
    from rag_sweep.cases.reading import read_cases

    with results_apart():
        refuse_there(out)  # before a model is paid for what can't be written
        request = AnswersRequest.of(with_budget(overrides, budget), config_dir)
        with spending(request), progress("answers") as watch:
            found = run(read_cases(cases), request, watch)
        write_answers(out, list(found.values()))
    failed = [answer for answer in found.values() if answer.failure]
    for answer in failed[:5]:
        note(f"note: no answer to {answer.id}: {answer.failure}")
    if as_json:
        show_json({"written": len(found), "failed": len(failed), "out": str(out)})
    else:
        show(f"{len(found)} answers in {out}" + (f", {len(failed)} of them failed" if failed else ""))
    if failed:
        raise typer.Exit(1)


OTHERS = (
    (answers_finalists.finalists, "What the best configurations of a sweep do to answers."),
    (answers_agree.sample, "Draw answers for people to label."),
    (answers_agree.agree, "Compare judges with people: kappa and biases."),
    (answers_drill.drill, "Break answers on purpose: which rule notices?"),
    (answers_compare.compare, "Two evaluations of the same cases, paired."),
    (answers_cases.cases, "Make masked cases of a log."),
)
"""Commands with a module of their own, each with its line in the help."""

for command, told in OTHERS:
    app.command(short_help=told)(command)
