"""`rag-sweep gold rescore`: kept results under another version of the GOLD."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rag_sweep.cli.gold_options import AsJson, ConfigDir, Partial, Words
from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note, screen_width, show, show_json
from rag_sweep.cli.streams import results_apart


def rescore(
    words: Words = None,
    gold: Annotated[
        Path | None, path_option("--gold", "The new version: a GOLD file; else that of dataset=….")
    ] = None,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Questions shown for each flip.")] = 10,
    partial: Partial = False,
    as_json: AsJson = False,
    config_dir: ConfigDir = None,
) -> None:
    """Measure kept rankings by a new version of the GOLD, and say which decisions flip.

    \b
    rag-sweep gold rescore --gold gold-2.jsonl                       everything that is kept
    rag-sweep gold rescore --gold gold-2.jsonl 20261130-021500-a1b2c3
    rag-sweep gold rescore dataset=beir dataset.path=scifact dataset.split=test-2

    Nothing is retrieved, and nothing that is kept is changed.
    """
    from rag_sweep.errors import UsageError
    from rag_sweep.goldlife.opened import dataset_words
    from rag_sweep.goldlife.rescore import rescore as run
    from rag_sweep.goldlife.telling_sweeps import rescoring_text

    given = words or []
    if gold is None and not dataset_words(given):
        raise UsageError("which gold? Give --gold FILE, or the dataset: dataset=beir dataset.path=…")
    with results_apart():
        done = run(given, gold, partial=partial, config_dir=config_dir)
    for text in done.notes:
        note(f"note: {text}")
    if as_json:
        show_json(done.to_dict())
    else:
        show(*rescoring_text(done, limit, screen_width()))
