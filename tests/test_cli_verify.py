"""`rag-sweep verify`: production returns what was measured, or the questions are named."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from answering import Asked, Reply, answering
from commands import Command
from promotions import BASELINE, NUMBER, sweep_in, word

from rag_sweep.champion import Champion, find
from rag_sweep.tracking.mlflow import MLflow


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sweep, and two versions of one model: version 2 (words) is the champion, 1 (vectors) the previous."""
    made = tmp_path_factory.mktemp("verify")
    sweep_in(made)
    return made


@pytest.fixture
def command(folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    made = Command(folder, monkeypatch, capsys)
    if not (folder / "conf").exists():
        assert made("promote", "--yes", "--only", "0").code == 0
        assert made("promote", "--yes", BASELINE).code == 0
    return made


@pytest.fixture
def champion(command: Command) -> Champion:
    return find(tracking=MLflow())


def service(champion: Champion) -> Callable[[Asked], Reply]:
    """A search service that finds what the champion finds."""

    def respond(asked: Asked) -> Reply:
        hits = champion.index.hits(asked.query["q"][0], int(asked.query["size"][0]))
        return Reply({"hits": [{"id": hit.doc_id, "score": hit.score} for hit in hits]})

    return respond


def words(url: str, *more: str) -> tuple[str, ...]:
    return "verify", "--url", f"{url}/search?q={{query}}&size={{k}}", "--ids", "hits[*].id", *more


def test_the_loaded_champion_is_identical(command: Command) -> None:
    ran = command("verify")
    assert ran.code == 0, ran.err
    assert f"Identical: all {NUMBER} questions return what was measured" in ran.out
    assert "the first 3 documents and their scores" in ran.out
    assert "version 2, loaded from models:/rag-sweep/2" in ran.out


@pytest.mark.parametrize("uri", ["models:/rag-sweep/1", "models:/rag-sweep@previous", "previous"])
def test_another_version_is_compared_with_its_own_golden_rankings(command: Command, uri: str) -> None:
    ran = command("verify", uri)
    assert ran.code == 0, ran.err
    assert "version 1, loaded from models:/rag-sweep/1" in ran.out


def test_a_folder_may_be_a_bundle_or_an_mlflow_model(command: Command, champion: Champion) -> None:
    for folder in (champion.folder, champion.folder.parents[1]):
        ran = command("verify", str(folder))
        assert ran.code == 0, ran.err
        assert f"all {NUMBER} questions" in ran.out


def test_a_version_that_finds_otherwise_fails_and_names_the_questions(command: Command) -> None:
    ran = command("verify", "models:/rag-sweep/1", "--golden", "models:/rag-sweep/2")
    assert ran.code == 1
    assert f"q01: what is {word(1)}\n  from rank 1 of 3 on:\n  expected d01" in ran.out
    assert f"of {NUMBER} questions are identical" in ran.out.splitlines()[-1]


def test_json_names_expected_and_got(command: Command) -> None:
    ran = command("verify", "models:/rag-sweep/1", "--golden", "models:/rag-sweep/2", "--json")
    told: dict[str, Any] = json.loads(ran.out)
    assert ran.code == 1
    assert (told["version"], told["asked"], told["k"]) == ("2", NUMBER, 3)
    assert told["identical"] + len(told["apart"]) == NUMBER
    assert told["apart"][0]["expected"] != told["apart"][0]["got"]


def test_fewer_questions_and_ranks_may_be_asked(command: Command) -> None:
    ran = command("verify", "--limit", "4", "--k", "1")
    assert ran.code == 0
    assert f"Identical: all 4 of {NUMBER} questions return what was measured (the first 1 " in ran.out


# The documents as they are now


@pytest.fixture
def changed(command: Command, tmp_path: Path) -> Path:
    """The documents in a copy, one of them changed."""
    copy = tmp_path / "texts.jsonl"
    shutil.copy(command.folder / "texts.jsonl", copy)
    lines = copy.read_text(encoding="utf-8").splitlines()
    lines[7] = lines[7].replace("All there is", "Nothing there is, and nothing more,")
    copy.write_text("\n".join(lines), encoding="utf-8")
    return copy


def test_unchanged_documents_give_the_same_when_the_index_is_built_anew(command: Command) -> None:
    ran = command("verify", "--rebuild")
    assert ran.code == 0, ran.err
    assert "built anew from" in ran.out
    assert "note" not in ran.err


def test_a_changed_document_fails_and_names_the_questions(command: Command, changed: Path) -> None:
    asked = ["dataset=files", f"dataset.documents={changed}", "dataset.gold=asked.jsonl"]
    ran = command("verify", "--rebuild", *asked)
    assert ran.code == 1
    assert "have changed since they were indexed" in ran.err
    assert "q07" in ran.out


def test_documents_that_are_gone_are_one_clear_error(command: Command) -> None:
    file = command.folder / "texts.jsonl"
    aside = file.rename(command.folder / "aside.jsonl")
    try:
        ran = command("verify", "--rebuild")
    finally:
        aside.rename(file)
    assert ran.code == 2
    assert "texts.jsonl" in ran.err


# A service of the user


def test_a_service_that_finds_the_same_is_identical(command: Command, champion: Champion) -> None:
    with answering(service(champion)) as (url, asked):
        ran = command(*words(url))
        assert ran.code == 0, ran.err
        assert len(asked) == NUMBER
        assert "scores not compared" in ran.out
        assert command(*words(url, "--scores", "hits[*].score")).code == 0


def test_a_service_that_loses_a_document_fails_and_names_the_question(
    command: Command, champion: Champion
) -> None:
    right = service(champion)

    def respond(asked: Asked) -> Reply:
        hits = right(asked).content["hits"]
        return Reply({"hits": [hit for hit in hits if hit["id"] != "d07"]})

    with answering(respond) as (url, _):
        ran = command(*words(url, "--json"))
    assert ran.code == 1
    assert [one["query_id"] for one in json.loads(ran.out)["apart"]] == ["q07"]


def test_a_service_that_fails_once_proves_nothing(command: Command, champion: Champion) -> None:
    right = service(champion)

    def respond(asked: Asked) -> Reply:
        return Reply(b"overloaded", 503) if len(requests) == 20 else right(asked)

    with answering(respond) as (url, requests):
        ran = command(*words(url))
    assert ran.code == 2
    assert "answered 503: overloaded" in ran.err
    assert "question q" in ran.err
    assert ran.out == ""


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["models:/rag-sweep/9"], "has no models:/rag-sweep/9; there are versions 2 @champion, 1 @previous"),
        (["models:/nobody@champion"], "it has no model 'nobody'"),
        (["no-such-folder"], "names no champion"),
        (["conf"], "holds no champion: there is no manifest.json"),
        (["a", "b"], "'b' is one name too many"),
        (["http://127.0.0.1:9", "--golden", "nowhere"], "names no champion"),
        (["http://127.0.0.1:9"], "can't be reached"),
        (["--url", "http://h/?q={query}"], "--url needs --ids"),
        (["--ids", "x"], "belong to --url"),
        (["x", "--url", "http://h/{query}", "--ids", "x"], "give a URI or --url"),
        (["--url", "http://h/{query}", "--ids", "a["], "--ids must be a path"),
        (["--url", "http://h/", "--ids", "a"], "must have {query}"),
        (["http://h", "--rebuild"], "so it goes with no service"),
        (["--k", "4"], "--k must be an int from 1 to 3"),
        (["--header", "x", "--url", "http://h/{query}", "--ids", "a"], "--header must be 'Name: value'"),
        (["tracking.path=elsewhere"], "has no models:/rag-sweep@champion"),
    ],
)
def test_what_makes_no_sense_is_one_clear_error(command: Command, arguments: list[str], told: str) -> None:
    ran = command("verify", *arguments)
    assert ran.code == 2, ran.out
    assert told in ran.err
    assert "Traceback" not in ran.err


def test_a_tampered_champion_is_refused(command: Command, champion: Champion, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(champion.folder, tmp_path / "copy"))
    (copy / "golden.jsonl").write_bytes((copy / "golden.jsonl").read_bytes() + b"\n")
    ran = command("verify", str(copy))
    assert ran.code == 2
    assert "golden.jsonl has changed" in ran.err
