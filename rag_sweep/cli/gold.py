"""`rag-sweep gold`: the GOLD set itself."""

from __future__ import annotations

from typing import Annotated

import typer

from rag_sweep.cli import gold_add, gold_label, gold_migrate, gold_rescore
from rag_sweep.cli.screen import show, show_json
from rag_sweep.cli.streams import results_apart

app = typer.Typer(help="Look after the GOLD set.", no_args_is_help=True, rich_markup_mode=None)


@app.command(context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
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


app.command("migrate")(gold_migrate.migrate)
app.command("add")(gold_add.add)
app.command("rescore")(gold_rescore.rescore)
app.command("label-next")(gold_label.label_next)
app.command("add-judgements")(gold_label.add_judgements)
