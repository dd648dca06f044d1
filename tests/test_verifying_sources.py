"""What is asked is asked as it is meant, and every way of not answering is one clear error."""

from __future__ import annotations

import json
from typing import Any

import pytest
from answering import Reply, answering

from rag_sweep.errors import ConfigError, ServiceError
from rag_sweep.verifying.jsonpath import JsonPath
from rag_sweep.verifying.sources import Answer, ScoringServer, Service

IDS = JsonPath.parse("hits[*].id", "--ids")
SCORES = JsonPath.parse("hits[*].score", "--scores")
HITS = {"hits": [{"id": "a", "score": 2.5}, {"id": 7, "score": 1}, {"id": "c", "score": 0.5}]}
HARD = 'a "quoted" & spaced? question/with \\ ё {k} 100% #'


def test_a_service_is_asked_with_the_question_in_its_address() -> None:
    with answering(lambda asked: Reply(HITS)) as (url, asked):
        found = Service(f"{url}/search?q={{query}}&size={{k}}", IDS, SCORES).answer(HARD, 2)
    assert found == Answer(("a", "7"), (2.5, 1.0))
    assert asked[0].path == "/search"
    assert asked[0].query == {"q": [HARD], "size": ["2"]}


def test_a_service_may_be_asked_with_a_body() -> None:
    body = '{"query": {"match": "{query}"}, "size": {k}, "all": ["{query}"]}'
    with answering(lambda asked: Reply(HITS)) as (url, asked):
        found = Service(f"{url}/search", IDS, body=body).answer(HARD, 3)
    assert found == Answer(("a", "7", "c"))
    assert asked[0].body == {"query": {"match": HARD}, "size": 3, "all": [HARD]}
    assert asked[0].headers["Content-Type"] == "application/json"


def test_headers_are_sent() -> None:
    with answering(lambda asked: Reply(HITS)) as (url, asked):
        Service(f"{url}?q={{query}}", IDS, headers={"Authorization": "Bearer x"}).answer("q", 1)
    assert asked[0].headers["Authorization"] == "Bearer x"


def test_a_scoring_server_is_asked_as_mlflow_wants_it() -> None:
    reply = {"predictions": [{"ids": ["a", "b"], "scores": [1.0, 0.5], "texts": ["", ""]}]}
    with answering(lambda asked: Reply(reply)) as (url, asked):
        for address in (url, f"{url}/", f"{url}/invocations"):
            assert ScoringServer(address, 5.0).answer(HARD, 2) == Answer(("a", "b"), (1.0, 0.5))
    assert {one.path for one in asked} == {"/invocations"}
    assert asked[0].body == {"dataframe_records": [{"query": HARD, "k": 2}]}


def failing(content: Any, status: int = 200, **how: Any) -> str:
    """The error of asking a service that answers so."""
    with answering(lambda asked: Reply(content, status, **how)) as (url, _):
        with pytest.raises(ServiceError) as caught:
            Service(f"{url}/s?q={{query}}", IDS, SCORES, seconds=0.5).answer("secret words", 3)
        return str(caught.value).replace(url, "URL")


@pytest.mark.parametrize(
    ("content", "status", "told"),
    [
        (b"broken", 500, "URL/s answered 500: broken"),
        (b"", 404, "URL/s answered 404: nothing"),
        (b"x" * 1_000, 503, f"URL/s answered 503: {'x' * 200}…"),
        (HITS, 204, "URL/s answered 204"),
        (HITS, 302, "URL/s answered 302"),
        (b"<html>\nhello</html>", 200, "URL/s answered what is no JSON: <html> hello</html>"),
        (b"", 200, "URL/s answered what is no JSON: nothing"),
        (b"\xff\xfe\x00", 200, "URL/s answered what is no JSON"),
        (b"[" * 100_000, 200, "URL/s answered what is no JSON"),
        ({"rows": []}, 200, "the answer has no hits[*].id: it is an object with rows"),
        ({"hits": [{"id": None, "score": 1}]}, 200, "an id must be a text or a whole number, got None"),
        ({"hits": [{"id": 1.5, "score": 1}]}, 200, "an id must be a text or a whole number, got 1.5"),
        ({"hits": [{"id": True, "score": 1}]}, 200, "an id must be"),
        ({"hits": [{"id": ["a"], "score": 1}]}, 200, "an id must be"),
        ({"hits": [{"id": "a", "score": "1"}]}, 200, "scores must be 1 numbers, one for each id, got ['1']"),
        ({"hits": [{"id": "a", "score": None}]}, 200, "scores must be 1 numbers"),
        (b'{"hits": [{"id": "a", "score": NaN}]}', 200, "scores must be 1 numbers"),
        ({"hits": [{"id": "a"}]}, 200, "the answer has no hits[*].score"),
    ],
)
def test_an_answer_that_is_none_is_one_clear_error(content: Any, status: int, told: str) -> None:
    assert failing(content, status).startswith(told)


def test_a_redirect_is_not_followed() -> None:
    with answering(lambda asked: Reply(HITS)) as (other, reached):
        told = failing(b"", 302, headers={"Location": f"{other}/elsewhere"})
    assert told.startswith("URL/s answered 302")
    assert reached == []


def test_a_service_that_is_slow_is_told_with_the_seconds() -> None:
    assert failing(HITS, seconds=1.5) == "URL/s did not answer within 0.5 s"


def test_a_service_that_is_not_there_is_told() -> None:
    with answering(lambda asked: Reply(HITS)) as (url, _):
        pass
    with pytest.raises(ServiceError, match=r"/s can't be reached: Connection refused"):
        Service(f"{url}/s?q={{query}}", IDS).answer("q", 1)
    with pytest.raises(ServiceError, match="can't be reached"):
        Service("http://nowhere.invalid/?q={query}", IDS).answer("q", 1)


def test_no_question_and_no_password_stands_in_an_error() -> None:
    with answering(lambda asked: Reply(b"", 500)) as (url, _):
        named = url.replace("http://", "http://user:geheim@")
        with pytest.raises(ServiceError) as caught:
            Service(f"{named}/s?q={{query}}", IDS).answer("secret words", 1)
    assert "geheim" not in str(caught.value)
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    "reply",
    [
        [],
        {},
        {"predictions": []},
        {"predictions": [{"ids": ["a"]}]},
        {"predictions": [1]},
        {"predictions": None},
    ],
    ids=json.dumps,
)
def test_a_server_of_another_model_is_told(reply: Any) -> None:
    with (
        answering(lambda asked: Reply(reply)) as (url, _),
        pytest.raises(ServiceError, match="is no model of rag-sweep"),
    ):
        ScoringServer(url, 5.0).answer("q", 1)


@pytest.mark.parametrize(
    ("url", "body", "told"),
    [
        ("http://h/s", None, "--url or --body must have {query}"),
        ("http://h/s", '{"q": 1}', "--url or --body must have {query}"),
        ("ftp://h/{query}", None, "must be given as http://… or https://…"),
        ("file:///etc/passwd?{query}", None, "must be given as http://"),
        ("http://", None, "must be given as"),
        ("http://h/s", "{query}", "--body must be JSON"),
        ("http://h/s", '{"q": {query}}', "--body must be JSON"),
    ],
)
def test_a_service_that_cannot_be_asked_is_refused_at_once(url: str, body: str | None, told: str) -> None:
    with pytest.raises(ConfigError) as caught:
        Service(url, IDS, body=body)
    assert told in str(caught.value)
