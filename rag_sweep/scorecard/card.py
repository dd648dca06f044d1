"""A scorecard: the values of one configuration question by question, with all that they are about."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from rag_sweep.arrays import BoolArray, FloatArray
from rag_sweep.configuration import Configuration, Scalar
from rag_sweep.errors import ConfigError, DataError
from rag_sweep.evaluation import Evaluation
from rag_sweep.execute import Outcome
from rag_sweep.matrix.data import SweepData
from rag_sweep.records import Dataset, Gold
from rag_sweep.scorecard.codec import card_of, plain_of
from rag_sweep.scorecard.filters import checked_filters, kept_by
from rag_sweep.scorecard.sources import outcome_fields, rankings_fields, sweep_fields


@dataclass(frozen=True, eq=False)
class Scorecard:
    """What one configuration, or another system, measured on one GOLD.

    Rows are questions in the order of the GOLD, after the filters.

    Attributes
    ----------
    name
        Of the configuration, short.
    params, config, fingerprint
        Every knob; the resolved config as far as it decides what is measured (empty where it isn't known);
        the hash of both pipeline and settings. The last is None for rankings of another system.
    code
        The version of package and stages.
    created
        The day (UTC), such as ``2026-11-30``.
    dataset, corpus_hash, documents, index_version
        Name and hash of the documents, how many there are (None where only rankings are known), and the
        version of the index as another system declares it.
    gold_hash, gold_version, gold_date, gold_origin
        Hash and declared version of the whole GOLD, also where filters chose from it; the latest date and
        the number of questions by source, as the questions' provenance has them.
    filters
        What chose the questions, such as ``{"tags": ("price",)}``; empty for all.
    k, cutoffs, share, pool_depth
        The cutoff that decides, further ones, the share of a span that counts as found, and the candidates
        that each branch hands on. The last two are None where they aren't known.
    measures
        Columns of `values`: every measure at every cutoff, as ``ndcg@10``.
    query_ids, texts, answerable, tags, relevant, rankings
        Of each question; `texts` is None if they were kept back. `relevant` holds the grades (> 0) of the
        relevant documents, `rankings` the ids of the documents that were found, at the kept depth.
    values : float64, shape (queries, measures)
        NaN in the rows of negatives.
    honest
        What `compare` said of the choice: value, lower, upper, naive, optimism, configurations; else None.
    """

    name: str
    params: Mapping[str, Scalar]
    config: Mapping[str, Any]
    fingerprint: str | None
    code: str
    created: str
    dataset: str
    corpus_hash: str | None
    documents: int | None
    index_version: str | None
    gold_hash: str
    gold_version: str | None
    gold_date: str | None
    gold_origin: Mapping[str, int]
    filters: Mapping[str, tuple[str, ...]]
    k: int
    cutoffs: tuple[int, ...]
    share: float | None
    pool_depth: int | None
    measures: tuple[str, ...]
    query_ids: tuple[str, ...]
    texts: tuple[str, ...] | None
    answerable: tuple[bool, ...]
    tags: tuple[tuple[str, ...], ...]
    relevant: tuple[Mapping[str, int], ...]
    rankings: tuple[tuple[str, ...], ...]
    values: FloatArray
    honest: Mapping[str, Any] | None = None

    @classmethod
    def of_outcome(
        cls,
        configuration: Configuration,
        dataset: Dataset,
        outcome: Outcome,
        *,
        filters: Mapping[str, Sequence[str]] | None = None,
        created: str | None = None,
    ) -> Scorecard:
        """The scorecard of an outcome on a dataset; `created` is today, unless it is given.

        Raises
        ------
        ConfigError
            For a filter that doesn't exist.
        DataError
            If the filters leave no answerable question.
        """
        whole = cls(**outcome_fields(configuration, dataset, outcome, created))
        return whole.filtered(filters or {})

    @classmethod
    def of_sweep(cls, sweep: SweepData, index: int) -> Scorecard:
        """The scorecard of one configuration of a sweep, by its index; nothing is retrieved.

        Raises
        ------
        ConfigError
            If there is no such configuration.
        DataError
            If it failed.
        """
        return cls(**sweep_fields(sweep, index))

    @classmethod
    def of_rankings(
        cls,
        name: str,
        gold: Gold,
        evaluation: Evaluation,
        cutoffs: Sequence[int],
        *,
        dataset: str,
        corpus_hash: str | None = None,
        index_version: str | None = None,
    ) -> Scorecard:
        """The scorecard of rankings that another system made; `corpus_hash` is None without its documents."""
        found = rankings_fields(name, gold, evaluation, cutoffs, dataset, corpus_hash, index_version)
        return cls(**found)

    @classmethod
    def from_dict(cls, data: object, source: Path | str) -> Scorecard:
        """The inverse of `to_dict`.

        Parameters
        ----------
        source
            Where it was read from, for errors.

        Raises
        ------
        DataError
            For anything else, naming the source and the key.
        """
        return cls(**card_of(data, source))

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON: every number finite or None."""
        return plain_of(self)

    @cached_property
    def mask(self) -> BoolArray:
        """Which questions means are over, bool, shape (queries,)."""
        return np.array(self.answerable, dtype=np.bool_)

    @property
    def questions(self) -> int:
        """How many questions means are over: the answerable ones."""
        return sum(self.answerable)

    @property
    def negatives(self) -> int:
        """How many questions nothing answers."""
        return len(self.answerable) - self.questions

    def column(self, measure: str) -> FloatArray:
        """Values of the answerable questions, float64, shape (answerable,).

        Raises
        ------
        ConfigError
            If the measure was not computed.
        """
        if measure not in self.measures:
            raise ConfigError(f"measure must be one of {', '.join(self.measures)}, got {measure!r}")
        found: FloatArray = self.values[self.mask, self.measures.index(measure)]
        return found

    def means(self) -> dict[str, float]:
        """Means over the answerable questions by ``ndcg@10``: exact sums, as everywhere."""
        number = self.questions
        return {name: math.fsum(self.column(name).tolist()) / number for name in self.measures}

    def zero_hits(self) -> tuple[str, ...]:
        """Ids of the answerable questions without a relevant document among the first `k`."""
        return tuple(query_id for at, query_id in self._answerable() if not self.found(at))

    def incomplete(self) -> tuple[str, ...]:
        """Ids of the questions of which some relevant documents are among the first `k`, and some aren't."""
        return tuple(query_id for at, query_id in self._answerable() if self.found(at) and self.missed(at))

    def empty(self) -> tuple[str, ...]:
        """Ids of the answerable questions for which nothing at all came back."""
        return tuple(query_id for at, query_id in self._answerable() if not self.rankings[at])

    def found(self, at: int) -> tuple[str, ...]:
        """The relevant documents among the first `k` of question number `at`, by rank."""
        return tuple(doc_id for doc_id in self.rankings[at][: self.k] if doc_id in self.relevant[at])

    def missed(self, at: int) -> tuple[str, ...]:
        """Relevant documents not among the first `k` of question number `at`, best grade first."""
        there, grades = set(self.rankings[at][: self.k]), self.relevant[at]
        absent = [doc_id for doc_id in grades if doc_id not in there]
        return tuple(sorted(absent, key=lambda doc_id: (-grades[doc_id], doc_id)))

    @cached_property
    def position(self) -> Mapping[str, int]:
        """The row of each question's id."""
        return {query_id: at for at, query_id in enumerate(self.query_ids)}

    @cached_property
    def all_tags(self) -> tuple[str, ...]:
        """The tags of answerable questions, sorted."""
        return tuple(sorted({tag for at, _ in self._answerable() for tag in self.tags[at]}))

    def tagged(self, tag: str) -> BoolArray:
        """Which of the answerable questions have a tag, bool, shape (answerable,)."""
        return np.array([tag in self.tags[at] for at, _ in self._answerable()], dtype=np.bool_)

    def filtered(self, filters: Mapping[str, Sequence[str]]) -> Scorecard:
        """The same for some questions only: ``{"tags": ["price"]}`` keeps those with any of these tags.

        Raises
        ------
        ConfigError
            For a filter that doesn't exist, and if there are filters already.
        DataError
            If no answerable question is left.
        """
        chosen = checked_filters(filters)
        if not chosen:
            return self
        if self.filters:
            raise ConfigError(f"filters were applied already: {dict(self.filters)}")
        rows = kept_by(chosen, self.tags)
        if not any(self.answerable[at] for at in rows):
            known = ", ".join(self.all_tags) or "none"
            raise DataError(
                f"no answerable question has one of the tags {', '.join(chosen['tags'])}; there are: {known}"
            )
        return replace(
            self,
            filters=chosen,
            query_ids=_picked(self.query_ids, rows),
            texts=None if self.texts is None else _picked(self.texts, rows),
            answerable=_picked(self.answerable, rows),
            tags=_picked(self.tags, rows),
            relevant=_picked(self.relevant, rows),
            rankings=_picked(self.rankings, rows),
            values=self.values[list(rows)],
        )

    def _answerable(self) -> Iterable[tuple[int, str]]:
        pairs = enumerate(zip(self.query_ids, self.answerable, strict=True))
        return ((at, query_id) for at, (query_id, is_answerable) in pairs if is_answerable)


def _picked(values: Sequence[Any], rows: Sequence[int]) -> tuple[Any, ...]:
    return tuple(values[at] for at in rows)
