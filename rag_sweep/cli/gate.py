"""`rag-sweep gate`: for CI, whether search is as good as it has to be, and no worse than it was."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rag_sweep.checks import named_share
from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import chosen, note, screen_width, show, show_json, show_text
from rag_sweep.cli.streams import results_apart
from rag_sweep.errors import UsageError

if TYPE_CHECKING:
    from rag_sweep.gate.request import Wish
    from rag_sweep.gate.run import Gated


class Format(StrEnum):
    """What is printed."""

    TEXT = "text"
    MD = "md"
    JUNIT = "junit"
    JSON = "json"


class ModeName(StrEnum):
    """How a drop is judged."""

    REGRESSION = "regression"
    NON_INFERIORITY = "non_inferiority"


def _option(name: str, told: str) -> Any:
    return typer.Option(name, help=told)


Overrides = Annotated[list[str] | None, typer.Argument(metavar="[OVERRIDE]...", help="As of run.")]
Minima = Annotated[list[str] | None, _option("--min", "recall@5=0.80, or TAG:recall@5=0.80; several.")]
Drops = Annotated[
    list[str] | None, _option("--max-drop", "0.03 (every measure at k), or recall@5=0.03; several.")
]
Baseline = Annotated[str | None, _option("--baseline", "champion, a report, SWEEP:INDEX, an MLflow run.")]
Mode = Annotated[ModeName | None, _option("--mode", "How a drop is judged.")]
Alpha = Annotated[float | None, _option("--alpha", "1 - the confidence of intervals; 0.05.")]
Tags = Annotated[list[str] | None, _option("--tag", "Only the questions with it; several.")]
Known = Annotated[Path | None, path_option("--known-misses", "Ids of questions known to fail, one a line.")]
Limits = Annotated[Path | None, path_option("--thresholds", "YAML: each threshold with reason and date.")]
Before = Annotated[
    Path | None, path_option("--thresholds-before", "Its former version: none may sink in silence.")
]
SameCorpus = Annotated[bool, _option("--same-corpus", "Refuse a baseline over other documents.")]
Suggest = Annotated[bool, _option("--suggest", "Print thresholds from the history; judge nothing.")]
Rankings = Annotated[Path | None, path_option("--rankings", "Judge another system: TREC or JSONL, as score.")]
Gold = Annotated[Path | None, path_option("--gold", "For --rankings: a GOLD without its documents.")]
Out = Annotated[Path | None, path_option("--out", "A folder for report.json, report.md and junit.xml.")]
Form = Annotated[Format | None, typer.Option("--format", help="What to print.", show_default="text")]
AsJson = Annotated[bool, _option("--json", "The same as --format json.")]
Model = Annotated[str | None, _option("--model", "The registered model that champion belongs to.")]
Trust = Annotated[bool, _option("--trust", "Import components of a champion that aren't ours.")]
ConfigDir = Annotated[str | None, _option("--config-dir", "A folder with configs of yours.")]
Answers = Annotated[
    Path | None, path_option("--answers", "Judge answers: what answers judge --json printed.")
]
Agreement = Annotated[Path | None, path_option("--agreement", "What answers agree --out wrote: for judges.")]


class Given(NamedTuple):
    """The options of the command, by their names there; `Given()` is a command without any."""

    overrides: list[str] | None = None
    minima: list[str] | None = None
    drops: list[str] | None = None
    baseline: str | None = None
    mode: ModeName | None = None
    alpha: float | None = None
    tags: list[str] | None = None
    known_misses: Path | None = None
    thresholds: Path | None = None
    thresholds_before: Path | None = None
    same_corpus: bool = False
    suggest: bool = False
    rankings: Path | None = None
    gold: Path | None = None
    out: Path | None = None
    form: Format | None = None
    as_json: bool = False
    model: str | None = None
    trust: bool = False
    config_dir: str | None = None
    answers: Path | None = None
    agreement: Path | None = None

    @property
    def wish(self) -> Wish:
        """What is judged by what; errors as of `wish_of`."""
        from rag_sweep.gate.words import wish_of

        return wish_of(
            self.minima or (),
            self.drops or (),
            baseline=self.baseline,
            mode=None if self.mode is None else str(self.mode),
            alpha=self.alpha,
            tags=tuple(self.tags or ()),
            known_misses=self.known_misses,
            thresholds=self.thresholds,
            thresholds_before=self.thresholds_before,
            same_corpus=self.same_corpus,
            rankings=self.rankings,
            gold=self.gold,
            model=self.model,
            trust=self.trust,
        )


def gate(
    overrides: Overrides = None,
    minima: Minima = None,
    drops: Drops = None,
    baseline: Baseline = None,
    mode: Mode = None,
    alpha: Alpha = None,
    tags: Tags = None,
    known_misses: Known = None,
    thresholds: Limits = None,
    thresholds_before: Before = None,
    same_corpus: SameCorpus = False,
    suggest: Suggest = False,
    rankings: Rankings = None,
    gold: Gold = None,
    out: Out = None,
    form: Form = None,
    as_json: AsJson = False,
    model: Model = None,
    trust: Trust = False,
    config_dir: ConfigDir = None,
    answers: Answers = None,
    agreement: Agreement = None,
) -> None:
    """Judge a configuration on the GOLD: what the overrides choose, else the promoted one, else the current.

    \b
    rag-sweep gate --min recall@5=0.80                             a floor
    rag-sweep gate --max-drop 0.03 --baseline main/report.json     no worse than the main branch
    rag-sweep gate --thresholds thresholds.yaml --out report       what a project agreed on
    rag-sweep gate lexical.k1=0.9 --max-drop recall@5=0.02 --baseline champion
    rag-sweep gate --suggest > thresholds.yaml
    rag-sweep gate --answers evaluation.json --min pass_at_1=0.8

    Exit code 0: passed. 1: something that was judged fails. 3: nothing fails, but something can't be judged.
    2: wrong input. Nothing is left anywhere but in --out, and computed values in the store.
    """
    given = Given(**locals())
    shape = _checked_early(given)
    if answers is not None or agreement is not None:
        _judge_answers(given, shape)
    elif suggest:
        _suggest(given)
    else:
        _judge(given, shape)


def _checked_early(given: Given) -> Format:
    """Tell what is mistyped at once, before the heavy imports; what is printed."""
    for word in given.minima or ():
        named_share(word, "--min")
    for word in given.drops or ():
        named_share(word, "--max-drop", "all")
    return chosen(Format, given.form, given.as_json)


def _judge(given: Given, form: Format) -> None:
    from rag_sweep.gate.run import gate as run
    from rag_sweep.gate.writing import checked_folder, write_report

    out = given.out
    if out is not None:
        checked_folder(out)
    wish = given.wish
    with results_apart():
        found = run(given.overrides or [], wish, given.config_dir)
    for text in dict.fromkeys(found.notes):
        note(f"note: {text}")
    if out is not None:
        note(f"report: {write_report(found.report, out)}")
    _show(found, form)
    if found.verdict.exit_code:
        raise typer.Exit(found.verdict.exit_code)


def _judge_answers(given: Given, form: Format) -> None:
    from rag_sweep.answers.gating import gate_answers
    from rag_sweep.report import gate_answers as report

    if given.answers is None:
        raise UsageError("--agreement is about judges of answers: it needs --answers")
    taken = Given(given.overrides, given.minima, answers=given.answers, agreement=given.agreement)
    if given != taken._replace(form=given.form, as_json=given.as_json, config_dir=given.config_dir):
        told = "--answers goes with --min, --agreement, --format and --config-dir only"
        raise UsageError(f"{told}; rag-sweep answers compare shows a drop")
    with results_apart():
        found = gate_answers(
            given.answers, given.minima or (), given.agreement, given.overrides or [], given.config_dir
        )
    if form is Format.TEXT:
        show(*report.gate_answers_text(found.to_dict(), screen_width()))
    elif form is Format.MD:
        show_text(report.gate_answers_markdown(found.to_dict()))
    elif form is Format.JUNIT:
        show_text(report.gate_answers_junit(found.to_dict()))
    else:
        show_json(found.to_dict())
    if found.exit_code:
        raise typer.Exit(found.exit_code)


def _show(found: Gated, form: Format) -> None:
    if form is Format.TEXT:
        from rag_sweep.report.gate_text import gate_text

        show(*gate_text(found.report, screen_width()))
    elif form is Format.MD:
        from rag_sweep.report.gate_markdown import gate_markdown

        show_text(gate_markdown(found.report))
    elif form is Format.JUNIT:
        from rag_sweep.report.gate_junit import gate_junit

        show_text(gate_junit(found.report))
    else:
        from rag_sweep.gate.writing import report_json

        show_text(report_json(found.report))


def _suggest(given: Given) -> None:
    from rag_sweep.gate.suggest import suggest

    if given.out is not None:
        raise UsageError("--suggest prints thresholds to stdout: > thresholds.yaml keeps them")
    wish = given.wish
    with results_apart():
        found = suggest(given.overrides or [], wish, given.config_dir)
    for text in dict.fromkeys(found.notes):
        note(f"note: {text}")
    show_text(found.text)
