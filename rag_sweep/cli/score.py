"""`rag-sweep score`: rankings that another system made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_sweep.cli.paths import path_argument, path_option
from rag_sweep.cli.screen import note, screen_width, show, show_json

if TYPE_CHECKING:
    from rag_sweep.scoring import Score


def score(
    rankings: Annotated[
        Path, path_argument("RANKINGS", "TREC run file, or JSONL of id and retrieved_doc_ids.")
    ],
    overrides: Annotated[list[str] | None, typer.Argument(help="dataset=…, k=…, cutoffs=[…]")] = None,
    gold: Annotated[Path | None, path_option("--gold", "GOLD JSONL, without its documents.")] = None,
    report: Annotated[
        Path | None, path_option("--against", "A report of rag-sweep gate, to compare with.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all values, of every question too.")] = False,
) -> None:
    """Measure rankings made by another system, with the same measures; nothing is retrieved.

    \b
    rag-sweep score run.trec dataset=beir dataset.path=scifact
    rag-sweep score run.jsonl --gold gold.jsonl k=5 cutoffs=[1,5]
    rag-sweep score run.jsonl                      (with expected_doc_ids in its lines)
    rag-sweep score run.jsonl --gold gold.jsonl --against report/report.json

    Exit code 3 if gold, filters or k of the report are others; other documents are only said.
    """
    from rag_sweep.scoring import score as measure
    from rag_sweep.scoring import score_json

    found = measure(rankings, gold, overrides or [])
    for text in _notes(found):
        note(f"note: {text}")
    beside = _beside(found, report)
    if as_json:
        show_json(score_json(found) if beside is None else {**score_json(found), "against": beside})
        return
    from rag_sweep.report.leaderboard import caption, sheet

    title = f"{rankings.name}: {caption(found.gold, found.settings)}"
    index = found.rankings.index_version
    show(
        title,
        sheet(found.evaluation.means(), found.settings),
        *([f"index version: {index}"] if index else []),
        *_differences(beside),
    )


def _beside(found: Score, report: Path | None) -> dict[str, Any] | None:
    """The same beside a report, under the rules of the gate."""
    if report is None:
        return None
    from rag_sweep.gate.against import against

    return against(found, report)


def _differences(beside: dict[str, Any] | None) -> list[Any]:
    if beside is None:
        return []
    from rag_sweep.report.comparison_text import fitting, table
    from rag_sweep.report.gate_rows import captions, difference_columns, question_lines

    shown = fitting(difference_columns(beside), screen_width())
    return ["", *captions(beside)[1:], "", table(shown), "", *question_lines(beside)]


def _notes(found: Score) -> list[str]:
    from rag_sweep.report.leaderboard import plural

    notes = list(found.rankings.warnings)
    if found.missing:
        notes.append(
            f"no ranking for {plural(len(found.missing), 'question')}, counting 0: {_some(found.missing)}"
        )
    if found.unknown:
        notes.append(
            f"{plural(len(found.unknown), 'ranking')} of no question, left out: {_some(found.unknown)}"
        )
    return notes


def _some(ids: tuple[str, ...]) -> str:
    return ", ".join(ids[:5]) + (", …" if len(ids) > 5 else "")
