"""One table of judges: what a config makes, what a table of labels grades, what a licence asks for."""

from __future__ import annotations

from rag_sweep.judges.known import BY_RULES, JUDGES, Given, is_judge
from rag_sweep.judges.nearness import Nearness
from rag_sweep.rules.judging import NAMES, metric_of


def test_each_judge_is_made_of_its_class_and_called_by_its_key() -> None:
    made = {name: known.made(Given(0.5, Nearness)) for name, known in JUDGES.items()}
    assert {name: judge.name for name, judge in made.items()} == {name: name for name in JUDGES}
    assert all(type(judge) is JUDGES[name].kind for name, judge in made.items())
    assert made["faithfulness"].labels == ("claims.without_claims=0.5",)


def test_what_no_model_has_a_part_in_is_no_judge() -> None:
    assert not any(map(is_judge, ("pass_at_1", "evidence_cited", *NAMES, *map(metric_of, NAMES))))
    assert all(map(is_judge, (*JUDGES, "someone")))
    assert not BY_RULES & JUDGES.keys()
