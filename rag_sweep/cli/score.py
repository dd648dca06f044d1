"""`rag-sweep score`: rankings that another system made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.screen import note, show, show_json

if TYPE_CHECKING:
    from rag_sweep.scoring import Score


def score(
    rankings: Annotated[Path, typer.Argument(help="TREC run file, or JSONL of id and retrieved_doc_ids.")],
    overrides: Annotated[list[str] | None, typer.Argument(help="dataset=…, k=…, cutoffs=[…]")] = None,
    gold: Annotated[Path | None, typer.Option("--gold", help="GOLD JSONL, without its documents.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print all values, of every question too.")] = False,
) -> None:
    """Measure rankings made by another system, with the same measures; nothing is retrieved.

    \b
    rag-sweep score run.trec dataset=beir dataset.path=scifact
    rag-sweep score run.jsonl --gold gold.jsonl k=5 cutoffs=[1,5]
    rag-sweep score run.jsonl                      (with expected_doc_ids in its lines)
    """
    from rag_sweep.scoring import score as measure
    from rag_sweep.scoring import score_json

    found = measure(rankings, gold, overrides or [])
    for text in _notes(found):
        note(f"note: {text}")
    if as_json:
        show_json(score_json(found))
        return
    from rag_sweep.report.leaderboard import caption, sheet

    title = f"{rankings.name}: {caption(found.gold, found.settings)}"
    index = found.rankings.index_version
    show(
        title,
        sheet(found.evaluation.means(), found.settings),
        *([f"index version: {index}"] if index else []),
    )


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
