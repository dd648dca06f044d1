"""A budget holds: never exceeded, not even for a moment, and not given up early."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Any

import pytest
from llm_server import Model, Says, alone, failed, model

from rag_sweep.errors import ConfigError
from rag_sweep.llm.budget import Ceiling
from rag_sweep.llm.calls import Call, Completion, Message, NotMeasured, Prices
from rag_sweep.llm.client import Client, Limits
from rag_sweep.llm.openai import OpenAI


def call(text: str = "Say something.", **more: Any) -> Call:
    return Call((Message("user", text),), **more)


def many(number: int, **more: Any) -> list[Call]:
    return [call(f"Question {at}", **more) for at in range(number)]


def client(server: Model, **limits: Any) -> Client:
    return Client(OpenAI("stub-1", server.url), Limits(**{"wait_s": 0.01, **limits}))


def texts(found: list[Completion | NotMeasured]) -> list[str]:
    return [one.text if isinstance(one, Completion) else one.reason for one in found]


@dataclass
class Paid:
    """An endpoint that knows what is paid for, whatever it says."""

    prompt: int | None = 30
    completion: int | None = 20
    seconds: float = 0.0
    prices: Prices | None = None
    spent: int = 0
    highest: int = 0
    lock: threading.Lock = field(default_factory=threading.Lock)

    identity = name = "paid"
    thinking_tokens = 0

    def complete(self, call: Call, seconds: float) -> Completion:
        with self.lock:
            self.spent += call.most_prompt_tokens + call.max_tokens
            self.highest = max(self.highest, self.spent)
        time.sleep(self.seconds)
        with self.lock:
            if self.prompt is not None and self.completion is not None:
                self.spent -= call.most_prompt_tokens + call.max_tokens - self.prompt - self.completion
        return Completion("fine", self.prompt, self.completion, "paid")


@pytest.mark.parametrize("budget", [0, 99, 130, 500, 1234])
def test_the_budget_is_never_exceeded_not_even_for_a_moment(budget: int) -> None:
    endpoint = Paid(seconds=0.002)
    asking = Client(endpoint, Limits(concurrency=8, budget=budget))
    calls = many(60, max_tokens=80)
    most = max(one.most_prompt_tokens for one in calls) + 80
    found = asking.complete_many(calls)
    assert endpoint.highest <= budget
    assert asking.budget.spent == endpoint.spent == 50 * asking.asked
    refused = [one for one in found if isinstance(one, NotMeasured)]
    assert {one.reason for one in refused} <= {"budget"}
    assert len(found) == 60 == len(refused) + asking.asked
    # and it isn't given up early: what is left is less than one call may take
    assert not refused or budget - asking.budget.spent < most


def test_where_the_server_says_nothing_the_most_is_counted() -> None:
    endpoint = Paid(prompt=None, completion=None)
    most = call(max_tokens=80).most_prompt_tokens + 80
    asking = Client(endpoint, Limits(concurrency=8, budget=3 * most + 1))
    found = asking.complete_many([call(repeat=at, max_tokens=80) for at in range(10)])
    assert (asking.asked, asking.budget.spent, asking.budget.guessed) == (3, 3 * most, 3 * most)
    assert texts(found).count("budget") == 7
    assert "where the model doesn't say" in asking.told()


def test_thoughts_are_set_aside_too() -> None:
    most = call().most_prompt_tokens + 512 + 1000
    with model(Says(usage=None)) as server:
        for budget, spent in ((most - 1, 0), (most, most)):
            asking = Client(OpenAI("stub-1", server.url, thinking_tokens=1000), Limits(budget=budget))
            alone(asking, call())
            assert asking.budget.spent == spent


def test_an_attempt_that_may_have_cost_something_is_counted() -> None:
    most = call().most_prompt_tokens + 512
    worked = (failed(500), failed(503), Says(status=202), Says(raw=b"{"), Says(cut=True), Says(""))
    refused = (failed(429), failed(400), Says(status=302))
    for says, paid in [*((one, most) for one in worked), *((one, 0) for one in refused)]:
        with model(says) as server:
            asking = client(server, attempts=2)
            alone(asking, call())
            assert asking.budget.spent == server.count * paid


def test_retries_do_not_go_beyond_the_budget() -> None:
    most = call().most_prompt_tokens + 512
    with model(Says(raw=b"{")) as server:
        found = alone(client(server, budget=2 * most + 5, attempts=9), call())
        assert (texts([found]), server.count) == (["budget"], 2)


def test_a_server_that_takes_more_than_was_asked_for_stops_everything() -> None:
    usage = {"prompt_tokens": 40, "completion_tokens": 100_000}
    with model(Says(usage=usage)) as server:
        asking = client(server, budget=5000, concurrency=1)
        found = asking.complete_many(many(5))
        assert texts(found) == ["fine", *["budget"] * 4]
        assert (server.count, asking.budget.spent) == (1, 100_040)


def test_a_budget_in_money_holds_exactly() -> None:
    endpoint = Paid(prices=Prices(0.15, 0.6))
    dear = Prices(0.15, 0.6).of(30, 20)
    asking = Client(endpoint, Limits(concurrency=8, budget="0.0006usd"))
    found = asking.complete_many(many(60, max_tokens=80))
    ceiling = asking.budget.ceiling.money
    assert ceiling is not None
    assert asking.budget.paid.money == asking.asked * dear <= ceiling
    most = Prices(0.15, 0.6).of(call("Question 10").most_prompt_tokens, 80)
    assert texts(found).count("budget") == 60 - asking.asked > 0
    assert ceiling - asking.budget.paid.money < most
    assert "budget 0.0006 usd" in asking.told()


def test_a_budget_in_money_needs_prices() -> None:
    with pytest.raises(ConfigError, match=r"a budget in usd needs llm\.price_in and llm\.price_out"):
        Client(Paid(), Limits(budget="1.50usd"))


@pytest.mark.parametrize("budget", [-1, "much", "1.5", "-1usd", "usd", True, "1,5usd", 1.5, "٣usd", "٣"])
def test_a_budget_that_can_not_be_is_refused(budget: Any) -> None:
    with pytest.raises(ConfigError, match=r"limits\.budget must be tokens"):
        Limits(budget=budget)


@pytest.mark.parametrize(
    "budget",
    ["9" * 5000, 10**5000, "9" * 5000 + "usd", "1." + "0" * 5000 + "usd"],
    ids=["tokens", "int", "money", "cents"],
)
def test_a_budget_of_too_many_digits_is_refused_in_a_line(budget: Any) -> None:
    with pytest.raises(ConfigError, match=r"limits\.budget must be .* of at most 40 chara.*, got ") as caught:
        Limits(budget=budget)
    assert len(str(caught.value)) < 250


def test_a_very_small_sum_is_told_as_it_was_typed() -> None:
    ceiling = Ceiling.of("0.0000001usd")
    assert str(ceiling) == "0.0000001 usd"
    assert Ceiling.of(f"{ceiling.money}{ceiling.currency}") == ceiling  # as the command hands it on
