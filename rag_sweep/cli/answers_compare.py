"""`rag-sweep answers compare`: two evaluations, case by case."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rag_sweep.cli.paths import path_argument
from rag_sweep.cli.screen import note, screen_width, show, show_json
from rag_sweep.cli.streams import results_apart


def compare(
    a: Annotated[Path, path_argument("A", "evaluation.json, or a finalist's folder.")],
    b: Annotated[Path, path_argument("B", "The same; B is compared with A.")],
    limit: Annotated[int, typer.Option("--limit", min=1, help="Changed cases to show.")] = 20,
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> None:
    """Compare two evaluations of the same cases, with the statistics that retrieval has.

    \b
    rag-sweep answers judge --cases cases.jsonl --answers old.jsonl --json > old.json
    rag-sweep answers judge --cases cases.jsonl --answers new.jsonl --json > new.json
    rag-sweep answers compare old.json new.json
    rag-sweep answers compare finalists/0 finalists/3
    """
    from rag_sweep.answers.comparing import compare as run
    from rag_sweep.answers.reading import read_evaluation
    from rag_sweep.report.answers_comparison import comparison_text

    with results_apart():
        found = run(read_evaluation(a), read_evaluation(b), (str(a), str(b)))
    for text in found.notes:
        note(f"note: {text}")
    if as_json:
        show_json(found.to_dict())
    else:
        show(*comparison_text(found.to_dict(), limit, screen_width()))
