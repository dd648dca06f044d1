"""`rag-sweep promote` from a sweep to a champion, and back."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import Command, Ran
from promotions import BASELINE, NUMBER, sweep_in, word

from rag_sweep import load_sweep
from rag_sweep.champion import Champion, find
from rag_sweep.config import build
from rag_sweep.tracking.mlflow import MLflow

CHOSEN = "k1=0.9 lexical_only"
"""The name of what the rule chooses."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One sweep and one registry for all; each test has a model of its own."""
    made = tmp_path_factory.mktemp("promote")
    sweep_in(made)
    return made


@pytest.fixture
def command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    return Command(folder, monkeypatch, capsys)


@pytest.fixture
def changed(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    """The same in a copy, whose files may be changed."""
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    ignored = shutil.ignore_patterns("mlflow.db*", "artifacts", "promoted")
    copy = shutil.copytree(folder, tmp_path / "copy", ignore=ignored)
    return Command(Path(copy), monkeypatch, capsys)


@pytest.fixture
def name(request: pytest.FixtureRequest) -> str:
    return f"m{abs(hash(request.node.name))}"


def promote(command: Command, name: str, *words: str) -> Ran:
    return command("promote", "--name", name, "--yes", BASELINE, *words)


def champion_of(name: str, alias: str = "champion") -> Champion:
    return find(f"models:/{name}@{alias}", tracking=MLflow())


def listed(command: Command, name: str) -> dict[str, list[str]]:
    ran = command("promote", "--list", "--json", "--name", name)
    assert ran.code == 0, ran.err
    return {one["version"]: one["aliases"] for one in json.loads(ran.out)}


# The decision


def test_what_the_rule_chooses_becomes_the_champion(command: Command, name: str) -> None:
    ran = promote(command, name)
    assert ran.code == 0, ran.err
    assert f"Promote {CHOSEN}" in ran.out
    assert f"all {NUMBER} questions are answered as they were measured" in ran.err
    assert f"Version 1 of {name} is the champion: {CHOSEN}" in ran.out
    assert f"rag-sweep run promoted={name}" in ran.out
    assert f"mlflow models serve -m models:/{name}@champion --env-manager local" in ran.out
    assert "MLFLOW_TRACKING_URI=sqlite:///mlruns/mlflow.db" in ran.out
    found = champion_of(name)
    assert found.configuration.params["fusion"] == "lexical_only"
    assert found.version == "1"
    assert len(found.golden.questions) == NUMBER


def test_the_champion_carries_the_honest_value_and_the_measured_ones(command: Command, name: str) -> None:
    assert promote(command, name).code == 0
    card = champion_of(name).scorecard
    assert card.honest is not None
    assert set(card.honest) == {"value", "lower", "upper", "naive", "optimism", "configurations"}
    assert card.means()["ndcg@3"] == pytest.approx(1.0)
    tags = json.loads(command("promote", "--list", "--json", "--name", name).out)[0]["tags"]
    assert tags["value.ndcg_at_3"] == "1.000000"
    assert tags["corpus"] == card.corpus_hash
    assert tags["gold"] == card.gold_hash
    assert tags["fingerprint"] == card.fingerprint
    assert tags["honest"] == f"{card.honest['value']:.6f}"
    assert tags["rule"] == "cheapest_of_the_best"


def test_the_same_decision_again_registers_nothing(command: Command, name: str) -> None:
    promote(command, name)
    ran = promote(command, name)
    assert ran.code == 0
    assert "Nothing to promote: it is the champion of" in ran.out
    assert listed(command, name) == {"1": ["champion"]}


def test_a_baseline_that_stays_can_become_the_first_champion_only(command: Command, name: str) -> None:
    kept = "decide.baseline='fusion=lexical_only lexical.k1=0.9'"
    ran = command("promote", "--name", name, "--yes", kept)
    assert ran.code == 0, ran.err
    assert "Nothing to promote, the baseline stays. There is no champion yet" in ran.out
    assert listed(command, name) == {"1": ["champion"]}
    assert champion_of(name).scorecard.honest is None
    command("promote", "--name", name, "--yes", "--only", "0")
    ran = command("promote", "--name", name, "--yes", kept)
    assert ran.code == 0
    assert "Nothing to promote, the baseline stays. The champion of" in ran.out
    assert listed(command, name) == {"2": ["champion"], "1": ["previous"]}


def test_only_promotes_another_one_and_says_that_the_rule_did_not_choose_it(
    command: Command, name: str
) -> None:
    ran = promote(command, name, "--only", "0")
    assert ran.code == 0, ran.err
    assert "The rule did not choose this one: it was named with --only." in ran.out
    assert champion_of(name).configuration.params["fusion"] == "dense_only"
    assert champion_of(name).scorecard.honest is None
    (told,) = json.loads(command("promote", "--list", "--json", "--name", name).out)
    assert told["tags"]["rule"] == "none: named by hand"


@pytest.mark.parametrize(
    ("only", "told"),
    [
        ("99", "--only '99' names no configuration that was measured; there are 4"),
        ("nothing like it", "names no configuration that was measured"),
        ("20200101-000000-abcdef:0", "names no configuration that was measured"),
    ],
)
def test_only_with_a_name_of_nothing_is_refused(command: Command, name: str, only: str, told: str) -> None:
    ran = promote(command, name, "--only", only)
    assert ran.code == 2
    assert told in ran.err


def test_only_takes_the_name_of_a_configuration_and_a_place(command: Command, name: str) -> None:
    plan = command.json("promote", "--name", name, "--only", "3", "--dry-run")
    for only in (str(plan["configuration"]), f"{plan['sweep']}:3"):
        again = command.json("promote", "--name", name, "--only", only, "--dry-run")
        assert (again["index"], again["configuration"]) == (3, plan["configuration"])


def test_a_budget_chooses_among_those_that_keep_to_it(command: Command, name: str) -> None:
    """Words break it, so the baseline of vectors can't be beaten by them."""
    rows = command.json("compare", BASELINE, "--no-log")["rows"]
    assert isinstance(rows, list)
    units = {row["name"]: row["cost"]["units"] for row in rows}
    least, most = min(units.values()), max(units.values())
    assert least < most
    told = command.json(
        *("promote", "--name", name, "--dry-run", "decide.rule=pareto"),
        *(f'decide.constraint="units<={least}"', BASELINE),
    )
    assert units[str(told["configuration"])] == least
    ran = command("promote", "--name", name, "decide.rule=pareto", 'decide.constraint="units<=1"')
    assert ran.code == 2
    assert f"no configuration keeps to 'units<=1'; the least that there is: units {least}" in ran.err


# Asking


def test_without_a_terminal_and_without_yes_nothing_is_done(command: Command, name: str) -> None:
    ran = command("promote", "--name", name, BASELINE)
    assert ran.code == 2
    assert "no terminal to ask at; --yes answers" in ran.err
    assert f"Promote {CHOSEN}" in ran.out
    assert listed(command, name) == {}


@pytest.mark.parametrize(("answer", "code", "versions"), [("y", 0, 1), ("n", 1, 0), ("", 1, 0)])
def test_at_a_terminal_it_asks(
    command: Command, name: str, monkeypatch: pytest.MonkeyPatch, answer: str, code: int, versions: int
) -> None:
    import io

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdin", Terminal(f"{answer}\n"))
    ran = command("promote", "--name", name, BASELINE)
    assert ran.code == code
    assert f"Promote {CHOSEN}" in ran.err
    assert "[y/N]" in ran.err
    assert len(listed(command, name)) == versions


def test_a_dry_run_decides_and_proves_and_writes_nothing(command: Command, name: str) -> None:
    before = command.files()
    ran = command("promote", "--name", name, BASELINE, "--dry-run")
    assert ran.code == 0, ran.err
    assert "Nothing was registered (--dry-run)" in ran.out
    assert f"all {NUMBER} questions" in ran.err
    assert command.files() == before
    assert listed(command, name) == {}


def test_json_says_what_was_decided_and_done(command: Command, name: str) -> None:
    ran = promote(command, name, "--json")
    told: dict[str, Any] = json.loads(ran.out)
    assert (told["action"], told["by_rule"], told["proved"]) == ("promote", True, NUMBER)
    assert told["decision"]["headline"].startswith(f"Promote {CHOSEN}")
    assert told["registered"]["version"]["uri"] == f"models:/{name}/1"
    assert told["registered"]["file"] == f"conf/promoted/{name}.yaml"
    again = json.loads(promote(command, name, "--json").out)
    assert again["action"] == "champion"
    assert again["champion"]["version"] == "1"


# What is refused


def test_changed_documents_are_refused_and_named(changed: Command, name: str) -> None:
    texts = (changed.folder / "texts.jsonl").read_text(encoding="utf-8").splitlines()
    more = [*texts[1:], '{"id": "new", "title": "", "text": "more"}']
    (changed.folder / "texts.jsonl").write_text("\n".join(more), encoding="utf-8")
    ran = promote(changed, name)
    assert ran.code == 2
    assert "d00" in ran.err  # the gold's document is gone: the dataset itself can't be read


def test_a_changed_text_is_refused(changed: Command, name: str) -> None:
    file = changed.folder / "texts.jsonl"
    file.write_text(
        file.read_text(encoding="utf-8").replace("to say of baba", "to tell of baba"), encoding="utf-8"
    )
    ran = promote(changed, name)
    assert ran.code == 2
    assert "have changed since sweep" in ran.err
    assert "titles or texts are others" in ran.err
    assert listed(changed, name) == {}


def test_new_documents_are_refused_and_named(changed: Command, name: str) -> None:
    file = changed.folder / "texts.jsonl"
    file.write_text(
        f'{file.read_text(encoding="utf-8")}\n{{"id": "new", "title": "", "text": "x"}}', encoding="utf-8"
    )
    ran = promote(changed, name)
    assert ran.code == 2
    assert "(1 new: new)" in ran.err


def test_a_changed_gold_is_refused(changed: Command, name: str) -> None:
    file = changed.folder / "asked.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("what is", "who is", 1), encoding="utf-8")
    ran = promote(changed, name)
    assert ran.code == 2
    assert "the gold of" in ran.err
    assert "has changed since sweep" in ran.err


def test_a_ranking_that_is_not_what_was_measured_is_refused(
    command: Command, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rag_sweep.index import Index

    build = Index.build

    def shifted(pipeline: Any, corpus: Any) -> Index:
        from dataclasses import replace

        from rag_sweep.lexical import BM25

        return build(replace(pipeline, lexical=BM25(k1=0.0, b=0.0)), corpus)

    monkeypatch.setattr(Index, "build", staticmethod(shifted))
    ran = promote(command, name)
    assert ran.code == 2
    assert f"of {NUMBER} questions are answered otherwise than sweep" in ran.err
    assert listed(command, name) == {}


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tracking=none"], "tracking=none has no registry"),
        (["tracking.text=none"], "tracking.text=none keeps texts out of MLflow"),
        (["--name", "a/b"], "--name must be 1 to 100 letters"),
        (["--name", "../x"], "--name must be 1 to 100 letters"),
        (["--rollback", "--list"], "give one of them"),
        (["--rollback", "--only", "1"], "--only has no effect with --rollback"),
        (["--list", "20200101-000000-abcdef"], "has no effect here"),
        (["--thresholds", "nothing.yaml"], "nothing.yaml"),
        (["20200101-000000-abcdef"], "no sweep 20200101-000000-abcdef"),
    ],
)
def test_what_makes_no_sense_is_one_clear_error(command: Command, words: list[str], told: str) -> None:
    ran = command("promote", "--yes", *words)
    assert ran.code == 2
    assert told in ran.err
    assert "Traceback" not in ran.err


@pytest.mark.full
def test_a_sweep_without_texts_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    sweep_in(tmp_path, "tracking=mlflow", "tracking.text=none", "tracking.process=false")
    ran = Command(tmp_path, monkeypatch, capsys)("promote", "--yes", BASELINE)
    assert ran.code == 2
    assert "was run with tracking.text=none" in ran.err


# Thresholds


def test_thresholds_are_kept_with_the_champion(command: Command, name: str) -> None:
    (command.folder / "thresholds.yaml").write_text(
        "format: 1\nminima:\n  recall@3: {value: 0.8, reason: release, date: 2026-11-30}\n", encoding="utf-8"
    )
    assert promote(command, name, "--thresholds", "thresholds.yaml").code == 0
    kept = champion_of(name).thresholds
    assert kept["minima"]["recall@3"]["value"] == 0.8


# Written down


def test_the_written_option_reproduces_the_run_byte_for_byte(command: Command, name: str) -> None:
    told = json.loads(promote(command, name, "--json").out)
    journals = command.folder / "mlruns" / ".sweeps"
    before = set(journals.iterdir())
    ran = command("run", f"promoted={name}", "tracking=none", "store=none")
    assert ran.code == 0, ran.err
    (journal,) = set(journals.iterdir()) - before
    again, measured = load_sweep(journal), load_sweep(told["sweep"], journal=journals)
    row = measured.row(told["index"])
    assert again.values[0].tobytes() == measured.values[row].tobytes()
    assert again.documents[0].tobytes() == measured.documents[row].tobytes()
    assert again.passage_numbers[0].tobytes() == measured.passage_numbers[row].tobytes()
    assert again.top_scores[0].tobytes() == measured.top_scores[row].tobytes()
    assert again.configurations[0].fingerprint == champion_of(name).scorecard.fingerprint


def test_the_option_can_be_changed_and_swept_on_the_command_line(command: Command, name: str) -> None:
    promote(command, name)
    told = command.json(
        "run", "-m", f"promoted={name}", "lexical.k1=0.7,1.1", "tracking=none", "store=none", "journal=null"
    )
    configurations: Any = told["configurations"]
    assert {one["params"]["lexical.k1"] for one in configurations} == {0.7, 1.1}
    assert {one["params"]["fusion"] for one in configurations} == {"lexical_only"}


def test_an_option_that_is_not_there_is_told_with_those_that_are(command: Command, name: str) -> None:
    promote(command, name)
    ran = command("run", "promoted=nobody", "tracking=none")
    assert ran.code == 2
    assert "promoted=nobody doesn't exist" in ran.err


def test_without_anything_promoted_it_is_told_who_writes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    ran = Command(tmp_path, monkeypatch, capsys)("run", "promoted=x", "tracking=none")
    assert ran.code == 2
    assert "`rag-sweep promote` writes it" in ran.err


def test_a_config_directory_of_the_user_gets_the_option(command: Command, name: str) -> None:
    (command.folder / "mine").mkdir(exist_ok=True)
    ran = promote(command, name, "--config-dir", "mine")
    assert ran.code == 0, ran.err
    assert (command.folder / "mine" / "promoted" / f"{name}.yaml").is_file()
    assert not (command.folder / "conf" / "promoted" / f"{name}.yaml").exists()
    again = command("run", "--config-dir", "mine", f"promoted={name}", "tracking=none", "journal=null")
    assert again.code == 0, again.err


def test_a_file_changed_by_hand_is_kept_and_told(command: Command, name: str) -> None:
    promote(command, name)
    file = command.folder / "conf" / "promoted" / f"{name}.yaml"
    by_hand = file.read_text(encoding="utf-8").replace("k1: 0.9", "k1: 0.8")
    assert "k1: 0.8" in by_hand
    file.write_text(by_hand, encoding="utf-8")
    ran = promote(command, name, "--only", "0")
    assert "was changed by hand: what it held is in" in ran.err
    kept = file.with_name(f"{name}.changed-by-hand-1")
    assert kept.read_text(encoding="utf-8") == by_hand
    assert yaml.safe_load(file.read_text(encoding="utf-8"))["lexical"]["k1"] == 0.9
    assert promote(command, name, "--only", "1").err.count("by hand") == 0


def test_an_option_that_is_missing_is_written_again(command: Command, name: str) -> None:
    promote(command, name)
    file = command.folder / "conf" / "promoted" / f"{name}.yaml"
    text = file.read_text(encoding="utf-8")
    file.unlink()
    assert "was not there" not in promote(command, name, "--dry-run").err
    assert f"{name}.yaml was not there, and is written again" in promote(command, name).err
    assert file.read_text(encoding="utf-8") == text


def test_an_option_that_cannot_be_written_is_told_before_anything_is_registered(
    command: Command, name: str
) -> None:
    (command.folder / "beside").mkdir(exist_ok=True)
    (command.folder / "beside" / "promoted").write_text("a file, no folder", encoding="utf-8")
    ran = promote(command, name, "--config-dir", "beside")
    assert ran.code == 2
    assert f"beside/promoted/{name}.yaml can't be written" in ran.err
    assert listed(command, name) == {}


@pytest.mark.full
def test_a_component_of_the_user_is_promoted_and_needs_trust_from_then_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    group = tmp_path / "mine" / "chunker"
    group.mkdir(parents=True)
    (group / "ends.yaml").write_text("_target_: ends_of_a_test.Ends\n", encoding="utf-8")
    (tmp_path / "ends_of_a_test.py").write_text(
        "from dataclasses import dataclass\n\n@dataclass(frozen=True)\nclass Ends:\n    version = 1\n"
        "    def split(self, text):\n        return [(0, len(text))]\n",
        encoding="utf-8",
    )
    sweep_in(tmp_path, "--config-dir", "mine", "chunker=ends")
    command = Command(tmp_path, monkeypatch, capsys)
    ran = command("promote", "--yes", "--config-dir", "mine", BASELINE)
    assert ran.code == 0, ran.err
    assert "components that aren't rag-sweep's own (ends_of_a_test.Ends)" in ran.err
    assert "rag-sweep run --config-dir=mine promoted=rag-sweep" in ran.out
    build._built.clear()
    ran = command("verify")
    assert ran.code == 2
    assert "chunker._target_ is 'ends_of_a_test.Ends'" in ran.err
    assert command("verify", "--trust").code == 0
    monkeypatch.setenv("RAG_SWEEP_TRUST", "1")
    assert command("verify", "--rebuild").code == 0
    ran = command("run", "--config-dir=mine", "promoted=rag-sweep", "tracking=none", "store=none")
    assert ran.code == 0, ran.err


# Back


def test_rolling_back_brings_the_former_champion_and_its_option(command: Command, name: str) -> None:
    promote(command, name)
    promote(command, name, "--only", "0")
    assert champion_of(name, "previous").version == "1"
    ran = command("promote", "--rollback", "--name", name)
    assert ran.code == 0, ran.err
    assert f"Version 1 of {name} is the champion instead of version 2: {CHOSEN}" in ran.out
    assert listed(command, name) == {"1": ["champion"], "2": []}
    told = yaml.safe_load((command.folder / "conf" / "promoted" / f"{name}.yaml").read_text(encoding="utf-8"))
    assert {"override /fusion": "lexical_only"} in told["defaults"]
    ran = command("promote", "--rollback", "--name", name)
    assert ran.code == 2
    assert "has no version before it to roll back to; there are versions 2, 1 @champion" in ran.err


def test_rolling_back_to_a_damaged_version_is_refused_and_changes_nothing(
    command: Command, name: str
) -> None:
    promote(command, name)
    promote(command, name, "--only", "0")
    for file in Path("mlruns").rglob("documents.jsonl"):
        content = file.read_bytes()
        if _is_of(file, name, "lexical_only"):
            file.write_bytes(content + b"\n")
    ran = command("promote", "--rollback", "--name", name)
    assert ran.code == 2
    assert "documents.jsonl has changed" in ran.err
    assert listed(command, name) == {"2": ["champion"], "1": ["previous"]}


def _is_of(file: Path, name: str, fusion: str) -> bool:
    manifest = json.loads((file.parent / "manifest.json").read_text(encoding="utf-8"))
    told = json.loads((file.parent / "configuration.json").read_text(encoding="utf-8"))
    return bool(manifest["name"] == name and told["choices"]["fusion"] == fusion)


def test_an_exchanged_bundle_is_not_the_one_that_was_registered(command: Command, name: str) -> None:
    """Whole in itself, but another one: only the registry can tell."""
    promote(command, name)
    promote(command, name, "--only", "0")
    folders = {
        fusion: next(f.parent for f in Path("mlruns").rglob("documents.jsonl") if _is_of(f, name, fusion))
        for fusion in ("lexical_only", "dense_only")
    }
    shutil.rmtree(folders["dense_only"])
    shutil.copytree(folders["lexical_only"], folders["dense_only"])
    ran = command("verify", "--name", name)
    assert ran.code == 2
    assert "isn't the bundle that was registered" in ran.err


@pytest.mark.parametrize("file", ["MLmodel", "requirements.txt"])
def test_a_model_that_would_be_loaded_another_way_is_refused(command: Command, name: str, file: str) -> None:
    promote(command, name)
    folder = next(
        f.parents[2] for f in Path("mlruns").rglob("documents.jsonl") if _is_of(f, name, "lexical_only")
    )
    with (folder / file).open("a", encoding="utf-8") as target:
        target.write("\n# and more\n")
    ran = command("verify", "--name", name)
    assert ran.code == 2
    assert "MLmodel or its requirements have changed since it was registered" in ran.err


def test_the_only_configuration_of_a_run_can_be_promoted_by_naming_it(command: Command, name: str) -> None:
    promote(command, name)
    before = set((command.folder / "mlruns" / ".sweeps").iterdir())
    assert command("run", f"promoted={name}", "lexical.k1=0.7", "tracking=none", "store=none").code == 0
    (journal,) = set((command.folder / "mlruns" / ".sweeps").iterdir()) - before
    ran = command("promote", "--name", name, "--yes", str(journal))
    assert ran.code == 0, ran.err
    assert "is the only configuration" in ran.out
    assert champion_of(name).configuration.params["lexical.k1"] == 0.7
    assert champion_of(name, "previous").version == "1"


def test_the_list_shows_aliases_values_and_names(command: Command, name: str) -> None:
    promote(command, name)
    promote(command, name, "--only", "0")
    lines = command("promote", "--list", "--name", name).out.splitlines()
    assert lines[0].split() == [
        "version",
        "alias",
        "dataset",
        "registered",
        "ndcg@3",
        "honest",
        "configuration",
    ]
    assert "champion" in lines[1]
    assert "dense_only" in lines[1]
    assert "previous" in lines[2]
    assert "1.0000" in lines[2]
    assert word(0) not in "\n".join(lines)


def test_a_list_of_nothing_says_where_it_looked(command: Command, name: str) -> None:
    ran = command("promote", "--list", "--name", name)
    assert ran.code == 0
    assert f"No version of {name} is registered in MLflow at" in ran.out
