"""A function of the user's in place of a server, for judging and for writing."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from llm_server import Heard, Says, alone, failed, model

from rag_sweep.cases.records import Answer, Case, Context
from rag_sweep.config.folder import conf_dir
from rag_sweep.errors import ConfigError
from rag_sweep.generator.callable import FunctionGenerator
from rag_sweep.generator.generator import Desk
from rag_sweep.generator.http import Service
from rag_sweep.generator.openai import ModelGenerator
from rag_sweep.llm.callable import FunctionModel
from rag_sweep.llm.calls import Call, Completion, Message, NotMeasured
from rag_sweep.llm.client import Client, Limits
from rag_sweep.llm.openai import OpenAI
from rag_sweep.llm.prompts import Prompts

MODULE = """
import os
seen = []
def fine(messages):
    seen.append(messages)
    return messages[-1]["content"].upper()
def number(messages): return 7
def empty(messages): return " "
def thinking(messages): return "<think>hm</think> fine"
def only_thinking(messages): return "hm</think> "
def raising(messages): raise RuntimeError("no, with " + os.environ["MY_API_KEY"])
def answer(question, context): return f"{question} {context[0]['id']}"
value = 5
"""
CASES = [
    Case("one", "How long is the trial?", (Context("d1", "The trial takes 14 days."),)),
    Case("two", "Сколько длится отпуск?", (Context("d2", "Отпуск длится 28 дней."),)),
]
PROMPTS = Prompts((conf_dir(),))


@pytest.fixture(autouse=True)
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A module of the user's, of a name of its own, since Python remembers modules."""
    name = f"own_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{name}.py").write_text(MODULE, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("MY_API_KEY", "very-secret-value")
    return name


def asked(target: str, version: str = "1", folder: Path | None = None) -> Completion | NotMeasured:
    client = Client(FunctionModel(target, version), Limits(attempts=1), folder)
    return alone(client, Call((Message("system", "s"), Message("user", "hello"))))


def test_it_takes_messages_and_gives_a_text(own: str) -> None:
    assert asked(f"{own}:fine") == Completion("HELLO", None, None, f"{own}:fine")


def test_what_it_thinks_first_is_no_part_of_the_text(own: str) -> None:
    assert asked(f"{own}:thinking") == Completion("fine", None, None, f"{own}:thinking")


def test_another_version_asks_anew(own: str, tmp_path: Path) -> None:
    module = __import__(own)
    for version in ("1", "1", "2"):
        asked(f"{own}:fine", version, tmp_path / "calls")
    assert len(module.seen) == 2
    assert module.seen[0] == [{"role": "system", "content": "s"}, {"role": "user", "content": "hello"}]


def test_a_changed_file_asks_anew(own: str, tmp_path: Path) -> None:
    file = tmp_path / f"{own}.py"
    for text in (MODULE, MODULE, MODULE.replace("upper", "lower")):
        file.write_text(text, encoding="utf-8")
        asked(f"{own}:fine", "1", tmp_path / "calls")
    assert len(__import__(own).seen) == 2


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("number", "empty_reply"),
        ("empty", "empty_reply"),
        ("only_thinking", "empty_reply"),
        ("raising", "failed"),
    ],
)
def test_what_is_no_text_is_not_measured_and_tells_no_secret(own: str, name: str, reason: str) -> None:
    found = asked(f"{own}:{name}")
    assert isinstance(found, NotMeasured)
    assert found.reason == reason
    assert "very-secret-value" not in found.detail


@pytest.mark.parametrize("target", ["{own}:nothing", "{own}:value", "nothing_like_it:f", "{own}", ""])
def test_what_can_not_be_called_is_an_error_with_its_key(own: str, target: str) -> None:
    named = target.format(own=own)
    with pytest.raises(ConfigError, match=r"^llm\.target"):
        asked(named)
    with pytest.raises(ConfigError, match=r"^generator\.target"):
        FunctionGenerator(named).write(CASES, Desk(PROMPTS), lambda done, total: None)


def test_a_budget_holds_for_a_function_too(own: str) -> None:
    call = Call((Message("user", "hello"),))
    most = call.most_prompt_tokens + call.max_tokens
    client = Client(FunctionModel(f"{own}:fine"), Limits(budget=most))
    found = client.complete_many([call, Call((Message("user", "other"),))])
    assert [isinstance(one, NotMeasured) for one in found].count(True) == 1


def test_a_function_writes_answers(own: str) -> None:
    found = FunctionGenerator(f"{own}:answer").write(CASES, Desk(PROMPTS), lambda done, total: None)
    assert [one.text for one in found] == ["How long is the trial? d1", "Сколько длится отпуск? d2"]


# Answers by a model and by a service


def written(generator: ModelGenerator, respond: Heard | Says | object, **limits: int) -> list[Answer]:
    with model(respond) as server:  # type: ignore[arg-type]
        client = Client(OpenAI("stub-1", server.url), Limits(**{"attempts": 1, **limits}))
        return generator.write(CASES, Desk(PROMPTS, client), lambda done, total: None)


def test_a_model_writes_with_the_prompt_of_the_questions_language() -> None:
    heard: dict[str, str] = {}
    lock = threading.Lock()

    def respond(one: Heard) -> Says:
        with lock:
            heard["ru" if "Вопрос:" in one.user else "en"] = one.user
        return Says(" An answer [d1]. ")

    found = written(ModelGenerator(), respond)
    assert [(one.text, one.model, one.failure) for one in found] == [("An answer [d1].", "stub-1", None)] * 2
    assert "[d1] The trial takes 14 days." in heard["en"]
    assert "[d2] Отпуск длится 28 дней." in heard["ru"]


@pytest.mark.parametrize(
    ("says", "failure"),
    [
        (Says("Half of", finish="length"), "cut: the answer is longer than generator.max_tokens=400"),
        (failed(500), "server: HTTP 500"),
        (Says(None, refusal="I won't"), "model_refused: I won't"),
        (Says(""), "empty_reply"),
    ],
)
def test_an_answer_that_is_none_says_why(says: Says, failure: str) -> None:
    for one in written(ModelGenerator(), says):
        assert one.text == ""
        assert (one.failure or "").startswith(failure)


def test_answers_beyond_the_budget_are_not_written() -> None:
    assert {(one.failure or "").split(":")[0] for one in written(ModelGenerator(), Says("x"), budget=10)} == {
        "budget"
    }


def test_without_a_model_it_says_how_to_get_one() -> None:
    with pytest.raises(ConfigError, match="llm=openai or llm=callable"):
        ModelGenerator().write(CASES, Desk(PROMPTS), lambda done, total: None)


def service(says: Says, **more: str) -> Answer:
    with model(says) as server:
        return Service(server.url, **more).write(CASES[:1], Desk(PROMPTS), lambda done, total: None)[0]


def test_a_service_answers_in_the_field_that_was_named() -> None:
    assert service(Says(raw=b'{"answer": "14 days [d1]."}')).text == "14 days [d1]."
    assert service(Says(raw=b'{"data": {"text": "14"}}'), field="data.text").text == "14"


@pytest.mark.parametrize(
    ("says", "told"),
    [
        (failed(500), "HTTP 500"),
        (Says(raw=b"{}"), "no 'answer'"),
        (Says(raw=b'{"answer": null}'), "must be a text"),
        (Says(raw=b'{"answer": {"text": "14"}}'), "must be a text"),
        (Says(raw=b'{"answer": ""}'), "must give a text"),
        (Says(raw=b"not json"), "JSONDecodeError"),
        (Says(cut=True), "unreachable"),
    ],
)
def test_a_service_that_gives_no_answer_is_the_failure_of_that_case(says: Says, told: str) -> None:
    found = service(says)
    assert found.text == ""
    assert told in (found.failure or "")


@pytest.mark.parametrize("url", ["http://me:pass@host/x", "http://host/x?token=abc", "host", "file:///x"])
def test_an_address_with_a_secret_in_it_is_refused_and_not_shown(url: str) -> None:
    for make in (lambda: Service(url), lambda: OpenAI("m", url)):
        with pytest.raises(ConfigError, match=r"must be an") as caught:
            make()
        assert "pass" not in str(caught.value).replace("password", "")
        assert "abc" not in str(caught.value)
