"""`rag-sweep gold`: the GOLD set itself."""

from __future__ import annotations

from typing import Annotated

import typer

from rag_sweep.cli import gold_add, gold_label, gold_migrate, gold_rescore
from rag_sweep.cli.screen import show, show_json
from rag_sweep.cli.streams import results_apart

app = typer.Typer(help="Look after the GOLD set.", no_args_is_help=True, rich_markup_mode=None)


@app.command(
    short_help="Every fault of documents and GOLD, with its line.",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True},
)
def check(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Count, hash and check documents and GOLD; lists every fault with file, line and id.

    \b
    rag-sweep gold check dataset=files dataset.documents=docs dataset.gold=gold.jsonl
    rag-sweep gold check dataset=beir dataset.path=scifact dataset.split=train
    """
    from rag_sweep.goldcheck import check_gold, lines

    with results_apart():
        report = check_gold(context.args)
    if as_json:
        show_json(report.to_dict())
    else:
        show(*lines(report))
    if not report.ok:
        raise typer.Exit(2)


OTHERS = (
    (gold_migrate.migrate, "A new version for documents that were changed."),
    (gold_add.add, "Append a question; every byte before it stays."),
    (gold_rescore.rescore, "Measure kept rankings by a new version."),
    (gold_label.label_next, "What to judge next, most telling first."),
    (gold_label.add_judgements, "A new version with grades from a table."),
)
"""Commands with a module of their own, each with its line in the help."""

for command, told in OTHERS:
    app.command(short_help=told)(command)
