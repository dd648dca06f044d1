"""`rag-sweep verify`: what is asked, against which champion."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from rag_sweep.champion import Champion, find
from rag_sweep.champion.finding import NAME, is_trusted
from rag_sweep.comparing.request import Request, is_override
from rag_sweep.config import build
from rag_sweep.configuration import code_version
from rag_sweep.errors import ConfigError, UsageError
from rag_sweep.index import Index
from rag_sweep.records import Dataset
from rag_sweep.verifying.jsonpath import JsonPath
from rag_sweep.verifying.replay import Replayed, Watch, replay
from rag_sweep.verifying.sources import Loaded, ScoringServer, Service, Source


@dataclass(frozen=True)
class Wish:
    """What `verify` is asked.

    Attributes
    ----------
    uri
        What is to be proved: a model, a folder, or a scoring server; None for the champion.
    golden
        Whose golden questions; None for those of the model itself, or of the champion for a service.
    url, ids, scores, body
        A search service of the user, as in `Service`.
    headers
        ``Name: value`` each.
    rebuild
        Build the index anew from the documents as they are now.
    k
        Ranks to compare; None for the cutoff that the configuration was chosen by.
    limit
        Questions to ask; None for all.
    """

    uri: str | None = None
    golden: str | None = None
    url: str | None = None
    ids: str | None = None
    scores: str | None = None
    body: str | None = None
    headers: tuple[str, ...] = ()
    rebuild: bool = False
    name: str = NAME
    k: int | None = None
    limit: int | None = None
    seconds: float = 30.0
    trust: bool = False


@dataclass(frozen=True, eq=False)
class Verified:
    """What came of it, for whom, and what the user should know."""

    champion: Champion
    replayed: Replayed
    notes: tuple[str, ...] = field(default=())

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        champion = self.champion
        return {
            "model": champion.name,
            "version": champion.version,
            "golden": champion.source,
            "configuration": champion.scorecard.name,
            "fingerprint": champion.configuration.fingerprint,
            **self.replayed.to_dict(),
            "notes": list(self.notes),
        }


def verify(words: Sequence[str], wish: Wish, config_dir: str | None, watch: Watch) -> Verified:
    """Ask the golden questions again.

    Parameters
    ----------
    words
        Overrides: ``tracking.…`` says where the registry is, ``dataset.…`` where the documents are now.

    Raises
    ------
    UsageError, ConfigError, DataError, TrackingError
        If there is nothing to prove, or it isn't whole.
    ServiceError
        If a question has no answer.
    """
    _check(wish)
    request = Request.of(words, config_dir)
    if request.names:
        raise UsageError(f"{request.names[0]!r} is one name too many: verify proves one model")
    served = wish.url is not None or _is_address(wish.uri)
    named = wish.golden if wish.golden is not None or served else wish.uri
    champion = find(named, tracking=request.tracking, name=wish.name, trust=is_trusted(wish.trust))
    source, notes = _source(wish, champion, request)
    chosen = champion.golden.questions[: wish.limit]
    k = _k(wish, champion)
    replayed = replay(chosen, source, k, len(champion.golden.questions), watch)
    return Verified(champion, replayed, (*_code_note(champion), *notes))


def _check(wish: Wish) -> None:
    if wish.url is not None and wish.uri is not None:
        raise UsageError("give a URI or --url: one of them is to be proved")
    if wish.url is None and any((wish.ids, wish.scores, wish.body)):
        raise UsageError("--ids, --scores and --body belong to --url, a search service of your own")
    if wish.url is not None and wish.ids is None:
        raise UsageError("--url needs --ids: where the ids are in its answer, such as 'hits[*].id'")
    if wish.rebuild and (wish.url is not None or _is_address(wish.uri)):
        raise UsageError("--rebuild builds the index here, so it goes with no service")


def _k(wish: Wish, champion: Champion) -> int:
    golden = champion.golden
    if wish.k is not None and not 1 <= wish.k <= golden.depth:
        raise ConfigError(f"--k must be an int from 1 to {golden.depth}, as ranks were kept, got {wish.k}")
    return golden.k if wish.k is None else wish.k


def _source(wish: Wish, champion: Champion, request: Request) -> tuple[Source, tuple[str, ...]]:
    headers = dict(map(_header, wish.headers))
    if wish.url is not None and wish.ids is not None:
        ids = JsonPath.parse(wish.ids, "--ids")
        scores = None if wish.scores is None else JsonPath.parse(wish.scores, "--scores")
        return Service(wish.url, ids, scores, wish.body, wish.seconds, headers), ()
    if wish.uri is not None and _is_address(wish.uri):
        return ScoringServer(wish.uri, wish.seconds, headers), ()
    if wish.rebuild:
        return _rebuilt(champion, request)
    asked = champion
    if wish.golden is not None:
        asked = find(wish.uri, tracking=request.tracking, name=wish.name, trust=is_trusted(wish.trust))
    return Loaded(asked.index, f"{asked.title}, loaded from {asked.source}"), ()


def _rebuilt(champion: Champion, request: Request) -> tuple[Source, tuple[str, ...]]:
    """The champion's configuration over the documents as they are now."""
    own = request.sets("dataset")
    dataset: Dataset = build.component(request.config, "dataset").load() if own else champion.dataset()
    changed = dataset.corpus.fingerprint != champion.corpus.fingerprint
    notes = (f"the documents of {dataset.name} have changed since they were indexed",) if changed else ()
    shown = f"{champion.title}, built anew from {dataset.name}"
    return Loaded(Index.build(champion.configuration.pipeline, dataset.corpus), shown), notes


def _code_note(champion: Champion) -> tuple[str, ...]:
    then, now = champion.manifest.code, code_version()
    return () if then == now else (f"it was promoted by version {then}, and this is {now}",)


def _header(text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    plain = name.strip() and colon and text.isprintable() and text.isascii()
    if not plain:
        raise ConfigError(f"--header must be 'Name: value' in ASCII, got {name.strip()!r} …")
    return name.strip(), value.strip()


def is_name(word: str) -> bool:
    """True for what names a model or a service, and is no override: an address may have an ``=``."""
    return word.startswith(("http://", "https://", "models:")) or not is_override(word)


def _is_address(uri: str | None) -> bool:
    return uri is not None and uri.startswith(("http://", "https://"))
