"""`rag-sweep answers sample`, `agree` and `drill`: how far what judges answers can be believed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rag_sweep.cli.answers_options import Budget, spending, with_budget
from rag_sweep.cli.screen import note, progress, screen_width, show, show_json
from rag_sweep.cli.streams import results_apart
from rag_sweep.errors import UsageError

if TYPE_CHECKING:
    from rag_sweep.agreement.agreed import Further
    from rag_sweep.answers.agreeing import Agreement
    from rag_sweep.answers.labels import Labels
    from rag_sweep.answers.request import AnswersRequest

Cases = Annotated[Path, typer.Option("--cases", help="JSONL of id, question, context, rubric.")]
Answers = Annotated[Path, typer.Option("--answers", help="JSONL of id and answer.")]
Overrides = Annotated[
    list[str] | None, typer.Argument(metavar="OVERRIDE", help="Of conf/answers.yaml: kappa=0.7")
]
ConfigDir = Annotated[str | None, typer.Option("--config-dir", help="A folder with configs of yours.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
Seed = Annotated[int, typer.Option("--seed", min=0, help="Another seed, another draw.")]


def sample(
    cases: Cases,
    answers: Answers,
    out: Annotated[Path, typer.Option("--out", help="CSV to write; it must not be there.")],
    evaluation: Annotated[
        Path | None, typer.Option("--evaluation", help="Of these answers: its verdicts are strata, unseen.")
    ] = None,
    size: Annotated[int, typer.Option("--size", min=1, help="Answers to draw.")] = 50,
    label: Annotated[
        list[str] | None, typer.Option("--label", help="A judge or rule to label beside pass; several.")
    ] = None,
    seed: Seed = 0,
    as_json: AsJson = False,
) -> None:
    """Draw a stratified random sample of answers for people to label, blind to the judge.

    \b
    rag-sweep answers sample --cases cases.jsonl --answers answers.jsonl --out label.csv
    rag-sweep answers sample --cases cases.jsonl --answers answers.jsonl --evaluation e.json --out label.csv

    Fill in yes or no (да, нет, 1, 0), of relevance a grade from 0 to 4, ? where it can't be told.
    """
    from rag_sweep.answers.sampling import sample as run
    from rag_sweep.cases.reading import read_answers, read_cases
    from rag_sweep.gate.evaluations import read_evaluation

    with results_apart():
        judged = None if evaluation is None else read_evaluation(evaluation)
        found = run(
            read_cases(cases),
            read_answers(answers),
            out,
            size=size,
            seed=seed,
            evaluation=judged,
            asked=label or (),
        )
    if found.cut:
        some = ", ".join(found.cut[:5])
        note(f"note: {len(found.cut)} cases have a text that is too long for a cell, and is cut: {some}")
    if as_json:
        show_json({"out": str(out), "drawn": len(found.ids), "of": found.of, "labels": list(found.labels)})
        return
    show(f"{len(found.ids)} of {found.of} answers in {out}, from {found.strata} strata")
    show(f"fill in {', '.join(found.labels)}, then: rag-sweep answers agree --labels {out} --evaluation …")


def agree(
    labels: Annotated[Path, typer.Option("--labels", help="The table of answers sample, filled in.")],
    evaluation: Annotated[Path, typer.Option("--evaluation", help="What answers judge --json printed.")],
    overrides: Overrides = None,
    second: Annotated[Path | None, typer.Option("--second", help="The same table by another person.")] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=0, help="Ask the judge N times more.")] = 0,
    swap: Annotated[bool, typer.Option("--swap", help="Ask the judge in reverse order too.")] = False,
    cases: Annotated[Path | None, typer.Option("--cases", help="For --repeat and --swap.")] = None,
    answers: Annotated[Path | None, typer.Option("--answers", help="For --repeat and --swap.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="JSON for the gate; it must not be there.")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Disagreements to show.")] = 10,
    as_json: AsJson = False,
    budget: Budget = None,
    config_dir: ConfigDir = None,
) -> None:
    """Compare rules and judges with people: kappa, biases, and whether a judge may decide anything.

    \b
    rag-sweep answers agree --labels label.csv --evaluation e.json --out agreement.json
    rag-sweep answers agree --labels label.csv --evaluation e.json --second other.csv
    rag-sweep answers agree --labels label.csv --evaluation e.json --repeat 2 --swap llm=openai
        --cases cases.jsonl --answers answers.jsonl

    A judge may decide where the lower end of its kappa reaches the config's kappa (0.6).
    """
    from rag_sweep.answers.writing import refuse_there, write_json
    from rag_sweep.report.answers_agreement import agreement_text

    if out is not None:
        refuse_there(out)
    with results_apart():
        again = _Again(repeat, swap, cases, answers)
        found = _agreed(labels, evaluation, second, again, with_budget(overrides, budget), config_dir)
    plain = found.to_dict()
    if out is not None:
        write_json(out, plain)
    for text in found.notes:
        note(f"note: {text}")
    if as_json:
        show_json(plain)
    else:
        show(*agreement_text(plain, found.evaluation["cases"], limit, screen_width()))


class _Again(NamedTuple):
    """Whether to ask again, and about what."""

    repeat: int
    swap: bool
    cases: Path | None
    answers: Path | None


def _agreed(
    labels: Path,
    evaluation: Path,
    second: Path | None,
    again: _Again,
    words: list[str],
    config_dir: str | None,
) -> Agreement:
    from rag_sweep.answers.agreeing import agree as run
    from rag_sweep.answers.labels import read_labels
    from rag_sweep.answers.reasking import with_judges
    from rag_sweep.answers.request import AnswersRequest
    from rag_sweep.gate.evaluations import read_evaluation

    data = read_evaluation(evaluation)
    first = read_labels(labels, data)
    other = None if second is None else read_labels(second, data)
    if not (again.repeat or again.swap):
        return run(data, first, AnswersRequest.of(words, config_dir).kappa, other)
    request = AnswersRequest.of(with_judges(data, first.given, words), config_dir)
    return run(data, first, request.kappa, other, _reasked(data, first, request, again))


def _reasked(
    data: dict[str, Any], first: Labels, request: AnswersRequest, again: _Again
) -> dict[str, Further]:
    from rag_sweep.answers.reasking import reask
    from rag_sweep.cases.reading import read_answers, read_cases

    if again.cases is None or again.answers is None:
        raise UsageError("--repeat and --swap ask again, so they need --cases and --answers")
    cases, answers = read_cases(again.cases), read_answers(again.answers)
    ids = list(dict.fromkeys(name for given in first.given.values() for name in given))
    with spending(request), progress("calls") as watch:
        return reask(data, cases, answers, ids, request, repeat=again.repeat, swap=again.swap, watch=watch)


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
