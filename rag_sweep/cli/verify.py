"""`rag-sweep verify`: does what is served return what was measured?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rag_sweep.cli.screen import note, progress, show, show_json
from rag_sweep.cli.streams import results_apart
from rag_sweep.errors import UsageError

if TYPE_CHECKING:
    from rag_sweep.verifying.verify import Verified

Words = Annotated[
    list[str] | None,
    typer.Argument(metavar="URI|OVERRIDE", help="models:/…, a folder, http://…; tracking.uri=…"),
]
Golden = Annotated[str | None, typer.Option(help="Whose golden questions: models:/… or a folder.")]
Url = Annotated[str | None, typer.Option(help="A search service of yours, with {query} and {k}.")]
Ids = Annotated[str | None, typer.Option(help="Where the ids are in its answer: 'hits[*].id'.")]
Scores = Annotated[str | None, typer.Option(help="Where the scores are, to compare them too.")]
Body = Annotated[str | None, typer.Option(help='JSON to post: \'{"q": "{query}", "size": {k}}\'.')]
Header = Annotated[list[str] | None, typer.Option(help="'Name: value', to send.")]
Rebuild = Annotated[bool, typer.Option("--rebuild", help="Build the index anew, from the documents of now.")]
Name = Annotated[str, typer.Option(help="Of the registered model.")]
Ranks = Annotated[int | None, typer.Option("--k", min=1, help="Ranks to compare; default: its k.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Ask so many questions only.")]
Timeout = Annotated[float, typer.Option(min=0.1, help="Seconds for an answer.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print the differences as JSON.")]
Trust = Annotated[bool, typer.Option("--trust", help="Import components of your own.")]
ConfigDir = Annotated[str | None, typer.Option(help="A folder with configs of yours.")]


def verify(
    words: Words = None,
    golden: Golden = None,
    url: Url = None,
    ids: Ids = None,
    scores: Scores = None,
    body: Body = None,
    header: Header = None,
    rebuild: Rebuild = False,
    name: Name = "rag-sweep",
    k: Ranks = None,
    limit: Limit = None,
    timeout: Timeout = 30.0,
    as_json: AsJson = False,
    trust: Trust = False,
    config_dir: ConfigDir = None,
) -> None:
    """Ask the golden questions again, and fail on any difference in the first k.

    \b
    rag-sweep verify                                the champion, loaded
    rag-sweep verify --rebuild                      the champion, built anew from the documents of now
    rag-sweep verify models:/rag-sweep/3            another version; or a folder
    rag-sweep verify http://127.0.0.1:5000          behind `mlflow models serve`
    rag-sweep verify --url 'http://host/search?q={query}&size={k}' --ids 'hits[*].id'

    Exit code 0: all identical; 1: some differ; 2: a question could not be asked, so nothing is proved.
    """
    service = {"url": url, "ids": ids, "scores": scores, "body": body, "headers": tuple(header or ())}
    how = {"rebuild": rebuild, "k": k, "limit": limit, "seconds": timeout, "trust": trust}
    found = _verified(words or [], config_dir, {"golden": golden, "name": name, **service, **how})
    for text in found.notes:
        note(f"note: {text}")
    _show(found, as_json)
    if found.replayed.apart:
        raise typer.Exit(1)


def _verified(words: list[str], config_dir: str | None, wish: dict[str, Any]) -> Verified:
    from rag_sweep.verifying.verify import Wish, is_name
    from rag_sweep.verifying.verify import verify as run

    named = [word for word in words if is_name(word)]
    if len(named) > 1:
        raise UsageError(f"{named[1]!r} is one name too many: verify proves one model")
    overrides = [word for word in words if not is_name(word)]
    with results_apart(), progress("questions") as watch:
        return run(overrides, Wish(named[0] if named else None, **wish), config_dir, watch)


def _show(found: Verified, as_json: bool) -> None:
    if as_json:
        show_json(found.to_dict())
        return
    from rag_sweep.report.verification import verification_text

    show(*verification_text(found.to_dict()))
