"""`rag-sweep gold migrate`: a new version of the GOLD for documents that have changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rag_sweep.cli.gold_options import AsJson, ConfigDir, GoldFile, Overrides, Version, with_folder
from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note, show, show_json
from rag_sweep.cli.streams import results_apart


def migrate(
    map_file: Annotated[Path, path_option("--map", "CSV with the columns old,new,reason[,offset].")],
    out: Annotated[Path, path_option("--out", "The new version; nothing is written over.")],
    overrides: Overrides = None,
    gold: GoldFile = None,
    documents: Annotated[
        Path | None, path_option("--documents", "The new documents: a folder or a JSONL file.")
    ] = None,
    reason: Annotated[str | None, typer.Option("--reason", help="For rows that have none.")] = None,
    version: Version = None,
    drop_emptied: Annotated[
        bool,
        typer.Option("--drop-emptied", help="Leave out questions that lose their last relevant document."),
    ] = False,
    as_json: AsJson = False,
    config_dir: ConfigDir = None,
) -> None:
    """Write a new version of the GOLD for documents that were renamed, split, joined or removed.

    \b
    rag-sweep gold migrate --map old-to-new.csv --out gold-2.jsonl --documents new-docs \\
        dataset=files dataset.documents=old-docs dataset.gold=gold.jsonl
    rag-sweep gold migrate --map old-to-new.csv --out gold-2.jsonl --gold gold.jsonl

    Every change stands with its reason in the log beside it, gold-2.jsonl.log.jsonl.
    """
    from rag_sweep.goldlife.migrate import Wanted
    from rag_sweep.goldlife.migrate import migrate as run
    from rag_sweep.goldlife.telling import migration_lines

    wanted = Wanted(map_file, out, gold, documents, reason, version, drop_emptied)
    with results_apart():
        done = run(with_folder(config_dir, overrides), wanted)
    for text in done.notes:
        note(f"note: {text}")
    if as_json:
        show_json(done.to_dict())
    else:
        show(*migration_lines(done))
