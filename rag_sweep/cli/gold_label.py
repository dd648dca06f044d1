"""`rag-sweep gold label-next` and `add-judgements`: what to judge, and the way back."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from rag_sweep.cli.gold_options import (
    AsJson,
    ConfigDir,
    GoldFile,
    ItsDocuments,
    Overrides,
    Partial,
    Version,
    Words,
    with_folder,
)
from rag_sweep.cli.paths import path_argument, path_option
from rag_sweep.cli.screen import note, screen_width, show, show_json
from rag_sweep.cli.streams import results_apart


def label_next(
    words: Words = None,
    gold: Annotated[
        Path | None, path_option("--gold", "A newer version than the sweep's: a GOLD file.")
    ] = None,
    top: Annotated[int, typer.Option("--top", min=2, help="Configurations whose order matters.")] = 10,
    limit: Annotated[int, typer.Option("--limit", min=1, help="Documents to list.")] = 20,
    grade: Annotated[
        int | None, typer.Option("--grade", min=1, help="Of a relevant document; else the most common one.")
    ] = None,
    out: Annotated[Path | None, path_option("--out", "A CSV to fill in; nothing is written over.")] = None,
    partial: Partial = False,
    as_json: AsJson = False,
    config_dir: ConfigDir = None,
) -> None:
    """List the unjudged documents whose judgement would most change the order of the best configurations.

    \b
    rag-sweep gold label-next
    rag-sweep gold label-next 20261130-021500-a1b2c3 --top 5 --limit 50 --out to-label.csv
    rag-sweep gold label-next --gold gold-2.jsonl --out more.csv      after the first labels are in
    """
    from rag_sweep.goldlife.labelling import Asked
    from rag_sweep.goldlife.labelling import label_next as run
    from rag_sweep.goldlife.telling_sweeps import labelling_text

    with results_apart():
        done = run(words or [], Asked(gold, top, limit, grade, out, partial), config_dir)
    for text in done.notes:
        note(f"note: {text}")
    if as_json:
        show_json(done.to_dict())
    else:
        show(*labelling_text(done, screen_width()))


def add_judgements(
    table: Annotated[Path, path_argument("TABLE", "A CSV with the columns query_id, doc_id, grade.")],
    out: Annotated[Path, path_option("--out", "The new version; nothing is written over.")],
    overrides: Overrides = None,
    gold: GoldFile = None,
    documents: ItsDocuments = None,
    author: Annotated[str, typer.Option("--author", help="Who judged; for the log.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="For rows that have none.")] = "",
    version: Version = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Take the table's grade where the GOLD has another one.")
    ] = False,
    as_json: AsJson = False,
    config_dir: ConfigDir = None,
) -> None:
    """Write a new version of the GOLD with the grades of a table; rows without a grade are passed over.

    \b
    rag-sweep gold add-judgements to-label.csv --gold gold.jsonl --documents docs --out gold-2.jsonl
    rag-sweep gold add-judgements to-label.csv --out sci/qrels/test-2.tsv dataset=beir dataset.path=sci
    """
    from rag_sweep.goldlife.judging import Wish
    from rag_sweep.goldlife.judging import add_judgements as run
    from rag_sweep.goldlife.telling import judged_lines

    wish = Wish(table, out, gold, documents, version, author, reason, replace)
    with results_apart():
        done = run(with_folder(config_dir, overrides), wish)
    for text in done.notes:
        note(f"note: {text}")
    if as_json:
        show_json(done.to_dict())
    else:
        show(*judged_lines(done))
