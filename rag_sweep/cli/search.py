"""`rag-sweep search`: a configuration answers questions."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note, show, show_json
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.searching.search import Search

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="QUESTION [OVERRIDE]...", help="In quotes; - takes a question from each line."),
]
QueryId = Annotated[list[str] | None, typer.Option(help="Ask a question of the GOLD, and mark its answers.")]
Ranks = Annotated[int | None, typer.Option("--k", min=1, help="Documents to show; default: its k.")]
Explain = Annotated[bool, typer.Option("--explain", help="Say what each token and each branch adds.")]
Whole = Annotated[bool, typer.Option("--whole", help="Show passages to their end.")]
Champion = Annotated[str | None, typer.Option(help="What searches: models:/… or a folder.")]
Docs = Annotated[Path | None, path_option("--docs", "Documents without a GOLD: a folder, or a JSONL file.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print all of it as JSON.")]
Trust = Annotated[bool, typer.Option("--trust", help="Import components of your own that it needs.")]
ConfigDir = Annotated[str | None, typer.Option(help="A folder with configs of yours.")]


def search(
    words: Words = None,
    query_id: QueryId = None,
    k: Ranks = None,
    explain: Explain = False,
    whole: Whole = False,
    champion: Champion = None,
    docs: Docs = None,
    as_json: AsJson = False,
    trust: Trust = False,
    config_dir: ConfigDir = None,
) -> None:
    """Ask the promoted configuration, or the one that overrides choose, and see the passages.

    \b
    rag-sweep search "how do I get a day off"              the promoted one, else the one as shipped
    rag-sweep search "how do I get a day off" --explain    what each token and each branch adds
    rag-sweep search "how do I get a day off" fusion=lexical_only lexical.k1=0.9
    rag-sweep search --query-id q17                        a question of the GOLD: what it should find
    rag-sweep search - < questions.txt                     a question in each line
    rag-sweep search "how do I get a day off" --docs docs  documents of yours, without a GOLD

    It finds what a sweep finds, to the last digit. Nothing is tracked; the index is kept in the store.
    """
    from rag_sweep.report.printable import printable

    found = _ready(words or [], query_id or [], k, champion, docs, trust, config_dir)
    for text in (f"searching with {found.subject.told}", *(f"note: {one}" for one in found.notes)):
        note(printable(text))
    if as_json:
        with results_apart():
            data = found.to_dict(found.answers(), explain)
        show_json(data)
        return
    _show(found, explain, whole)


def _ready(
    words: list[str],
    query_ids: list[str],
    k: int | None,
    champion: str | None,
    docs: Path | None,
    trust: bool,
    config_dir: str | None,
) -> Search:
    from rag_sweep.searching.request import Wish, parted
    from rag_sweep.searching.search import search as make_ready

    questions, overrides = parted(words, bool(query_ids))
    wish = Wish(questions, tuple(query_ids), k, champion, docs, trust)
    with results_apart():
        return make_ready(overrides, wish, sys.stdin, config_dir)


def _show(found: Search, explain: bool, whole: bool) -> None:
    from rag_sweep.report.searching import answer_text

    answers = found.answers()
    first = True
    while True:
        with results_apart():
            one = next(answers, None)
        if one is None:
            return
        show(*([] if first else [""]), *answer_text(one.to_dict(explain), found.k, whole))
        first = False
