"""From answers to a judge that may decide: sample, label, agree, gate; and a drill."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import Command
from labelling import LLM, fill, read_csv, write_answers

from rag_sweep.answers.recording import without_texts

MOODY = """import json
def judge(messages):
    number = int(messages[-1]["content"].split("badge ")[1].split(" open")[0])
    if number % 2:
        raise ValueError("no wish")
    return json.dumps({"grade": 0})
"""
FILES = ("--cases", "cases.jsonl", "--answers", "answers.jsonl")


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.syspath_prepend(str(tmp_path))
    write_answers(tmp_path)
    return Command(tmp_path, monkeypatch, capsys)


def judged(command: Command, *overrides: str) -> dict[str, Any]:
    """An evaluation with two judges, on disk as e.json."""
    words = ("judges=[faithfulness,relevance]", *LLM, *overrides)
    ran = command("answers", "judge", *FILES, "--json", *words)
    assert ran.code == 0, ran.err
    (command.folder / "e.json").write_text(ran.out, encoding="utf-8")
    found: dict[str, Any] = json.loads(ran.out)
    return found


def sampled(command: Command, size: int = 40) -> list[str]:
    ran = command(
        "answers", "sample", *FILES, "--evaluation", "e.json", "--size", str(size), "--out", "label.csv"
    )
    assert ran.code == 0, ran.err
    return [row["id"] for row in read_csv(command.folder / "label.csv")]


def label(command: Command, ids: list[str], out: str = "done.csv", wrong: tuple[str, ...] = ()) -> None:
    """As a person who knows the truth, and errs where `wrong` says: each fourth answer from the second."""
    said = {}
    for name in ids:
        good = (int(name[1:]) % 4 != 1) != (name in wrong)
        said[name] = {"pass": "да" if good else "нет", "faithfulness": "1" if good else "0"}
        said[name]["relevance"] = "4" if good else "1"
    fill(command.folder / "label.csv", command.folder / out, said)


def agreed(command: Command, *more: str) -> dict[str, Any]:
    ran = command("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json", "--json", *more)
    assert ran.code == 0, ran.err
    found: dict[str, Any] = json.loads(ran.out)
    return found


def test_a_judge_that_people_agree_with_may_decide(command: Command) -> None:
    judged(command)
    label(command, sampled(command))
    found = agreed(command, "--out", "agreement.json")
    faithful = found["labels"]["faithfulness"]
    assert faithful["table"] == [[10, 0], [0, 30]]
    assert faithful["kappa"]["value"] == 1.0
    assert faithful["may_decide"] is True
    assert found["labels"]["relevance"]["kappa"]["weights"] == "quadratic"
    assert found["labels"]["pass"]["kind"] == "rule"
    minima = ("--min", "pass_at_1=0.5", "--min", "faithfulness=0.7", "--min", "relevance=0.5")
    ran = command("gate", "--answers", "e.json", *minima, "--agreement", "agreement.json")
    assert ran.code == 0, ran.err
    assert "people agree with faithfulness: kappa 1.000" in ran.out
    ran = command("gate", "--answers", "e.json", "--min", "faithfulness=0.8", "--agreement", "agreement.json")
    assert ran.code == 1
    assert "faithfulness is 0.750 over 40, below 0.8" in ran.out


def test_a_threshold_on_a_judge_without_people_is_refused(command: Command) -> None:
    judged(command)
    ran = command("gate", "--answers", "e.json", "--min", "pass_at_1=0.5", "--min", "faithfulness=0.1")
    assert (ran.code, ran.out) == (2, "")
    assert "--min faithfulness is refused" in ran.err
    assert "nobody has compared with people's" in ran.err
    assert command("gate", "--answers", "e.json", "--min", "pass_at_1=0.5").code == 0


def test_a_judge_below_kappa_is_refused_and_the_config_says_what_is_below(command: Command) -> None:
    judged(command)
    ids = sampled(command)
    label(command, ids, wrong=("c01", "c05", "c09", "c02", "c06"))
    found = agreed(command, "--out", "agreement.json")["labels"]["faithfulness"]
    # of the wrong answers people praised three, of the right ones they blamed two
    assert (found["kinder"], found["harsher"], found["may_decide"]) == (2, 3, False)
    assert {one["id"] for one in found["disagreements"]} == {"c01", "c05", "c09", "c02", "c06"}
    gate = ("gate", "--answers", "e.json", "--min", "faithfulness=0.5", "--agreement", "agreement.json")
    ran = command(*gate)
    assert ran.code == 2
    assert "label more than 40 cases" in ran.err
    assert command(*gate, "kappa=0.2").code == 0


def test_an_agreement_about_another_judge_or_prompt_is_no_licence(command: Command) -> None:
    judged(command)
    label(command, sampled(command))
    agreed(command, "--out", "agreement.json")
    gate = ("gate", "--answers", "e.json", "--min", "faithfulness=0.5", "--agreement", "other.json")
    for key, value, told in (
        ("judge_model", "someone", "someone, and scripted_judge:ask has judged here"),
        ("prompts", [], "with other prompts or settings than claims.en"),
        ("labels", {}, "says nothing of faithfulness"),
    ):
        other = json.loads((command.folder / "agreement.json").read_text(encoding="utf-8"))
        other[key] = value
        (command.folder / "other.json").write_text(json.dumps(other), encoding="utf-8")
        ran = command(*gate)
        assert ran.code == 2
        assert told in ran.err
    (command.folder / "other.json").write_text("{}", encoding="utf-8")
    assert "is no agreement of this version" in command(*gate).err


def test_another_value_without_claims_or_another_function_is_another_judge(command: Command) -> None:
    judged(command)
    label(command, sampled(command))
    agreed(command, "--out", "agreement.json")
    gate = ("gate", "--answers", "e.json", "--min", "faithfulness=0.5", "--agreement", "agreement.json")
    assert command(*gate).code == 0
    judged(command, "without_claims=1")
    ran = command(*gate)
    assert (ran.code, "than claims.without_claims=1" in ran.err) == (2, True)
    ask = ("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json", *FILES, "--swap", *LLM)
    ran = command(*ask)
    assert (ran.code, "or settings than claims.without_claims=null" in ran.err) == (2, True)
    assert command(*ask, "without_claims=1").code == 0
    judged(command, "llm.version=2")
    ran = command(*gate)
    assert (ran.code, 'than llm.version="2", llm.file ' in ran.err) == (2, True)


def test_an_edited_agreement_is_no_licence(command: Command) -> None:
    judged(command)
    ids = sampled(command)
    label(command, ids, wrong=tuple(ids[:15]))
    found = agreed(command)
    found["labels"]["faithfulness"]["kappa"]["lower"] = 0.8
    (command.folder / "other.json").write_text(json.dumps(found), encoding="utf-8")
    ran = command("gate", "--answers", "e.json", "--min", "faithfulness=0.5", "--agreement", "other.json")
    assert (ran.code, ran.err.count("\n")) == (2, 1)
    assert "was changed after it was made: the kappa of faithfulness isn't that of its table" in ran.err


def test_grades_are_compared_with_an_evaluation_that_was_kept_without_texts(command: Command) -> None:
    bare = without_texts(judged(command))
    (command.folder / "e.json").write_text(json.dumps(bare), encoding="utf-8")
    rows = [f"c{at:02},{1 if at % 4 == 1 else 4}" for at in range(20)]
    (command.folder / "done.csv").write_text("\n".join(["id,relevance", *rows]), encoding="utf-8")
    found = agreed(command)["labels"]["relevance"]
    assert (found["same"]["count"], found["same"]["of"], found["kappa"]["value"]) == (20, 20, 1.0)
    assert found["length"]["reason"] == "unknown_length"
    ran = command("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json")
    assert "length: nothing to tell, the evaluation was kept without texts" in ran.out


@pytest.mark.parametrize(("key", "value"), [("prompts", []), ("judge_model", None)])
def test_a_judge_that_nobody_can_name_has_no_licence(command: Command, key: str, value: Any) -> None:
    data = judged(command)
    label(command, sampled(command))
    found = agreed(command, "--out", "agreement.json")
    for name, one in (("e", data), ("other", found)):
        (command.folder / f"{name}.json").write_text(json.dumps({**one, key: value}), encoding="utf-8")
    ran = command("gate", "--answers", "e.json", "--min", "faithfulness=0.5", "--agreement", "other.json")
    assert (ran.code, "doesn't say which model" in ran.err) == (2, True)


@pytest.mark.parametrize("lower", [7, True, "0.9"])
def test_a_kappa_that_can_not_be_is_none(command: Command, lower: Any) -> None:
    judged(command)
    label(command, sampled(command))
    found = agreed(command)
    found["labels"]["faithfulness"]["kappa"]["lower"] = lower
    (command.folder / "other.json").write_text(json.dumps(found), encoding="utf-8")
    ran = command("gate", "--answers", "e.json", "--min", "faithfulness=0.5", "--agreement", "other.json")
    assert (ran.code, "is no agreement" in ran.err) == (2, True)


def test_answers_that_are_missing_or_failed_are_not_measured_and_raise_no_mean(command: Command) -> None:
    judged(command)
    label(command, sampled(command))
    agreed(command, "--out", "agreement.json")
    lines = (command.folder / "answers.jsonl").read_text(encoding="utf-8").splitlines()
    failed = json.dumps({"id": json.loads(lines[2])["id"], "failure": "too hard"})
    (command.folder / "answers.jsonl").write_text("\n".join([*lines[:2], failed]), encoding="utf-8")
    found = judged(command)
    assert found["over"]["faithfulness"] == {"measured": 2, "not_applicable": 0, "not_measured": 38}
    reasons = [
        one["reason"]
        for case in found["cases"].values()
        for one in case["verdicts"]
        if (one["rule"], one["state"]) == ("faithfulness", "not_measured")
    ]
    assert (reasons.count("no_answer"), reasons.count("generator_failed")) == (37, 1)
    gate = ("gate", "--answers", "e.json", "--min", "faithfulness=0.3", "--agreement", "agreement.json")
    assert command(*gate).code == 3


def test_a_judge_that_measured_nothing_leaves_with_1(command: Command) -> None:
    (command.folder / "silent.py").write_text("def judge(messages):\n    raise ValueError('no')\n")
    llm = ("llm=callable", "llm.target=silent:judge", "calls=null", "tracking=none", "limits.attempts=1")
    ran = command("answers", "judge", *FILES, "judges=[relevance]", *llm, "--json")
    assert (ran.code, "nothing was measured by relevance" in ran.err) == (1, True)
    assert json.loads(ran.out)["relevance"] is None


def test_a_label_is_one_that_was_judged(command: Command) -> None:
    judged(command)
    words = ("answers", "sample", *FILES, "--evaluation", "e.json", "--out", "label.csv")
    ran = command(*words, "--label", "faithfullness")
    assert (ran.code, "(is it faithfulness?)" in ran.err) == (2, True)
    assert not (command.folder / "label.csv").exists()
    assert command(*words, "--label", "relevance").code == 0


def test_two_people_are_the_ceiling(command: Command) -> None:
    judged(command)
    ids = sampled(command)
    label(command, ids)
    label(command, ids, "second.csv", wrong=tuple(ids[:12]))
    found = agreed(command, "--second", "second.csv")
    people = found["labels"]["faithfulness"]["people"]
    assert (people["same"]["count"], people["same"]["of"]) == (28, 40)
    assert people["kappa"]["value"] < 0.6
    assert any("faithfulness: people themselves don't agree well enough" in note for note in found["notes"])


def test_asked_again_a_judge_shows_what_order_and_chance_do(command: Command) -> None:
    judged(command)
    label(command, sampled(command))
    found = agreed(command, *FILES, "--repeat", "2", "--swap", *LLM)
    faithful = found["labels"]["faithfulness"]
    # each fourth answer is "ordered": the judge believes it only where [a] is shown first
    assert (faithful["order"]["flipped"]["count"], faithful["order"]["to_fail"]) == (10, 10)
    assert any(
        "faithfulness is harsher when it is shown the same in reverse" in one for one in found["notes"]
    )
    assert (faithful["consistency"]["same"]["value"], faithful["consistency"]["rounds"]) == (1.0, 3)
    # a grade is asked for without any list: nothing of it can be reversed
    order = found["labels"]["relevance"]["order"]
    assert (order["flipped"]["of"], order["not_reversed"], order["reason"]) == (0, 40, "nothing_to_reverse")
    assert (order["flipped"]["value"], order["p_value"]) == (None, None)
    assert found["labels"]["relevance"]["people"] is None
    assert found["labels"]["pass"]["order"] is None


def test_cases_with_one_passage_and_one_claim_are_in_no_share_of_flips(command: Command) -> None:
    rows = [json.loads(one) for one in Path("cases.jsonl").read_text(encoding="utf-8").splitlines()]
    for row in rows[:30]:
        row["context"] = [{"id": "a", "text": f"{row['context'][0]['text']} [b]"}]
    Path("cases.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    judged(command)
    label(command, sampled(command))
    ask = ("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json", *FILES, "--swap", *LLM)
    ran = command(*ask)
    assert ran.code == 0, ran.err
    assert "of 10 verdicts flip" in ran.out
    assert "30 more cases with nothing to reverse" in ran.out
    assert "order reversed: nothing to reverse, 40 cases shown the same either way" in ran.out


def test_a_judge_that_flips_is_told(command: Command) -> None:
    flipping = (
        "import itertools\nturn = itertools.count()\n"
        "def ask(messages):\n    return '{\"grade\": %d}' % (next(turn) % 2 * 4)\n"
    )
    (command.folder / "flipping_judge.py").write_text(flipping, encoding="utf-8")
    llm = ("llm=callable", "llm.target=flipping_judge:ask", *LLM[2:], "limits.concurrency=1")
    ran = command("answers", "judge", *FILES, "--json", "judges=[relevance]", *llm)
    (command.folder / "e.json").write_text(ran.out, encoding="utf-8")
    # 40 calls, and the second round begins with the second case: each gets the other grade
    rows = [f"c{at:02},4" for at in range(1, 40)]
    (command.folder / "done.csv").write_text("\n".join(["id,relevance", *rows]), encoding="utf-8")
    found = agreed(command, *FILES, "--repeat", "1", *llm)["labels"]["relevance"]["consistency"]
    assert (found["same"]["count"], found["same"]["of"], found["spread"]) == (0, 39, 1.0)


def test_only_what_was_labelled_is_asked_again(command: Command) -> None:
    judged(command)
    rows = [f"c{at:02},yes" for at in range(9)]
    (command.folder / "done.csv").write_text("\n".join(["id,relevance", *rows]), encoding="utf-8")
    ask = ("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json", *FILES, "--swap")
    # relevance has one call, of which nothing can be reversed: it is kept from the evaluation
    assert "model: 0 calls" in command(*ask, *LLM).err
    (command.folder / "done.csv").write_text("id,pass\nc01,yes\n", encoding="utf-8")
    ran = command(*ask, *LLM)
    assert ran.code == 2
    assert "no judge was labelled that could be asked again" in ran.err


def test_asking_another_model_again_is_refused(command: Command) -> None:
    judged(command)
    label(command, sampled(command))
    ask = ("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json", "--swap")
    assert "they need --cases and --answers" in command(*ask, *LLM).err
    ran = command(*ask, *FILES, "llm=callable", "llm.target=json:dumps", "calls=null")
    assert ran.code == 2
    assert "ask the same model again" in ran.err
    assert "need a language model" in command(*ask, *FILES).err


def test_a_judge_of_its_own_answers_is_a_warning(command: Command) -> None:
    text = (command.folder / "answers.jsonl").read_text(encoding="utf-8")
    own = text.replace('"writer"', '"scripted_judge:ask"')
    (command.folder / "answers.jsonl").write_text(own, encoding="utf-8")
    judged(command)
    label(command, sampled(command))
    assert any("answers that it wrote itself" in note for note in agreed(command)["notes"])


def test_the_text_names_biases_tables_and_disagreements(command: Command) -> None:
    judged(command)
    label(command, sampled(command), wrong=("c02", "c04", "c06"))
    ran = command("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json", "--limit", "2")
    assert ran.code == 0, ran.err
    for told in ("faithfulness: the judge may", "people: no", "judged yes", "length:", "1 more disagreement"):
        assert told in ran.out


def test_bad_cells_leave_with_2_and_nothing_is_written(command: Command) -> None:
    judged(command)
    sampled(command)
    bad = {"c01": {"pass": "perhaps"}, "c02": {"faithfulness": "3"}}
    fill(command.folder / "label.csv", command.folder / "done.csv", bad)
    ran = command(
        "answers", "agree", "--labels", "done.csv", "--evaluation", "e.json", "--out", "agreement.json"
    )
    assert ran.code == 2
    assert "[c01] the column pass must have" in ran.err
    assert "[c02] the column faithfulness must have" in ran.err
    assert not (command.folder / "agreement.json").exists()


def test_what_a_judge_did_not_measure_can_not_save_a_threshold(command: Command) -> None:
    found = judged(command)
    label(command, sampled(command))
    agreed(command, "--out", "agreement.json")
    found["faithfulness"] = 1.0
    found["over"]["faithfulness"] = {"measured": 30, "not_applicable": 0, "not_measured": 10}
    for name, case in found["cases"].items():
        verdict = next(one for one in case["verdicts"] if one["rule"] == "faithfulness")
        gone = int(name[1:]) % 4 == 1
        verdict.update(state="not_measured" if gone else "pass", value=None if gone else 1.0)
        case["faithfulness"] = verdict["value"]
    (command.folder / "e.json").write_text(json.dumps(found), encoding="utf-8")
    codes = [
        command(
            *(
                "gate",
                "--answers",
                "e.json",
                "--agreement",
                "agreement.json",
                "--min",
                f"faithfulness={least}",
            )
        ).code
        for least in (0.7, 0.8)
    ]
    assert codes == [0, 3]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--min", "pass_at=0.5"), "is it pass_at_1?"),
        ((), "needs --min"),
        (("--min", "pass_at_1=0.5", "--min", "pass@1=0.6"), "given twice"),
        (("--min", "pass_at_1=0.5", "--max-drop", "0.1"), "goes with --min"),
        (("--min", "pass_at_1=0.5", "--alpha", "0"), "goes with --min"),
        (("--min", "pass_at_1=0.5", "lexical.k1=2"), "only kappa=… changes anything"),
        (("--min", "pass_at_1=0.5", "kappa=2"), "kappa must be a number from -1 to 1"),
        (("--min", "pass_at_1"), "--min must be MEASURE=VALUE, such as pass_at_1=0.80, got 'pass_at_1'"),
    ],
)
def test_a_gate_of_answers_refuses_what_would_do_nothing(
    command: Command, words: tuple[str, ...], told: str
) -> None:
    judged(command)
    ran = command("gate", "--answers", "e.json", *words)
    assert ran.code == 2
    assert told in ran.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("gate", "--answers", "", "--min", "pass_at_1=0.5"), "--answers"),
        (("gate", "--answers", "e.json", "--agreement", "", "--min", "pass_at_1=0.5"), "--agreement"),
        (("gate", "--rankings", "", "--min", "recall@5=0.5"), "--rankings"),
        (("answers", "compare", "", "e.json"), "A"),
        (("answers", "compare", "e.json", ""), "B"),
        (("answers", "judge", "--cases", "", "--answers", "answers.jsonl"), "--cases"),
        (("answers", "agree", "--labels", "", "--evaluation", "e.json"), "--labels"),
        (("answers", "agree", "--labels", "l.csv", "--evaluation", ""), "--evaluation"),
        (("answers", "sample", *FILES, "--out", ""), "--out"),
        (("answers", "generate", "--cases", "cases.jsonl", "--out", ""), "--out"),
        (("answers", "finalists", "--out", ""), "--out"),
        (("answers", "cases", "--from-log", "", "--out", "c.jsonl"), "--from-log"),
    ],
)
def test_an_empty_text_is_not_the_folder_that_one_is_in(
    command: Command, words: tuple[str, ...], told: str
) -> None:
    (command.folder / "evaluation.json").write_text("{}", encoding="utf-8")
    ran = command(*words)
    assert (ran.code, ran.out) == (2, "")
    assert f"'{told}': must be a file or folder, got an empty text" in ran.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (
            ("rules.max_words=3",),
            "rules.max_words=3: nothing is asked again without --repeat or --swap",
        ),
        (("llm=callable",), "llm=callable: nothing is asked again"),
        (("kapa=0.5",), "(is it kappa?)"),
        (("--cases", "cases.jsonl"), "--cases: nothing is asked again without --repeat or --swap"),
        ((*FILES, "--budget", "5"), "--cases and --answers and --budget: nothing is asked again"),
        (
            (*FILES, "--swap", *LLM, "rules.max_words=3"),
            "rules.max_words=3: judges are asked again",
        ),
        ((*FILES, "--swap", *LLM, "tracking=mlflow"), "tracking=mlflow: judges are asked again"),
    ],
)
def test_what_would_change_no_agreement_is_refused(
    command: Command, words: tuple[str, ...], told: str
) -> None:
    judged(command)
    (command.folder / "done.csv").write_text("id,relevance\nc01,1\nc02,4\n", encoding="utf-8")
    ran = command("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json", *words)
    assert (ran.code, told in ran.err) == (2, True), ran.err
    assert agreed(command, "kappa=0.5", "tracking=none")["least_kappa"] == 0.5


def test_bad_rows_are_told_as_a_spreadsheet_counts_them(command: Command) -> None:
    judged(command)
    ids = sampled(command, 3)
    fill(command.folder / "label.csv", command.folder / "done.csv", {ids[2]: {"pass": "perhaps"}})
    ran = command("answers", "agree", "--labels", "done.csv", "--evaluation", "e.json")
    # every context takes three lines
    assert f"done.csv row 4 (line 8) [{ids[2]}] the column pass must have" in ran.err


def test_a_gate_of_what_is_no_evaluation_is_told(command: Command) -> None:
    (command.folder / "e.json").write_text(json.dumps({"format": 1, "cases": {}}), encoding="utf-8")
    ran = command("gate", "--answers", "e.json", "--min", "pass_at_1=0.5")
    assert ran.code == 2
    assert "is no evaluation of this version" in ran.err
    assert "can't be read" in command("gate", "--answers", "none.json", "--min", "pass_at_1=0.5").err
    assert "it needs --answers" in command("gate", "--agreement", "a.json", "--min", "pass_at_1=0.5").err


def test_the_gate_of_answers_as_json_and_markdown(command: Command) -> None:
    judged(command)
    gate = ("gate", "--answers", "e.json", "--min", "citations_ok=1.0")
    found = json.loads(command(*gate, "--json").out)
    assert (found["passed"], found["exit_code"], found["checks"][0]["over"]) == (True, 0, 40)
    assert "| passed | citations_ok |" in command(*gate, "--format", "md").out


def test_a_gate_of_answers_as_junit_has_a_failure_for_each_missed_minimum(command: Command) -> None:
    judged(command)
    ran = command(
        *("gate", "--answers", "e.json", "--min", "citations_ok=1", "--min", "groundedness=1"),
        *("--format", "junit"),
    )
    suite = ElementTree.fromstring(ran.out)
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("2", str(ran.code), "0")
    names = [case.get("name") for case in suite.iter("testcase")]
    assert names == ["citations_ok at least 1", "groundedness at least 1"]
    assert {one.get("name") for one in suite.iter("property")} >= {"judge_model", "cases_hash", "cases"}


def test_failed_questions_behind_answers_that_pass_are_told_by_the_gate(command: Command) -> None:
    case = {
        "id": "a",
        "question": "How long?",
        "context": [{"id": "d1", "text": "14 days."}],
        "evidence": True,
    }
    Path("c.jsonl").write_text(json.dumps(case), encoding="utf-8")
    Path("a.jsonl").write_text(json.dumps({"id": "a", "answer": "I don't know."}), encoding="utf-8")
    ran = command("answers", "judge", "--cases", "c.jsonl", "--answers", "a.jsonl", "tracking=none")
    assert "1 of 1 answer pass, pass@1 = 1.000; of those that pass, 1 refuses where" in ran.out
    assert "1 failed question (1 of them with an answer that passes, but refuses wrongly" in ran.out
    assert "refusal: wrongly refused" in ran.out
    words = ("answers", "judge", "--cases", "c.jsonl", "--answers", "a.jsonl", "tracking=none", "--json")
    Path("e.json").write_text(command(*words).out, encoding="utf-8")
    ran = command("gate", "--answers", "e.json", "--min", "pass_at_1=1")
    assert (ran.code, "caution: 1 failed question of 1" in ran.out, "--min refusal_ok=…" in ran.out) == (
        *(0, True, True),
    )
    ran = command("gate", "--answers", "e.json", "--min", "pass_at_1=1", "--min", "refusal_ok=0")
    assert "caution" not in ran.out


def test_what_a_judge_fails_and_could_not_judge_stands_below_the_means(command: Command) -> None:
    (command.folder / "moody.py").write_text(MOODY, encoding="utf-8")
    llm = ("llm=callable", "llm.target=moody:judge", "calls=null", "tracking=none", "limits.attempts=1")
    ran = command("answers", "judge", *FILES, "judges=[relevance]", *llm)
    assert "relevance fails 20 answers: c00, c02" in ran.out
    assert "and 15 more" in ran.out
    assert "relevance isn't measured for 20 answers, failed (ValueError: no wish): c01, c03" in ran.out
    ran = command("answers", "judge", *FILES, "judges=[relevance]", *llm, "--format", "md")
    assert "- relevance fails 20 answers" in ran.out


def test_a_drill_of_answers_tells_by_its_exit_code(command: Command) -> None:
    drill = ("answers", "drill", *FILES, "--only", "drop_citations")
    ran = command(*drill)
    assert ran.code == 0, ran.err
    assert "1 of 1 sabotage caught" in ran.out
    assert command(*drill, "rules.pass_rules=[numbers]").code == 1
    assert command(*drill, "--only", "nothing").code == 2
