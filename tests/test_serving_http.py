"""The whole way: promoted, served by MLflow, proved over HTTP, changed, and rolled back."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from promotions import BASELINE, NUMBER, environment, sweep_in, word
from servers import _begun, _kill, own_port, wait_for

pytestmark = pytest.mark.full


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two promoted versions; the second one is the champion."""
    made = tmp_path_factory.mktemp("serving")
    sweep_in(made)
    assert rag_sweep(made, "promote", "--yes", "--only", "0").returncode == 0
    assert rag_sweep(made, "promote", "--yes", BASELINE).returncode == 0
    return made


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[str]:
    """``mlflow models serve`` on the champion, as the command says it; its address."""
    port = own_port()
    command = [sys.executable, "-m", "mlflow", "models", "serve", "-m", "models:/rag-sweep@champion"]
    command += ["--env-manager", "local", "--port", str(port)]
    store = f"sqlite:///{folder / 'mlruns' / 'mlflow.db'}"
    scripts = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    process = _begun(command, {**environment(), "MLFLOW_TRACKING_URI": store, "PATH": scripts})
    address = f"http://127.0.0.1:{port}"
    try:
        wait_for(f"{address}/ping", process)
        yield address
    finally:
        _kill(process)


def rag_sweep(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "rag_sweep", *words]
    return subprocess.run(
        command, cwd=folder, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, text=True
    )


def invoked(server: str, body: Any) -> tuple[int, Any]:
    """Status and answer of the scoring server."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    request = urllib.request.Request(
        f"{server}/invocations", content, {"Content-Type": "application/json"}, method="POST"
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.loads(answer.read())
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read())


def test_it_answers_with_ids_scores_texts_and_spans(server: str) -> None:
    status, told = invoked(server, {"dataframe_records": [{"query": f"what is {word(7)}", "k": 2}]})
    assert status == 200
    (found,) = told["predictions"]
    assert set(found) == {"ids", "scores", "titles", "texts", "spans"}
    assert {len(column) for column in found.values()} == {2}
    assert found["ids"][0] == "d07"
    assert found["texts"][0] == f"All there is to say of {word(7)}."
    assert found["titles"][0] == f"On {word(7)}"
    assert found["spans"][0] == [0, len(found["texts"][0])]
    assert found["scores"][0] > found["scores"][1] > 0


def test_several_questions_may_come_at_once_and_k_may_be_missing_in_some(server: str) -> None:
    rows = [{"query": word(1), "k": 1}, {"query": word(2)}, {"query": word(3), "k": None}]
    status, told = invoked(server, {"dataframe_records": rows})
    assert status == 200
    assert [found["ids"][0] for found in told["predictions"]] == ["d01", "d02", "d03"]
    assert len(told["predictions"][0]["ids"]) == 1


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ({"dataframe_records": [{"query": "x", "k": 0}]}, "k of row 0 must be an int from 1 to 1,000, got 0"),
        ({"dataframe_records": [{"query": "x", "k": -3}]}, "k of row 0 must be"),
        ({"dataframe_records": [{"query": "x", "k": 2.5}]}, "k of row 0 must be .*got 2.5"),
        ({"dataframe_records": [{"query": "x", "k": "5"}]}, "k of row 0 must be .*got '5'"),
        ({"dataframe_records": [{"query": "x", "k": True}]}, "k of row 0 must be .*got True"),
        ({"dataframe_records": [{"query": "x", "k": 10**30}]}, "k of row 0 must be"),
        ({"dataframe_records": [{"query": 7, "k": 1}]}, "query of row 0 must be a text .*got 7"),
        ({"dataframe_records": [{"query": None}]}, "query of row 0 must be a text .*got nothing"),
        (b'{"dataframe_records": [{"query": NaN}]}', "query of row 0 must be a text .*got nothing"),
        ({"dataframe_records": [{"query": " "}]}, "query of row 0 must be a text that isn't empty"),
        ({"dataframe_records": [{"query": "a"}, {"query": ["b"]}]}, "query of row 1 must be a text"),
        ({"dataframe_records": [{"k": 1}]}, "missing inputs \\['query'\\]"),
        ({"dataframe_records": []}, "missing inputs \\['query'\\]"),
        ({"inputs": ["x"]}, "missing inputs \\['query'\\]"),
        (b"nonsense", "valid JSON"),
    ],
)
def test_bad_input_is_a_clear_error_and_no_crash(server: str, body: Any, told: str) -> None:
    import re

    status, answer = invoked(server, body)
    assert status == 400
    assert re.search(told, answer["message"], re.DOTALL), answer
    assert "Traceback" not in json.dumps(answer)
    assert invoked(server, {"dataframe_records": [{"query": word(4), "k": 1}]})[0] == 200


def test_what_is_served_is_what_was_measured(folder: Path, server: str) -> None:
    ran = rag_sweep(folder, "verify", server)
    assert ran.returncode == 0, ran.stderr
    assert f"Identical: all {NUMBER} questions return what was measured" in ran.stdout
    assert "and their scores" in ran.stdout


def test_it_can_be_asked_as_any_service(folder: Path, server: str) -> None:
    body = '{"dataframe_records": [{"query": "{query}", "k": {k}}]}'
    ids = "predictions[0].ids[*]"
    ran = rag_sweep(folder, "verify", "--url", f"{server}/invocations", "--body", body, "--ids", ids)
    assert ran.returncode == 0, ran.stderr


def test_another_version_than_the_served_one_fails_and_names_the_questions(folder: Path, server: str) -> None:
    ran = rag_sweep(folder, "verify", server, "--golden", "models:/rag-sweep@previous", "--json")
    assert ran.returncode == 1, ran.stderr
    apart = {one["query_id"] for one in json.loads(ran.stdout)["apart"]}
    assert len(apart) > NUMBER // 2


def test_a_changed_document_is_found_by_building_anew_and_then_rolled_back(folder: Path, server: str) -> None:
    file = folder / "texts.jsonl"
    before = file.read_text(encoding="utf-8")
    file.write_text(before.replace(f"to say of {word(9)}", f"of {word(9)} and {word(8)}"), encoding="utf-8")
    try:
        ran = rag_sweep(folder, "verify", "--rebuild")
    finally:
        file.write_text(before, encoding="utf-8")
    assert ran.returncode == 1, ran.stderr
    assert f"q08: what is {word(8)}" in ran.stdout
    assert rag_sweep(folder, "verify", server).returncode == 0  # what is served was not touched
    assert rag_sweep(folder, "promote", "--rollback").returncode == 0
    back = rag_sweep(folder, "verify", server)  # the server still has the version that is champion no more
    assert back.returncode == 1
    assert rag_sweep(folder, "verify").returncode == 0
