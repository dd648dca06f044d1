"""Many calls: kept ones first, the others side by side, within limits of rate, time and cost."""

from __future__ import annotations

import math
import random
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path

from rag_sweep.checks import is_count, require
from rag_sweep.errors import ConfigError, UsageError
from rag_sweep.llm.budget import NOTHING, Budget, Ceiling, Cost
from rag_sweep.llm.calls import AskOtherwise, Call, CallFailed, Completion, Endpoint, NotMeasured
from rag_sweep.llm.kept import Kept
from rag_sweep.llm.turns import Turns

Answered = Completion | NotMeasured
Watch = Callable[[int, int], None]


@dataclass(frozen=True)
class Limits:
    """How a model may be asked.

    Parameters
    ----------
    concurrency
        Calls under way at once, >= 1.
    per_minute
        Attempts that begin in a minute, > 0; None sets no limit.
    attempts
        For each call, >= 1.
    deadline_s
        Seconds from a call's first attempt to the end of its last, > 0.
    wait_s
        Seconds before the second attempt; doubled each time, unless the server names a time.
    budget
        For all calls that aren't kept already: tokens, or money such as ``1.50usd`` where the endpoint has
        prices; None sets no limit.
    """

    concurrency: int = 4
    per_minute: float | None = None
    attempts: int = 5
    deadline_s: float = 180.0
    wait_s: float = 1.0
    budget: int | str | None = None

    def __post_init__(self) -> None:
        require("limits.concurrency", self.concurrency, "an int >= 1", is_count(self.concurrency))
        require("limits.attempts", self.attempts, "an int >= 1", is_count(self.attempts))
        slow = self.per_minute is None or 0 < self.per_minute < math.inf
        require("limits.per_minute", self.per_minute, "a number > 0 or null", slow)
        require("limits.deadline_s", self.deadline_s, "a number > 0", 0 < self.deadline_s < math.inf)
        require("limits.wait_s", self.wait_s, "a number >= 0", 0 <= self.wait_s < math.inf)
        _ = self.ceiling

    @property
    def ceiling(self) -> Ceiling:
        """The budget, read."""
        return Ceiling.of(self.budget)


class _Clock:
    """Seconds left for a call; it starts with the first attempt, not in the queue."""

    def __init__(self, seconds: float) -> None:
        self._seconds, self._end = seconds, math.inf

    def start(self) -> None:
        self._end = min(self._end, time.monotonic() + self._seconds)

    @property
    def left(self) -> float:
        return min(self._seconds, self._end - time.monotonic())


@dataclass
class Client:
    """Asks an endpoint.

    Attributes
    ----------
    budget
        With what was spent; calls whose answers were kept cost nothing.
    asked
        Requests that were made.
    reused
        Answers that were kept already.
    """

    endpoint: Endpoint
    limits: Limits = field(default_factory=Limits)
    folder: Path | None = None
    asked: int = 0
    reused: int = 0

    def __post_init__(self) -> None:
        ceiling = self.limits.ceiling
        if ceiling.money is not None and self.endpoint.prices is None:
            raise ConfigError(
                f"a budget in {ceiling.currency} needs llm.price_in and llm.price_out, of a million tokens"
            )
        self.budget = Budget(ceiling)
        self._kept = Kept(self.folder)
        self._turns = Turns(self.limits.per_minute)
        self._lock = threading.Lock()
        self._stopped = threading.Event()

    @property
    def damaged(self) -> int:
        """Kept answers that couldn't be used, and were asked for anew."""
        return self._kept.damaged

    def complete_many(self, calls: Sequence[Call], watch: Watch | None = None) -> list[Answered]:
        """The answers in the order of the calls; equal calls are made once.

        On Ctrl-C and the like, what is under way is awaited and kept, and nothing else is begun.
        """
        identity = self.endpoint.identity
        keys = [call.key(identity) for call in calls]
        found: dict[str, Answered] = {}
        for key in dict.fromkeys(keys):
            kept = self._kept.get(key)
            if kept is not None:
                found[key] = kept
        self.reused += len(found)
        left = {key: call for key, call in zip(keys, calls, strict=True) if key not in found}
        told = watch or (lambda done, total: None)
        told(len(found), len(found) + len(left))
        if left:
            self._ask(left, found, told)
        return [found[key] for key in keys]

    def told(self) -> str:
        """What was asked and what it took, for people; "" if nothing was."""
        if not self.asked and not self.reused:
            return ""
        budget, prices = self.budget, self.endpoint.prices
        parts = [f"{self.asked:,} calls, {budget.spent:,} tokens"]
        if budget.guessed:
            parts[0] += f" at most ({budget.guessed:,} of them where the model doesn't say)"
        if prices is not None:
            parts.append(f"{budget.paid.money:.4f} {budget.ceiling.currency or 'in money'}")
        if self.limits.budget is not None:
            parts.append(f"budget {budget.ceiling}")
        parts.append(f"{self.reused:,} answers were kept already")
        if self.damaged:
            parts.append(f"{self.damaged:,} kept answers were damaged and asked for anew")
        return "; ".join(parts)

    def _ask(self, left: dict[str, Call], found: dict[str, Answered], told: Watch) -> None:
        total = len(found) + len(left)
        self._kept.prepare()
        self._stopped.clear()
        with ThreadPoolExecutor(self.limits.concurrency) as pool:
            try:
                running = {pool.submit(self._one, key, call): key for key, call in left.items()}
                pending: set[Future[Answered]] = set(running)
                while pending:
                    done, pending = wait(pending, return_when=FIRST_COMPLETED)
                    found.update({running[future]: future.result() for future in done})
                    told(len(found), total)
            except BaseException:
                self._stopped.set()
                pool.shutdown(wait=True, cancel_futures=True)
                raise

    def _one(self, key: str, call: Call) -> Answered:
        """One call with all its attempts; the answer is on disk before it counts."""
        clock = _Clock(self.limits.deadline_s)
        attempt = 1
        while True:
            try:
                completion = self._attempt(call, clock)
            except AskOtherwise as failure:  # no attempt that failed: what was asked for can be had
                if clock.left <= 0:
                    return NotMeasured(failure.reason, failure.detail)
            except CallFailed as failure:
                pause = self._pause(attempt) if failure.after is None else failure.after
                if not failure.again or attempt >= self.limits.attempts or pause >= clock.left:
                    return NotMeasured(failure.reason, _told(failure, attempt))
                if failure.after is not None:
                    self._turns.close(failure.after)
                self._stopped.wait(pause)
                attempt += 1
            else:
                self._kept.put(key, completion)
                return completion

    def _pause(self, attempt: int) -> float:
        """Doubled each time, with some chance in it, so that not all come again at once."""
        return float(self.limits.wait_s * 2 ** (attempt - 1) * random.uniform(0.75, 1.25))

    def _attempt(self, call: Call, clock: _Clock) -> Completion:
        most = self._cost(call.most_prompt_tokens, call.max_tokens + self.endpoint.thinking_tokens)
        if self._stopped.is_set() or not self.budget.hold(most):
            raise self._refused(most)
        paid, guessed = NOTHING, False
        try:
            self._turns.take(self._stopped, clock.left)
            clock.start()
            with self._lock:
                self.asked += 1
            paid, guessed = most, True  # until it is known better
            completion = self.endpoint.complete(call, clock.left)
            if completion.prompt_tokens is not None and completion.completion_tokens is not None:
                paid = self._cost(completion.prompt_tokens, completion.completion_tokens)
                guessed = False
            return completion
        except UsageError:  # nothing was sent: a key that no header takes, no address, no library
            paid, guessed = NOTHING, False
            with self._lock:
                self.asked -= 1
            raise
        except CallFailed as failure:
            paid, guessed = (most, True) if failure.paid else (NOTHING, False)
            raise
        finally:
            self.budget.settle(most, paid, guessed=guessed)

    def _cost(self, prompt_tokens: int, completion_tokens: int) -> Cost:
        prices = self.endpoint.prices
        tokens = prompt_tokens + completion_tokens
        return Cost(tokens, prices.of(prompt_tokens, completion_tokens)) if prices else Cost(tokens)

    def _refused(self, most: Cost) -> CallFailed:
        if self._stopped.is_set():
            return CallFailed("interrupted", "the evaluation was interrupted")
        ceiling = self.budget.ceiling
        told = f"of {ceiling} too little is left for a call that may take {ceiling.told(most)}"
        return CallFailed("budget", told)


def _told(failure: CallFailed, attempt: int) -> str:
    return failure.detail if attempt == 1 else f"{failure.detail} ({attempt} attempts)"
