"""`rag-sweep gold add`: an incident becomes a question."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_sweep.cli.gold_options import (
    AsJson,
    ConfigDir,
    GoldFile,
    ItsDocuments,
    Overrides,
    Version,
    with_folder,
)
from rag_sweep.cli.paths import path_option
from rag_sweep.cli.screen import note, show, show_json
from rag_sweep.cli.streams import results_apart

if TYPE_CHECKING:
    from rag_sweep.goldlife.asking import NewQuestion

Asked = Annotated[str, typer.Option("--question", help="As a user would ask it.")]
Source = Annotated[
    str, typer.Option("--source", help="feature, incident, log or invented; a reference may follow: log-7.")
]
Author = Annotated[str, typer.Option("--author", help="Who vouches for it.")]
Reason = Annotated[str, typer.Option("--reason", help="Why it is asked, and why this answers it.")]
Relevant = Annotated[
    list[str] | None,
    typer.Option("--relevant", metavar="ID[=GRADE]", help="A document; again for more."),
]
Negative = Annotated[bool, typer.Option("--negative", help="Nothing in the documents answers it.")]
Evidence = Annotated[
    list[str] | None,
    typer.Option("--evidence", metavar="TEXT", help="What answers it, word by word; again for more."),
]
Spans = Annotated[
    list[str] | None,
    typer.Option("--span", metavar="ID:START-END", help="The same in characters of the document."),
]
Tags = Annotated[list[str] | None, typer.Option("--tag", help="For reports; again for more.")]
Answer = Annotated[str | None, typer.Option("--answer", help="The right answer.")]
Id = Annotated[str | None, typer.Option("--id", help="Its id; else made of the source, or a number.")]
Day = Annotated[str | None, typer.Option("--date", help="The day, such as 2026-11-30; else today.")]
Out = Annotated[Path | None, path_option("--out", "Write a new version here, and leave the GOLD as it is.")]


def add(
    context: typer.Context,
    question: Asked,
    source: Source,
    author: Author,
    reason: Reason,
    overrides: Overrides = None,
    relevant: Relevant = None,
    negative: Negative = False,
    evidence: Evidence = None,
    span: Spans = None,
    tag: Tags = None,
    answer: Answer = None,
    query_id: Id = None,
    date: Day = None,
    gold: GoldFile = None,
    documents: ItsDocuments = None,
    out: Out = None,
    version: Version = None,
    as_json: AsJson = False,
    config_dir: ConfigDir = None,
) -> None:
    """Append a question to the GOLD; every byte before it stays.

    \b
    rag-sweep gold add --question 'Which card opens the side door?' --relevant doors \\
        --evidence 'The side door opens with the blue card.' \\
        --source incident-123 --author A.B. --reason 'the guard was asked twice' \\
        --gold gold.jsonl --documents docs
    """
    from rag_sweep.goldlife.adding import Place
    from rag_sweep.goldlife.adding import add as run
    from rag_sweep.goldlife.telling import added_lines

    with results_apart():
        place = Place(gold, documents, out, version)
        done = run(with_folder(config_dir, overrides), _asked(context.params), place)
    for text in done.notes:
        note(f"note: {text}")
    if as_json:
        show_json(done.to_dict())
    else:
        show(*added_lines(done))


def _asked(given: Mapping[str, Any]) -> NewQuestion:
    """The question, of the parameters of `add`."""
    from rag_sweep.goldlife.asking import NewQuestion

    same = ("source", "author", "reason", "answer", "query_id", "date", "negative")
    lists = {"relevant": "relevant", "spans": "span", "evidence": "evidence", "tags": "tag"}
    found: dict[str, Any] = {key: given[key] for key in same}
    found |= {key: tuple(given[name] or ()) for key, name in lists.items()}
    return NewQuestion(text=given["question"], **found)
