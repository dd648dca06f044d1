"""The judgement itself: two scorecards and thresholds to a verdict, without files, clocks or chance."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rag_sweep.errors import ConfigError
from rag_sweep.gate.cautions import cautions
from rag_sweep.gate.checks import Judging
from rag_sweep.gate.comparable import Comparability, comparability, is_unchanged
from rag_sweep.gate.fallen import fallen
from rag_sweep.gate.questions import questions_of
from rag_sweep.gate.steps import next_steps
from rag_sweep.gate.thresholds import Thresholds
from rag_sweep.gate.verdict import Check, Subject, TagRow, Verdict
from rag_sweep.scorecard import Scorecard
from rag_sweep.statistics.table import settle


def judge(
    current: Scorecard,
    baseline: Scorecard | None,
    thresholds: Thresholds,
    *,
    same_corpus: bool = False,
    known_misses: Collection[str] | None = None,
) -> Verdict:
    """Judge what was measured; equal arguments give an equal verdict, byte by byte.

    Parameters
    ----------
    current, baseline
        What is judged, and what it may not fall behind: only with the same gold, filters and k.
    same_corpus
        Refuse a difference also where the documents or the version of the index differ.
    known_misses
        Ids of questions that are known to fail; None if there is no list of them.

    Raises
    ------
    ConfigError
        If the thresholds judge nothing, or name a measure or a tag that isn't there.
    """
    _refuse_nothing(thresholds)
    apart = _apart(current, baseline, same_corpus)
    beside = None if apart.refused else baseline
    judging = _judging(current, beside, thresholds)
    checks, fell = fallen(current, beside, _checks(judging, current, thresholds, apart.refused))
    questions = questions_of(current, beside, known_misses, fell)
    return Verdict(
        mode=thresholds.mode,
        alpha=thresholds.alpha,
        current=subject_of(current),
        baseline=None if baseline is None else subject_of(baseline),
        checks=checks,
        refused=apart.refused,
        stated=apart.stated,
        tags=_tags(judging, current, checks),
        questions=questions,
        means=_means(current),
        next_steps=next_steps(current, baseline, apart, questions, checks),
        judged=f"{current.name} on {current.dataset}",
        cautions=cautions(current, beside, checks),
    )


def _refuse_nothing(thresholds: Thresholds) -> None:
    if thresholds.is_empty:
        raise ConfigError("thresholds: nothing to judge: give a minimum or a largest drop")


def _apart(current: Scorecard, baseline: Scorecard | None, same_corpus: bool) -> Comparability:
    return Comparability() if baseline is None else comparability(current, baseline, same_corpus=same_corpus)


def _judging(current: Scorecard, beside: Scorecard | None, thresholds: Thresholds) -> Judging:
    unchanged = beside is not None and is_unchanged(current, beside)
    return Judging(current, beside, thresholds.mode, thresholds.alpha, unchanged=unchanged)


def _checks(
    judging: Judging, current: Scorecard, thresholds: Thresholds, apart: Sequence[str]
) -> tuple[Check, ...]:
    refused, k = "; ".join(apart) or None, current.k
    minima = [judging.minimum(target, limit) for target, limit in thresholds.least().items()]
    drops = [judging.drop(target, limit, refused) for target, limit in thresholds.largest(k).items()]
    return (*minima, *drops)


def _means(card: Scorecard) -> dict[str, float]:
    return {name: settle(value) for name, value in card.means().items()}


def _tags(judging: Judging, current: Scorecard, checks: tuple[Check, ...]) -> tuple[TagRow, ...]:
    measures = dict.fromkeys(check.measure for check in checks if check.measure is not None)
    return tuple(judging.tag_row(tag, measure) for tag in current.all_tags for measure in measures)


def subject_of(card: Scorecard) -> Subject:
    """What a scorecard is about."""
    return Subject(
        name=card.name,
        configuration=card.fingerprint,
        code=card.code,
        created=card.created,
        dataset=card.dataset,
        corpus=card.corpus_hash,
        documents=card.documents,
        index_version=card.index_version,
        gold=card.gold_hash,
        gold_version=card.gold_version,
        gold_date=card.gold_date,
        gold_origin=dict(card.gold_origin),
        filters=dict(card.filters),
        k=card.k,
        questions=card.questions,
        negatives=card.negatives,
        pool_depth=card.pool_depth,
    )
