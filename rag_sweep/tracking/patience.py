"""A tracking server that is away: asked again for some seconds, then given up, and no longer waited for."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rag_sweep.tracking.thirdparty import causes, reason_of, retries_are_ours

if TYPE_CHECKING:
    from mlflow import MlflowClient

PATIENCE = 15.0  # seconds from the first failure; the last try may take another ten
_FIRST_WAIT = 0.25
_LONGEST_WAIT = 4.0
_PAUSE = 5.0  # seconds after giving up in which nothing is tried


class Patient:
    """MLflow's client, for a server: each method is called again while no answer comes.

    MLflow's own retries grow to minutes, and a silent server costs a timeout at each of them. Here a call
    ends within some 20 seconds. Once it was given up, later calls try once; within the next seconds not
    even that, so that closing what is open doesn't wait for each of its steps.
    """

    def __init__(self, client: MlflowClient) -> None:
        self._client = client
        self.expect_answers()

    def expect_answers(self) -> None:
        """Be patient again, after calls were given up."""
        self._patience = PATIENCE
        self._reason = ""
        self._silent_until = 0.0

    def __getattr__(self, name: str) -> Callable[..., Any]:
        method = getattr(self._client, name)
        return lambda *args, **kwargs: self._call(lambda: method(*args, **kwargs))

    def _call(self, method: Callable[[], Any]) -> Any:
        if time.monotonic() < self._silent_until:
            raise ConnectionError(self._reason)
        until, wait = time.monotonic() + self._patience, _FIRST_WAIT
        while True:
            try:
                return method()
            except Exception as error:
                if not _no_answer(error):
                    raise
                left = until - time.monotonic()
                if left <= 0 or not retries_are_ours():
                    self._give_up(error)
                    raise
            except BaseException:
                self._patience = 0.0  # an interrupted user doesn't want to wait
                raise
            time.sleep(min(wait, left))
            wait = min(2 * wait, _LONGEST_WAIT)

    def _give_up(self, error: Exception) -> None:
        self._patience = 0.0
        self._reason = reason_of(error)
        self._silent_until = time.monotonic() + _PAUSE


def _no_answer(error: Exception) -> bool:
    """True if the server couldn't be reached, or answered that it can't answer now."""
    return any(type(cause).__module__ == "requests.exceptions" for cause in causes(error))
