"""A key is nowhere but in the environment and in the header that it is sent with."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from pathlib import Path

import pytest
from answer_files import write_files
from commands import Command, Ran, ended, started
from llm_server import Heard, Says, failed, honest, model

from rag_sweep.llm.secrets import in_a_line, told_error, told_value, without_secrets

KEY = "sk-Zq7/very+secret=0123456789"
JUDGES = "judges=[faithfulness,relevance]"


def found(secret: str, ran: Ran, folder: Path) -> list[str]:
    """Where the secret stands: in what was printed, and in every byte of every file that was written."""
    forms = {secret, json.dumps(secret)[1:-1], secret.replace("/", "\\/"), secret.replace("/", "%2F")}
    forms |= {secret[:12], secret[-12:]}
    places = [name for name in ("out", "err") if any(form in getattr(ran, name) for form in forms)]
    for file in folder.rglob("*"):
        if file.is_file() and any(form.encode() in file.read_bytes() for form in forms):
            places.append(str(file.relative_to(folder)))
    return places


Judge = Callable[..., Ran]


def judge_apart(folder: Path, overrides: list[str], env: dict[str, str] | None = None) -> Ran:
    """The command as users start it."""
    files = write_files(folder)
    variables = {"OPENAI_API_KEY": KEY, "NO_COLOR": "1", **(env or {})}
    return ended(started("answers", "judge", *files, "--json", *overrides, cwd=folder, env=variables))


@pytest.fixture
def judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Judge:
    """The command in this process, with its traceback where it ends in one."""

    def run(folder: Path, overrides: list[str], env: dict[str, str] | None = None) -> Ran:
        monkeypatch.chdir(folder)
        for name, value in {"OPENAI_API_KEY": KEY, **(env or {})}.items():
            monkeypatch.setenv(name, value)
        words = ("answers", "judge", *write_files(folder), "--json", *overrides)
        try:
            return Command(tmp_path, monkeypatch, capsys)(*words)
        except Exception:
            return Ran(1, capsys.readouterr().out, traceback.format_exc())

    return run


def echo_in_error(heard: Heard) -> Says:
    return failed(401, f"wrong key: {heard.headers['authorization']}")


def echo_everywhere(heard: Heard) -> Says:
    sent = heard.headers["authorization"]
    return Says(f'{{"grade": 4, "claims": ["{sent}"], "why": "{sent}"}}', headers={"X-Echo": sent})


def echo_escaped(heard: Heard) -> Says:
    sent = heard.headers["authorization"].replace("/", "\\/")
    return Says(status=500, raw=f'{{"error": "{sent}"}}'.encode())


def echo_in_refusal(heard: Heard) -> Says:
    return Says(None, refusal=f"not with {heard.headers['authorization']}")


def echo_late(heard: Heard) -> Says:
    """Just where a message is cut."""
    return failed(400, "x" * 160 + heard.headers["authorization"])


@pytest.mark.parametrize("debug", ["0", "1"])
@pytest.mark.parametrize(
    "respond",
    [honest, echo_in_error, echo_everywhere, echo_escaped, echo_in_refusal, echo_late, Says(cut=True)],
)
def test_the_key_is_in_no_file_and_in_nothing_printed(
    respond: Callable[[Heard], Says] | Says, debug: str, tmp_path: Path, judge: Judge
) -> None:
    with model(respond) as server:
        overrides = server.overrides(JUDGES, "limits.attempts=2")
        ran = judge(tmp_path, overrides, {"RAG_SWEEP_DEBUG": debug})
        assert server.count > 0
        assert all(heard.headers["authorization"] == f"Bearer {KEY}" for heard in server.heard)
    assert json.loads(ran.out)["cases"], ran.err  # it has gone through
    assert found(KEY, ran, tmp_path) == []


@pytest.mark.full
def test_the_key_is_not_in_what_mlflow_is_told(tmp_path: Path) -> None:
    with model(honest) as server:
        overrides = [one for one in server.overrides(JUDGES) if not one.startswith("tracking=")]
        ran = judge_apart(tmp_path, overrides)
    assert ran.code == 0, ran.err
    assert list(tmp_path.rglob("mlflow.db"))
    assert found(KEY, ran, tmp_path) == []


@pytest.mark.parametrize("debug", ["0", "1"])
@pytest.mark.parametrize(
    "override",
    [
        "llm.base_url=http://me:{secret}@127.0.0.1:9/v1",
        "llm.base_url=http://127.0.0.1:9/v1?key={secret}",
        "llm.base_url='http://127.0.0.1:9/v1?key={secret}'",
        "llm.base_url={secret}",
        "'llm.base_url'=http://me:{secret}@127.0.0.1:9/v1",
        "'llm.base_url=\"http://127.0.0.1:9/v1?key={secret}\"'",
        '"llm.base_url=http://me:{secret}@127.0.0.1:9/v1',
        "llm.base_url:http://me:{secret}@127.0.0.1:9/v1",
        "llm.base_url=http://me:{secret}@${{oc.env:HOME}}/v1'",
        "llm[base_url]=http://me:{secret}@127.0.0.1:9/v1",
        "+'llm.api_key'={secret}",
        "llm.api_key={secret}",
        "+llm.api_key={secret}",
        "llm.key_env={secret}",
        "llm.key_env=OPENAI-{secret}",
    ],
)
def test_a_secret_in_the_config_is_refused_and_not_shown(
    override: str, debug: str, tmp_path: Path, judge: Judge
) -> None:
    secret = "s3cretPassw0rdOfMine"
    overrides = ["llm=openai", "llm.model=m", "tracking=none", JUDGES, override.format(secret=secret)]
    ran = judge(tmp_path, overrides, {"RAG_SWEEP_DEBUG": debug})
    assert ran.code == (1 if debug == "1" else 2)
    assert "llm." in ran.err
    assert found(secret, ran, tmp_path) == []


def test_a_secret_in_the_address_of_the_environment_is_refused_and_not_shown(tmp_path: Path) -> None:
    secret = "s3cretPassw0rdOfMine"
    env = {"OPENAI_BASE_URL": f"http://me:{secret}@127.0.0.1:9/v1", "OPENAI_MODEL": "m"}
    ran = judge_apart(tmp_path, ["llm=openai", "tracking=none", JUDGES], env)
    assert (ran.code, "OPENAI_BASE_URL must be" in ran.err) == (2, True)
    assert found(secret, ran, tmp_path) == []


@pytest.mark.parametrize("key", ["sk-first\nsk-second-012345", "ключ-0123456789", "sk with space 012345"])
def test_a_key_that_no_header_takes_is_an_error_without_it(key: str, tmp_path: Path, judge: Judge) -> None:
    with model(honest) as server:
        ran = judge(tmp_path, server.overrides(JUDGES), {"OPENAI_API_KEY": key})
        assert server.count == 0
    assert ran.code == 2
    assert "OPENAI_API_KEY" in ran.err
    assert key.split()[-1] not in ran.err


def test_a_key_with_a_line_end_behind_it_is_sent_without(tmp_path: Path, judge: Judge) -> None:
    with model(honest) as server:
        ran = judge(tmp_path, server.overrides(JUDGES), {"OPENAI_API_KEY": f"{KEY}\n"})
        assert {heard.headers["authorization"] for heard in server.heard} == {f"Bearer {KEY}"}
    assert ran.code == 0


@pytest.mark.parametrize("key", ["1", "true", "EMPTY", "grade"])
def test_a_word_that_local_servers_take_for_a_key_hides_nothing(
    key: str, tmp_path: Path, judge: Judge
) -> None:
    with model(honest) as server:
        ran = judge(tmp_path, server.overrides(JUDGES), {"OPENAI_API_KEY": key})
    assert ran.code == 0
    assert json.loads(ran.out)["over"]["relevance"]["measured"] == 6
    assert "***" not in ran.out


def test_a_redirection_is_not_followed_with_the_key(tmp_path: Path, judge: Judge) -> None:
    with model(honest) as other:

        def respond(heard: Heard) -> Says:
            return Says(status=307, raw=b"", headers={"Location": f"{other.url}/chat/completions"})

        with model(respond) as server:
            ran = judge(tmp_path, server.overrides(JUDGES))
            assert server.count > 0
        assert other.count == 0
    assert json.loads(ran.out)["over"]["relevance"]["not_measured"] == 6


def test_a_netrc_sends_no_password_of_its_own(tmp_path: Path, judge: Judge) -> None:
    (tmp_path / "netrc").write_text("default login me password ofTheNetrc\n", encoding="utf-8")
    env = {"NETRC": str(tmp_path / "netrc")}
    with model(honest) as server:
        judge(tmp_path, server.overrides(JUDGES), env)
        assert {heard.headers["authorization"] for heard in server.heard} == {f"Bearer {KEY}"}
        judge(tmp_path, server.overrides(JUDGES, "calls=null"), env | {"OPENAI_API_KEY": ""})
        assert "authorization" not in server.heard[-1].headers


def test_secrets_of_the_environment_are_hidden_by_their_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SERVICE_TOKEN", "abcdefgh-12345")
    monkeypatch.setenv("DB_PASSWORD", "short")
    assert without_secrets("got abcdefgh-12345 and short") == "got *** and short"
    assert without_secrets("key-of-mine/1 and key-of-mine%2F1", "key-of-mine/1") == "*** and ***"


@pytest.mark.parametrize(
    "written", ["KEY-OF-MINE/1", "Key-Of-Mine\\/1", "&#107;ey-of-mine&#x2f;1", "\\u004bey-of-mine%2f1"]
)
def test_a_key_is_hidden_however_it_is_written(written: str) -> None:
    assert without_secrets(f"no {written}!", "key-of-mine/1") == "no ***!"


def test_a_secret_of_several_words_is_hidden_in_whatever_space() -> None:
    secret = "correct  horse\nbattery"
    for text in (secret, "correct horse battery", repr(secret)[1:-1]):
        assert without_secrets(f"no {text}!", secret) == "no ***!"


def test_what_is_cut_is_masked_first_and_nothing_in_it_is_obeyed_by_a_terminal() -> None:
    key = "sk-abcdefghijklmnop"
    for longest in range(1, 60):
        told = in_a_line(f"the key that was given is {key} \x1b[31mred\x1b]0;title\x07", key, longest=longest)
        assert "sk-" not in told
        assert told.isprintable()
        assert len(told) <= longest
        assert "sk-" not in told_value({"error": f"the wrong key {key}"}, key, longest=longest)
    assert told_error(ValueError(f"{'x' * 180} {key}"), key).endswith("x ***")
