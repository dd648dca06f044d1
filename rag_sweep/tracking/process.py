"""MLflow in a process of its own: its client is Python code, which would take turns with the computing.

`serving` is the other side. Between the two goes a pipe of their own, with pickled messages: the component to
connect with, then a method's name with its arguments for each call; back come ``("value", x)`` or
``("error", …)`` as `carried` packs it. When the parent is gone the process dies, as if killed with it.
"""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager, suppress
from functools import cache, partial
from multiprocessing import Pipe
from typing import Any, TypeVar
from weakref import WeakSet

from rag_sweep.errors import TrackingError
from rag_sweep.tracking.carried import unpacked
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.records import ChildRecord, Files, Status, SweepRecord

T = TypeVar("T")


class ProcessDied(TrackingError):
    """The process that writes to MLflow is gone, whatever ended it: that says nothing of the store."""


END = b""
"""The last message: the process is to leave."""

_BEGIN = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); "
    "from rag_sweep.tracking.serving import main; main(int(sys.argv[2]))"
)
_SAFE = ("-P", "-u")  # no file beside the data is taken for a module; what is printed isn't lost at the end
_STDERR = 2
_PATIENCE = 10.0  # seconds for the process to leave when nothing is left to do


def begin(tracking: object) -> ProcessTracker | None:
    """A tracker in a process that has just been started, and isn't connected yet.

    None where the component has none: it isn't ours, ``process`` is false, or the system can't start one.
    """
    if type(tracking) is not MLflow or not (tracking.process and sys.executable and os.name == "posix"):
        return None
    try:
        return ProcessTracker(Process(tracking))
    except OSError:
        return None


class Process:
    """The process that writes to MLflow.

    Parameters
    ----------
    component
        What makes the tracker there.

    Raises
    ------
    OSError
        If no process can be started.
    """

    def __init__(self, component: MLflow) -> None:
        self._turn = threading.Lock()
        self._gone = ""
        self._pipe, theirs = Pipe()
        with theirs, _without_interruptions():
            self._process = subprocess.Popen(
                [
                    sys.executable,
                    *_SAFE,
                    "-c",
                    _BEGIN,
                    json.dumps([*map(str, sys.path)]),
                    str(theirs.fileno()),
                ],
                stdin=subprocess.DEVNULL,
                stdout=_STDERR,
                pass_fds=(theirs.fileno(),),
            )
        _close_in_forks().add(self)
        with suppress(OSError):  # it has died: the first answer will say so
            self._pipe.send_bytes(pickle.dumps(component))

    def connect(self) -> None:
        """Wait until the tracker is connected. Raises TrackingError if it can't be used."""
        self._undisturbed(partial(self._exchange, None))

    def call(self, method: str, *args: Any) -> Any:
        """What a method of the tracker returns; whatever it raises is raised here.

        An interruption is raised when the call has come to its end, a second one at once.

        Raises
        ------
        TrackingError
            Also if the process has died.
        """
        request = pickle.dumps((method, args), pickle.HIGHEST_PROTOCOL)
        return self._undisturbed(partial(self._exchange, request))

    def end(self) -> None:
        """Have the process leave, and wait for that; one that is in the middle of a call is killed."""
        if self._turn.acquire(blocking=False):
            try:
                with suppress(OSError):
                    self._pipe.send_bytes(END)
                with suppress(subprocess.TimeoutExpired):
                    self._process.wait(_PATIENCE)
            finally:
                self._turn.release()
                self.kill()
        else:
            self.kill()
        with self._turn:  # whoever waits for an answer has seen the end by now
            self._gone = self._gone or "the process that writes to MLflow has ended"
            self._pipe.close()

    def kill(self) -> None:
        """Kill the process, if there still is one."""
        self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """In a copy of this process: leave the pipe to the original."""
        self._pipe.close()

    def _exchange(self, request: bytes | None) -> Any:
        with self._turn:
            if self._gone:
                raise ProcessDied(self._gone)
            try:
                if request is not None:
                    self._pipe.send_bytes(request)
                answer = self._pipe.recv_bytes()
            except (EOFError, OSError) as error:
                self._gone = self._died()
                raise ProcessDied(self._gone) from error
        said, value = pickle.loads(answer)
        if said == "error":
            raise unpacked(*value)
        return value

    def _died(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_PATIENCE)
        self.kill()
        code = self._process.returncode
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"the process that writes to MLflow has died ({how})"

    def _undisturbed(self, act: Callable[[], T]) -> T:
        """Interruptions come to the main thread alone, so there another one does it."""
        if threading.current_thread() is not threading.main_thread():
            return act()
        done = _in_thread(act)
        try:
            wait([done])
        except BaseException:
            self._let_end(done)
            raise
        return done.result()

    def _let_end(self, done: Future[Any]) -> None:
        """What is being written comes to its end; whoever interrupts that too doesn't want to wait."""
        try:
            wait([done])
        except BaseException:
            self.kill()
            raise


class ProcessTracker:
    """A `Tracker` that has MLflow's process do everything; see there, and `begin`.

    Parameters
    ----------
    process
        Not connected yet.
    """

    is_silent = False

    def __init__(self, process: Process) -> None:
        self._process = process
        self._where = ""

    def connect(self) -> None:
        """Wait until the store is open. Raises TrackingError if it can't be used."""
        self._process.connect()
        self._where = self._process.call("where")

    def end(self) -> None:
        """End the process."""
        self._process.end()

    def open(self, sweep: SweepRecord, resume: bool = False) -> frozenset[int]:
        """See `Tracker.open`."""
        found: frozenset[int] = self._moved("open", sweep, resume)
        return found

    def holds(self, sweep: SweepRecord) -> frozenset[int] | None:
        """See `Tracker.holds`."""
        found: frozenset[int] | None = self._moved("holds", sweep)
        return found

    def log(self, child: ChildRecord) -> str | None:
        """See `Tracker.log`."""
        run_id: str | None = self._process.call("log", child)
        return run_id

    def log_single(self, sweep: SweepRecord, child: ChildRecord, resume: bool = False) -> str | None:
        """See `Tracker.log_single`."""
        run_id: str | None = self._moved("log_single", sweep, child, resume)
        return run_id

    def close(
        self, status: Status, metrics: Mapping[str, float] | None = None, files: Files | None = None
    ) -> None:
        """See `Tracker.close`."""
        self._process.call("close", status, metrics, files)

    def where(self) -> str:
        """See `Tracker.where`; known also when the process has ended."""
        return self._where

    def _moved(self, method: str, *args: Any) -> Any:
        """Call what may change `where`."""
        found = self._process.call(method, *args)
        self._where = self._process.call("where")
        return found


def _in_thread(act: Callable[[], T]) -> Future[T]:
    done: Future[T] = Future()

    def work() -> None:
        try:
            done.set_result(act())
        except BaseException as error:
            done.set_exception(error)

    threading.Thread(target=work, name="rag-sweep call", daemon=True).start()
    return done


@contextmanager
def _without_interruptions() -> Iterator[None]:
    """What is started inside has Ctrl-C and SIGTERM held back, until it ignores them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@cache
def _close_in_forks() -> WeakSet[Process]:
    """Processes whose pipe forked workers close: a worker that outlives its parent would keep them alive."""
    living: WeakSet[Process] = WeakSet()

    def forget() -> None:
        for process in list(living):
            process.forget()

    os.register_at_fork(after_in_child=forget)
    return living
