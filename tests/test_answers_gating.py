"""What a gate of answers says that it is about."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from test_answers_reading import CASES, evaluated, written

from rag_sweep.agreement.agreed import YES_NO
from rag_sweep.answers.agreeing import agree
from rag_sweep.answers.evaluation import Evaluation
from rag_sweep.answers.gating import gate_answers
from rag_sweep.answers.labels import Labels
from rag_sweep.cases.records import Answer, Cases
from rag_sweep.comparison.plain import plain
from rag_sweep.errors import UsageError
from rag_sweep.report.gate_answers import gate_answers_junit
from rag_sweep.rules.judging import Rules


def test_a_verdict_names_the_settings_of_the_rules(tmp_path: Path) -> None:
    found = gate_answers(written(tmp_path, evaluated()), ["pass_at_1=0.5"])
    data = found.to_dict()
    assert data["subject"]["rules"]["max_words"] == 9
    suite = ElementTree.fromstring(gate_answers_junit(data))
    told = {one.get("name"): one.get("value") for one in suite.iter("property")}
    assert (told["rules.max_words"], told["rules.every_sentence"]) == ("9", "false")
    assert "rules" not in told
    assert (told["answer_models"], told["rules.pass_rules"]) == ("writer", "citations, must_include, numbers")
    assert "rules.refusal_en" not in told
    silent = found.to_dict()
    silent["subject"]["rules"] = None
    assert "rules." not in gate_answers_junit(silent)


@pytest.mark.parametrize("name", ["refusal_ok", "length_ok", "language_ok", "overlap"])
def test_where_every_answer_failed_a_rule_could_not_be_judged(tmp_path: Path, name: str) -> None:
    failed = {case.id: Answer(case.id, "", failure="down") for case in CASES}
    found = Evaluation(Cases(CASES), failed, Rules().judge_all(Cases(CASES), failed), rules=Rules())
    file = written(tmp_path, found.to_dict())
    verdict = gate_answers(file, [f"{name}=0.5"])
    assert (verdict.exit_code, verdict.checks[0].why) == (3, f"{name} was measured for no answer")
    assert gate_answers(file, [f"{name}=0.5", "pass_at_1=0.5"]).exit_code == 1


def test_a_threshold_on_a_heuristic_is_told(tmp_path: Path) -> None:
    file = written(tmp_path, evaluated())
    assert "overlap is a heuristic and no judge" in gate_answers(file, ["overlap=0"]).cautions[0]
    assert gate_answers(file, ["groundedness=0"]).cautions == ()


def test_only_kappa_changes_a_gate_of_answers(tmp_path: Path) -> None:
    file = written(tmp_path, evaluated())
    assert gate_answers(file, ["groundedness=0"], overrides=["kappa=0.5", "tracking=none"]).exit_code == 0
    for word, told in (("rules.max_words=3", "only kappa=… changes anything$"), ("kapa=1", "is it kappa")):
        with pytest.raises(UsageError, match=told):
            gate_answers(file, ["groundedness=0"], overrides=[word])


def labelled(folder: Path, *said: int, rules: Rules | None = None) -> Path:
    """An agreement about passes, and citations, over the cases of `evaluated`, which pass but the second."""
    given = {f"c{at}": label for at, label in enumerate(said)}
    columns = {"pass": given, "citations": given}
    table = Labels(folder / "l.csv", dict.fromkeys(columns, YES_NO), columns, dict.fromkeys(columns, 0), 4)
    data = evaluated()
    data["rules"] = plain(rules) if rules else data["rules"]
    file = folder / "agreement.json"
    file.write_text(json.dumps(agree(data, table, 0.6).to_dict()), encoding="utf-8")
    return file


def test_what_people_said_of_rules_is_told_and_decides_nothing(tmp_path: Path) -> None:
    file, agreement = written(tmp_path, evaluated()), labelled(tmp_path, 0, 1, 0, 1)
    found = gate_answers(file, ["pass_at_1=0.5", "citations_ok=0.5", "length_ok=0"], agreement)
    assert found.exit_code == 0
    hidden, of_pass, of_citations = found.cautions
    assert hidden.startswith("1 failed question of 4 have an answer that passes")
    told = "pass_at_1: people don't agree well enough with pass, by the rules: kappa −"
    assert of_pass.startswith(told)
    assert of_citations.startswith("citations_ok: people don't agree well enough with citations")
    assert len(gate_answers(file, ["length_ok=0"], agreement).cautions) == 0
    agreement = labelled(tmp_path, 0, 1, 0, 1, rules=Rules(max_words=5))
    found = gate_answers(file, ["pass_at_1=0.5"], agreement)
    assert found.cautions[1] == "pass_at_1: the agreement is about rules with other settings than these"
