"""`rag-sweep answers finalists | compare | cases`, from a small sweep to its tracking runs."""

from __future__ import annotations

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
from commands import HERE, Command, ended, started
from mlflow import MlflowClient
from test_answers_from_sweep import GRID, with_spans


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    found = Command(tmp_path, monkeypatch, capsys)
    with_spans(found)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return found


def swept(command: Command, *overrides: str) -> None:
    ran = command("run", *command.small, *GRID, *overrides)
    assert ran.code == 0, ran.err


def test_finalists_are_left_in_folders_that_can_be_compared(command: Command) -> None:
    swept(command)
    data: Any = command.json("answers", "finalists", "tracking=none", "--out", "out")
    places = [str(one["index"]) for one in data["finalists"]]
    assert len(places) >= 2
    assert {path.name for path in Path("out").iterdir()} == {*places, "finalists.json"}
    files = {path.name for path in (Path("out") / places[0]).iterdir()}
    assert files == {"cases.jsonl", "answers.jsonl", "evaluation.json", "evaluation.csv", "evaluation.md"}
    again: Any = command.json(
        *("answers", "judge", "tracking=none"),
        *("--cases", f"out/{places[0]}/cases.jsonl", "--answers", f"out/{places[0]}/answers.jsonl"),
    )
    assert again["pass_at_1"] == data["finalists"][0]["answers"]["pass_at_1"]
    assert again["cases_hash"] == data["finalists"][0]["cases_hash"]
    found: Any = command.json("answers", "compare", f"out/{places[0]}", f"out/{places[1]}")
    assert {one["name"] for one in found["measures"]} >= {"pass_at_1", "evidence_cited", "groundedness"}
    ran = command("answers", "finalists", "tracking=none", "--out", "out")
    assert (ran.code, "has something in it" in ran.err) == (2, True)


def test_the_value_of_retrieval_stands_apart_from_those_of_answers(command: Command) -> None:
    swept(command)
    data: Any = command.json("answers", "finalists", "tracking=none", "answers.top=1")
    one = data["finalists"][0]
    assert "retrieval" in one
    assert not any(name.startswith(("ndcg", "recall")) for name in one["answers"])
    ran = command("answers", "finalists", "tracking=none", "answers.top=1")
    assert "(ndcg@2)" in ran.out
    assert "--out FOLDER keeps" in ran.out
    assert "failed questions" in ran.out


def test_the_next_command_compares_the_baseline_and_shows_what_changed(command: Command) -> None:
    swept(command)
    ran = command("answers", "finalists", "tracking=none", "--out", "my out")
    line = next(one for one in ran.out.splitlines() if one.startswith("Next: rag-sweep answers compare"))
    words = shlex.split(line.removeprefix("Next: rag-sweep ").partition(" (")[0])
    assert words[1] == "compare"
    ran = command(*words)
    assert ran.code == 0, ran.err
    assert "A: " in ran.out
    assert " failed question" in ran.out
    again = command("answers", "compare", words[2], words[2])
    assert "no difference" in again.out


def test_a_corpus_of_fewer_passages_than_k_is_handed_over_whole_and_that_is_told(command: Command) -> None:
    words = ("-m", "lexical.k1=1,2", "chunker=document")
    assert command("run", *command.small, *words, "journal=mlruns/.sweeps").code == 0
    ran = command("answers", "finalists", "tracking=none", "journal=mlruns/.sweeps")
    assert ran.code == 0, ran.err
    assert "passages are the whole corpus; answers.k hands over fewer" in ran.err
    ran = command("answers", "finalists", "tracking=none", "journal=mlruns/.sweeps", "answers.k=2")
    assert (ran.code, "whole corpus" in ran.err) == (0, False)


def test_other_cases_have_exit_code_3(command: Command) -> None:
    case = {"id": "a", "question": "How long?", "context": [{"id": "d1", "text": "14 days."}]}
    for name, rows in (("one", [case]), ("two", [case, {**case, "id": "b"}])):
        Path(f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
        answers = [{"id": row["id"], "answer": "14 days [d1]."} for row in rows]
        Path(f"{name}-answers.jsonl").write_text("\n".join(map(json.dumps, answers)))
        judged = ("answers", "judge", "--cases", f"{name}.jsonl", "--answers", f"{name}-answers.jsonl")
        Path(f"{name}.json").write_text(json.dumps(command.json(*judged, "tracking=none")))
    ran = command("answers", "compare", "one.json", "two.json")
    assert (ran.code, "only B has 'b'" in ran.err) == (3, True)
    assert command("answers", "compare", "one.json", "one.json").code == 0


def test_other_settings_of_rules_have_exit_code_3(command: Command) -> None:
    case = {"id": "a", "question": "How long?", "context": [{"id": "d1", "text": "14 days."}]}
    Path("c.jsonl").write_text(json.dumps(case))
    Path("a.jsonl").write_text(json.dumps({"id": "a", "answer": "14 days [d1]. It is 14 days."}))
    judged = ("answers", "judge", "--cases", "c.jsonl", "--answers", "a.jsonl", "tracking=none")
    for name, words in (("one", ()), ("two", ("rules.every_sentence=true",))):
        Path(f"{name}.json").write_text(json.dumps(command.json(*judged, *words)))
    assert command("answers", "compare", "one.json", "one.json").code == 0
    ran = command("answers", "compare", "one.json", "two.json")
    assert (ran.code, "rules.every_sentence is false in A and true in B" in ran.err) == (3, True)


def test_a_log_becomes_masked_cases_that_can_be_judged(command: Command) -> None:
    row = {"question": "Меня зовут Анна?", "context": ["Отпуск 28 дней."], "answer": "28 дней [1]."}
    Path("log.jsonl").write_text(json.dumps(row))
    out: Any = command.json(
        *("answers", "cases", "--from-log", "log.jsonl", "--out", "c.jsonl", "--answers", "a.jsonl")
    )
    assert (out["cases"], out["masked"]) == (1, {"PERSON": 1})
    assert "Анна" not in Path("c.jsonl").read_text()
    judged: Any = command.json(
        "answers", "judge", "--cases", "c.jsonl", "--answers", "a.jsonl", "tracking=none"
    )
    assert judged["pass_at_1"] == 1.0
    assert command("answers", "cases", "--from-log", "log.jsonl", "--out", "c.jsonl").code == 2


def runs_of(kind: str = "answers") -> list[Any]:
    client = MlflowClient(f"sqlite:///{Path('mlruns/mlflow.db').absolute()}")
    ids = [one.experiment_id for one in client.search_experiments()]
    return [(client, run) for run in client.search_runs(ids, f"tags.kind = '{kind}'")]


@pytest.mark.full
def test_each_finalist_is_a_tracking_run_that_is_linked_to_its_retrieval_run(command: Command) -> None:
    command.small.remove("tracking=none")
    swept(command, HERE)
    data: Any = command.json("answers", "finalists", HERE)
    runs = runs_of()
    assert len(runs) == len(data["finalists"])
    by_index = {int(run.data.tags["retrieval_index"]): (client, run) for client, run in runs}
    for one in data["finalists"]:
        client, run = by_index[one["index"]]
        retrieval = client.get_run(run.data.tags["retrieval_run_id"])
        assert retrieval.data.tags["sweep_id"] == run.data.tags["retrieval_sweep_id"] == one["sweep_id"]
        assert retrieval.data.tags["index"] == str(one["index"])
        assert run.info.status == "FINISHED"
        assert run.data.metrics["pass_at_1"] == one["answers"]["pass_at_1"]
        assert run.data.metrics["pass_at_1_over"] == one["over"]["pass_at_1"]["measured"]
        assert run.data.params["cases_hash"] == one["cases_hash"]
        assert run.data.params["answer_model"] == "extractive"
        assert not any(name.startswith("ndcg") for name in run.data.metrics)
        assert json.loads(run.data.tags["mlflow.loggedArtifacts"]) == [
            {"path": "answers.json", "type": "table"}
        ]
        assert {file.path for file in client.list_artifacts(run.info.run_id)} == {
            *("answers.json", "evaluation.csv", "evaluation.json", "evaluation.md"),
        }
        traces = client.search_traces(locations=[run.info.experiment_id], run_id=run.info.run_id)
        assert len(traces) == 6
        values = {one.name: one.value for one in traces[0].info.assessments}
        assert values["pass"] is True
        assert "groundedness" not in values  # MLflow shows its own judge of that name as yes or no
        assert (values["numbers"], type(values["numbers"])) == (1.0, float)
        assert traces[0].data.spans[0].outputs == traces[0].info.response_preview
    # sweeps are found as before: a run of answers is none
    assert command("compare", HERE, "--no-log").code == 0


def texts_in(folder: Path) -> str:
    files = (path for path in folder.rglob("*") if path.is_file())
    return "\n".join(path.read_text(encoding="utf-8", errors="ignore") for path in files)


@pytest.mark.full
def test_without_texts_no_question_or_answer_is_tracked(command: Command) -> None:
    case = {"id": "a", "question": "How long is zebra?", "context": [{"id": "d1", "text": "Zebra: 14 days."}]}
    Path("c.jsonl").write_text(json.dumps(case))
    Path("a.jsonl").write_text(json.dumps({"id": "a", "answer": "Zebra 15 [d1]."}))
    judged = ("answers", "judge", "--cases", "c.jsonl", "--answers", "a.jsonl", HERE)
    assert command(*judged, "tracking.text=none").code == 0
    assert "zebra" not in texts_in(Path("mlruns")).casefold()
    assert command(*judged).code == 0
    assert "Zebra: 14 days" not in texts_in(Path("mlruns"))
    assert "Zebra 15" in texts_in(Path("mlruns"))


@pytest.mark.full
def test_more_cases_than_traces_are_logged_without_any_and_that_is_told(command: Command) -> None:
    swept(command)
    ran = command("answers", "finalists", HERE, "traces=5", "answers.top=1")
    assert "cases aren't shown on MLflow's page of evaluation runs" in ran.err
    for client, run in runs_of():
        assert len(client.search_traces(locations=[run.info.experiment_id])) == 0
        assert "mlflow.runType" not in run.data.tags


def test_without_tracking_nothing_is_logged(command: Command) -> None:
    swept(command)
    assert command("answers", "finalists", "tracking=none").code == 0
    assert not Path("mlruns/mlflow.db").exists()


@pytest.mark.full
def test_end_to_end_on_the_handbook_with_real_processes(tmp_path: Path) -> None:
    def run(*words: str) -> str:
        ran = ended(started(*words, cwd=tmp_path, env={"MLFLOW_TRACKING_URI": ""}), 600)
        assert ran.code == 0, ran.err
        return ran.out

    run(
        "run",
        "-m",
        "dataset.language=en",
        "k=3",
        "cutoffs=[1,3]",
        "chunker=document,sentence",
        "tracking=none",
    )
    data = json.loads(run("answers", "finalists", "--out", "finalists", "--json", "tracking=none"))
    a, b = (str(one["index"]) for one in data["finalists"][:2])
    assert "pass_at_1" in run("answers", "compare", f"finalists/{a}", f"finalists/{b}")
    for one in data["finalists"]:
        failed = sum(one["attribution"].values())
        cases = json.loads((tmp_path / f"finalists/{one['index']}/evaluation.json").read_text())["cases"]
        assert failed == sum(case["attribution"] is not None for case in cases.values()) > 0
