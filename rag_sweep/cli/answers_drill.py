"""`rag-sweep answers drill`: would the rules notice an answer that is wrong?"""

from __future__ import annotations

from typing import Annotated

import typer

from rag_sweep.cli.answers_options import Answers, AsJson, Cases, ConfigDir, Overrides, Seed
from rag_sweep.cli.screen import screen_width, show, show_json
from rag_sweep.cli.streams import results_apart


def drill(
    cases: Cases,
    answers: Answers,
    overrides: Overrides = None,
    least: Annotated[float, typer.Option("--least", help="Share that must fail for a catch.")] = 0.5,
    only: Annotated[list[str] | None, typer.Option("--only", help="Key of a sabotage; several.")] = None,
    required: Annotated[
        int | None,
        typer.Option("--require-caught", min=0, help="So many must be caught; without it all that apply."),
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
    config_dir: ConfigDir = None,
) -> None:
    """Break answers on purpose, and say which rule notices: offline, nothing is changed on disk.

    \b
    rag-sweep answers drill --cases cases.jsonl --answers answers.jsonl
    rag-sweep answers drill --cases cases.jsonl --answers answers.jsonl 'rules.pass_rules=[citations]'

    Exit code 0: every sabotage that applies is caught (or as many as --require-caught says). 1: one isn't.
    """
    from rag_sweep.answers.drill import drill as run
    from rag_sweep.answers.request import AnswersRequest
    from rag_sweep.cases.reading import read_answers, read_cases
    from rag_sweep.report.answers_drill import answers_drill_text

    with results_apart():
        request = AnswersRequest.of(overrides or [], config_dir)
        found = run(
            read_cases(cases), read_answers(answers), request.rules, least=least, seed=seed, only=only or ()
        )
    if as_json:
        show_json(found.to_dict())
    else:
        show(*answers_drill_text(found.to_dict(), screen_width()))
    if not found.is_passed(required):
        raise typer.Exit(1)
