"""How a model is asked decides what it says: another setting is another judge."""

from __future__ import annotations

from pathlib import Path

import pytest

from rag_sweep.answers.request import AnswersRequest
from rag_sweep.judges.settings import settings_of
from rag_sweep.llm.callable import FunctionModel
from rag_sweep.llm.openai import OpenAI


def test_a_server_is_named_by_how_it_is_asked_and_not_by_where_it_is() -> None:
    told = ("llm.temperature=0.0", "llm.thinking_tokens=0", "llm.json_mode=true")
    for url in ("http://one:8000/v1", "http://two:8000/v1"):
        assert settings_of(OpenAI("m", url)) == told
    other = OpenAI(
        "m", "http://one:8000/v1", temperature=None, thinking_tokens=9, json_mode=False, timeout_s=1
    )
    assert settings_of(other) == ("llm.temperature=null", "llm.thinking_tokens=9", "llm.json_mode=false")


def test_a_function_is_named_by_its_version_and_its_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "a_judge_in_a_file.py"
    file.write_text("def ask(messages):\n    return '1'\n", encoding="utf-8")
    first = settings_of(FunctionModel("a_judge_in_a_file:ask"))
    assert first == settings_of(FunctionModel("a_judge_in_a_file:ask"))
    assert first[0] == 'llm.version="1"'
    assert settings_of(FunctionModel("a_judge_in_a_file:ask", "2"))[0] == 'llm.version="2"'
    file.write_text("def ask(messages):\n    return '2'\n", encoding="utf-8")
    assert settings_of(FunctionModel("a_judge_in_a_file:ask"))[1] != first[1]


def test_judges_are_asked_with_the_settings_of_the_config() -> None:
    words = ["llm=openai", "llm.model=m", "llm.base_url=http://one:8000/v1", "llm.temperature=1"]
    assert AnswersRequest.of(words).asked.settings[0] == "llm.temperature=1.0"
