"""What can be asked: an index in this process, an MLflow scoring server, or a search service of the user."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol
from urllib.parse import quote

from rag_sweep.errors import ConfigError, ServiceError
from rag_sweep.index import Index
from rag_sweep.verifying.asking import ask, checked_url
from rag_sweep.verifying.jsonpath import JsonPath

QUERY, K = "{query}", "{k}"
"""What a template has in place of the question and of the number of documents."""


@dataclass(frozen=True)
class Answer:
    """Ids of documents, best first, with scores where the source tells them."""

    doc_ids: tuple[str, ...]
    scores: tuple[float, ...] | None = None


class Source(Protocol):
    """Something that answers questions."""

    @property
    def shown(self) -> str:
        """What it is, for people."""
        ...

    @property
    def askers(self) -> int:
        """How many questions it may be asked at a time."""
        ...

    def answer(self, question: str, k: int) -> Answer:
        """The first `k` documents. Raises ServiceError where there is no answer."""
        ...


@dataclass(frozen=True)
class Loaded:
    """An index in this process."""

    index: Index
    shown: str
    askers: int = 1

    def answer(self, question: str, k: int) -> Answer:
        """The first `k` documents."""
        hits = self.index.hits(question, k)
        return Answer(tuple(hit.doc_id for hit in hits), tuple(hit.score for hit in hits))


@dataclass(frozen=True)
class ScoringServer:
    """A model behind ``mlflow models serve``.

    Parameters
    ----------
    url
        Of the server; ``/invocations`` is added where it isn't there.
    seconds
        How long an answer may take.
    """

    url: str
    seconds: float
    headers: Mapping[str, str] = field(default_factory=dict)
    askers: int = 4

    @property
    def shown(self) -> str:
        """Its address."""
        return self._address

    @property
    def _address(self) -> str:
        base = checked_url(self.url).rstrip("/")
        return base if base.endswith("/invocations") else f"{base}/invocations"

    def answer(self, question: str, k: int) -> Answer:
        """The first `k` documents."""
        body = json.dumps({"dataframe_records": [{"query": question, "k": k}]}).encode("ascii")
        told = ask(self._address, body, self.headers, self.seconds)
        try:
            (found,) = told["predictions"]
            ids, scores = found["ids"], found["scores"]
        except (KeyError, TypeError, ValueError) as error:
            shown = json.dumps(told)[:120]
            raise ServiceError(
                f"{self._address} is no model of rag-sweep: it answers no predictions with ids and scores, "
                f"but {shown}"
            ) from error
        return Answer(ids_of(ids), scores_of(scores, len(ids)))


@dataclass(frozen=True)
class Service:
    """A search service of the user.

    Parameters
    ----------
    url
        With ``{query}`` and ``{k}`` in place of the question and of the number of documents.
    ids
        Where the ids are in its answer.
    scores
        Where the scores are; None compares ids only.
    body
        A template of JSON that is posted; None asks with GET.
    """

    url: str
    ids: JsonPath
    scores: JsonPath | None = None
    body: str | None = None
    seconds: float = 30.0
    headers: Mapping[str, str] = field(default_factory=dict)
    askers: int = 4

    def __post_init__(self) -> None:
        checked_url(self.url)
        if QUERY not in self.url and QUERY not in (self.body or ""):
            raise ConfigError(
                f"--url or --body must have {QUERY} where the question belongs, got {self.url!r}"
            )
        if self.body is not None:
            self._filled("a question", 1)

    @property
    def shown(self) -> str:
        """Its address."""
        return self.url

    def answer(self, question: str, k: int) -> Answer:
        """The first `k` documents; what it returns beyond them isn't looked at."""
        url = self.url.replace(QUERY, quote(question, safe="")).replace(K, str(k))
        body = None if self.body is None else self._filled(question, k)
        told = ask(url, body, self.headers, self.seconds)
        ids = ids_of(self.ids.values(told)[:k])
        return Answer(ids, None if self.scores is None else scores_of(self.scores.values(told)[:k], len(ids)))

    def _filled(self, question: str, k: int) -> bytes:
        """The body with a question in it, in JSON's own escapes."""
        text = (self.body or "").replace(K, str(k)).replace(QUERY, json.dumps(question)[1:-1])
        try:
            return json.dumps(json.loads(text)).encode("ascii")
        except ValueError as error:
            raise ConfigError(
                f'--body must be JSON, such as {{"q": "{QUERY}", "size": {K}}}, got {self.body!r}: {error}'
            ) from error


def ids_of(values: Any) -> tuple[str, ...]:
    """Ids as texts; ints are taken for their digits.

    Raises
    ------
    ServiceError
        For anything else.
    """
    if not isinstance(values, Sequence) or isinstance(values, str):
        raise ServiceError(f"ids must be a list, got {values!r:.80}")
    for one in values:
        if isinstance(one, bool) or not isinstance(one, str | int):
            raise ServiceError(f"an id must be a text or a whole number, got {one!r:.80}")
    return tuple(map(str, values))


def scores_of(values: Any, number: int) -> tuple[float, ...]:
    """As many finite numbers as there are ids. Raises ServiceError for anything else."""
    whole = isinstance(values, Sequence) and not isinstance(values, str) and len(values) == number
    if not whole or not all(_is_number(one) for one in values):
        raise ServiceError(f"scores must be {number} numbers, one for each id, got {values!r:.80}")
    return tuple(map(float, values))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
