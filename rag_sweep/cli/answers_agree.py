"""`rag-sweep answers sample` and `agree`: how far what judges answers can be believed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rag_sweep.cli.answers_options import (
    Answers,
    AsJson,
    Budget,
    Cases,
    ConfigDir,
    Overrides,
    Seed,
    spending,
    with_budget,
)
from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note, progress, screen_width, show, show_json
from rag_sweep.cli.streams import results_apart
from rag_sweep.errors import UsageError

if TYPE_CHECKING:
    from rag_sweep.agreement.agreed import Further
    from rag_sweep.answers.agreeing import Agreement
    from rag_sweep.answers.labels import Labels
    from rag_sweep.answers.request import AnswersRequest


def sample(
    cases: Cases,
    answers: Answers,
    out: Annotated[Path, path_option("--out", "CSV to write; it must not be there.")],
    evaluation: Annotated[
        Path | None, path_option("--evaluation", "Of these answers: its verdicts are strata, unseen.")
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
    from rag_sweep.answers.reading import read_evaluation
    from rag_sweep.answers.sampling import sample as run
    from rag_sweep.cases.reading import read_answers, read_cases

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
    labels: Annotated[Path, path_option("--labels", "The table of answers sample, filled in.")],
    evaluation: Annotated[Path, path_option("--evaluation", "What answers judge --json printed.")],
    overrides: Overrides = None,
    second: Annotated[Path | None, path_option("--second", "The same table by another person.")] = None,
    repeat: Annotated[int, typer.Option("--repeat", min=0, help="Ask the judge N times more.")] = 0,
    swap: Annotated[bool, typer.Option("--swap", help="Ask the judge in reverse order too.")] = False,
    cases: Annotated[Path | None, path_option("--cases", "For --repeat and --swap.")] = None,
    answers: Annotated[Path | None, path_option("--answers", "For --repeat and --swap.")] = None,
    out: Annotated[Path | None, path_option("--out", "JSON for the gate; it must not be there.")] = None,
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
        again = _Again(repeat, swap, cases, answers, budget)
        _refuse_idle(again, overrides or [])
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
    budget: str | None


def _refuse_idle(again: _Again, overrides: list[str]) -> None:
    """Refuse what would do nothing, where nothing is asked again."""
    from rag_sweep.answers.idle import refuse_idle
    from rag_sweep.answers.reasking import ASKING

    if again.repeat or again.swap:
        refuse_idle(overrides, ASKING, "judges are asked again, and nothing else is done again")
        return
    given = {"--cases": again.cases, "--answers": again.answers, "--budget": again.budget}
    if idle := [name for name, found in given.items() if found is not None]:
        raise UsageError(f"{' and '.join(idle)}: nothing is asked again without --repeat or --swap")
    refuse_idle(overrides, ("kappa",), "nothing is asked again without --repeat or --swap")


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
    from rag_sweep.answers.reading import read_evaluation
    from rag_sweep.answers.reasking import with_judges
    from rag_sweep.answers.request import AnswersRequest

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
