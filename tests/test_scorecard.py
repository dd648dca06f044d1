"""Scorecards: made of what was measured, kept as JSON, and read again or refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from matrices import configuration_of, dataset, journal_of
from pipelines import run_one
from scorecards import gold_of, scorecard_of

from rag_sweep.configuration import code_version
from rag_sweep.errors import ConfigError, DataError
from rag_sweep.matrix.data import SweepData
from rag_sweep.matrix.write import write_matrix
from rag_sweep.pipeline import Settings
from rag_sweep.records import Dataset, Gold
from rag_sweep.scorecard import Scorecard


def card_of(data: Dataset | None = None, **options: Any) -> Scorecard:
    configuration = configuration_of(0)
    measured = data or dataset()
    return Scorecard.of_outcome(configuration, measured, run_one(measured, configuration.pipeline), **options)


def there_and_back(card: Scorecard) -> Scorecard:
    return Scorecard.from_dict(json.loads(json.dumps(card.to_dict(), allow_nan=False)), "card.json")


def test_it_holds_what_the_outcome_gave() -> None:
    chosen = Settings(1, (1, 3))
    configuration = configuration_of(0, chosen)
    outcome = run_one(dataset(), configuration.pipeline, chosen)
    card = Scorecard.of_outcome(configuration, dataset(), outcome)
    assert card.means() == outcome.evaluation.means()
    assert np.array_equal(card.values, outcome.evaluation.values, equal_nan=True)
    assert [card.found(at) for at in range(4)] == [outcome.evaluation.found(at) for at in range(4)]
    assert [card.missed(at) for at in range(4)] == [outcome.evaluation.missed(at) for at in range(4)]
    assert (card.questions, card.negatives, card.documents) == (3, 1, 4)
    assert (card.code, card.pool_depth, card.fingerprint) == (code_version(), 100, configuration.fingerprint)
    hits = outcome.evaluation.column("hit@1").tolist()
    assert card.zero_hits() == tuple(f"q{at}" for at in range(3) if hits[at] == 0.0)


def test_json_gives_the_same_card_to_the_last_bit() -> None:
    card = card_of(created="2026-01-31")
    again = there_and_back(card)
    assert again.to_dict() == card.to_dict()
    assert again.values.tobytes() == card.values.tobytes()
    assert again.means() == card.means()
    assert again.gold_hash == dataset().gold.fingerprint


def test_a_sweep_gives_the_card_that_the_outcome_gave(tmp_path: Path) -> None:
    configuration = configuration_of(0)
    outcome = run_one(dataset(), configuration.pipeline)
    with journal_of(tmp_path, [outcome, "it broke"]) as journal:
        write_matrix(journal, tmp_path / "sweep.npz")
    sweep = SweepData(tmp_path / "sweep.npz")
    card, direct = Scorecard.of_sweep(sweep, 0), Scorecard.of_outcome(configuration, dataset(), outcome)
    assert np.array_equal(card.values, direct.values, equal_nan=True)
    for key in ("measures", "rankings", "relevant", "tags", "gold_hash", "corpus_hash", "query_ids", "texts"):
        assert getattr(card, key) == getattr(direct, key), key
    assert card.created == "2026-01-31"
    with pytest.raises(DataError, match=r"configuration 1 of sweep .* has failed: it broke"):
        Scorecard.of_sweep(sweep, 1)


def test_filters_choose_questions_and_leave_the_hash_of_the_gold() -> None:
    whole = card_of()
    some = card_of(filters={"tags": ["leave"]})
    assert (some.query_ids, some.filters) == (("q0",), {"tags": ("leave",)})
    assert some.gold_hash == whole.gold_hash
    assert there_and_back(some).filters == some.filters
    assert card_of(filters={"tags": []}).filters == {}
    with pytest.raises(DataError, match=r"no answerable question has one of the tags pay; there are: leave"):
        card_of(filters={"tags": ["pay"]})
    with pytest.raises(ConfigError, match="no other key than tags, got 'author'"):
        card_of(filters={"author": ["x"]})
    with pytest.raises(ConfigError, match="applied already"):
        some.filtered({"tags": ["leave"]})


def test_date_and_origin_come_from_the_provenance_of_questions() -> None:
    asked = [
        replace(q, provenance={"source": ("log", "incident")[at % 2], "date": f"2026-01-{10 + at}"})
        for at, q in enumerate(dataset().gold.questions)
    ]
    card = card_of(replace(dataset(), gold=Gold(tuple(asked), "7")))
    assert (card.gold_date, card.gold_origin) == ("2026-01-13", {"incident": 2, "log": 2})
    assert card.gold_version == "7"
    assert (card_of().gold_date, card_of().gold_origin) == (None, {})


def test_texts_are_kept_back_where_tracking_keeps_them_back() -> None:
    configuration = replace(
        configuration_of(0), config={"tracking": {"text": "none", "uri": "secret"}, "k": 10}
    )
    outcome = run_one(dataset(), configuration.pipeline)
    card = Scorecard.of_outcome(configuration, dataset(), outcome)
    assert card.texts is None
    assert card.config == {"k": 10}
    assert "how many days" not in json.dumps(card.to_dict())
    assert there_and_back(card).texts is None


def test_questions_that_found_nothing_or_not_all() -> None:
    gold = gold_of(4, negatives=1)
    card = scorecard_of([1, None, 7, 1], gold)
    assert card.zero_hits() == ("q01", "q02")
    assert card.empty() == ()
    assert card.all_tags == ("even", "odd")
    assert card.tagged("even").tolist() == [True, False, True]
    assert card.column("recall@5").tolist() == [1.0, 0.0, 0.0]
    with pytest.raises(ConfigError, match="measure must be one of hit@1, "):
        card.column("recall@7")


def _without(key: str) -> Callable[[dict[str, Any]], object]:
    return lambda data: data.pop(key)


def _with(key: str, value: object) -> Callable[[dict[str, Any]], object]:
    return lambda data: data.update({key: value})


def _in_question(key: str, value: object) -> Callable[[dict[str, Any]], object]:
    return lambda data: data["questions"][0].update({key: value})


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (_with("format", 9), "card.json a scorecard of format 9; this version reads format 1"),
        (_without("format"), "card.json this is no scorecard; this version reads format 1"),
        (_without("gold_hash"), 'card.json "gold_hash" is missing: this is no whole scorecard'),
        (_with("k", 0), 'card.json "k" must be an int >= 1, got 0'),
        (_with("k", True), '"k" must be an int >= 1, got True'),
        (_with("measures", ["bleu@5"]), "measures must be one of hit, "),
        (_with("filters", {"tags": "x"}), '"filters" must be an object of lists of texts'),
        (_with("questions", [3]), 'item 1 of "questions" must be an object'),
        (_with("questions", []), '"questions" must have at least one answerable question'),
        (_in_question("values", [0.5]), '[q0] "values" must be null or a list of 28 numbers from 0 to 1'),
        (_in_question("values", [2.0] * 28), "numbers from 0 to 1, got [2.0"),
        (_in_question("values", None), '[q0] "values" must be null where "relevant" is empty'),
        (_in_question("id", "q1"), "[q1] stands twice"),
        (_in_question("relevant", {"leave": 0}), '"relevant" must be an object of grades'),
    ],
)
def test_what_is_foreign_or_damaged_is_one_clear_error(
    damage: Callable[[dict[str, Any]], object], told: str
) -> None:
    data = json.loads(json.dumps(card_of().to_dict()))
    damage(data)
    with pytest.raises(DataError) as error:
        Scorecard.from_dict(data, "card.json")
    assert told in str(error.value)


def test_what_is_no_object_is_refused() -> None:
    with pytest.raises(DataError, match=r"card.json this is no scorecard: it must be an object"):
        Scorecard.from_dict([1], "card.json")


def test_the_day_can_be_fixed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert card_of().created == "1970-01-01"
