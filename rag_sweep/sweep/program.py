"""Starting a session, and what Hydra runs in it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rag_sweep.config.arguments import hold_back, parse, with_multirun
from rag_sweep.config.program import is_job_of_sweep, job, make_importable, run_hydra
from rag_sweep.errors import ConfigError, RagSweepError, StageFailed
from rag_sweep.sweep.objective import Objective
from rag_sweep.sweep.session import Session

if TYPE_CHECKING:
    from rag_sweep.sweep.recording import Watcher

_current: list[Session] = []


def session() -> Session:
    """The session of this command.

    Raises
    ------
    ConfigError
        Where Hydra runs us without our own command.
    """
    if not _current:
        raise ConfigError(
            "hydra/sweeper=rag_sweep and hydra/launcher=rag_sweep work under `rag-sweep run` only"
        )
    return _current[-1]


def task(config: Any) -> Objective | None:
    """What Hydra runs: one configuration; alone, or as a job of another launcher in another process."""
    from rag_sweep.sweep.alone import evaluate_job

    if _current and not is_job_of_sweep():
        return _evaluate_alone(session(), config)
    return evaluate_job(*job(config))


def _evaluate_alone(current: Session, config: Any) -> Objective | None:
    from rag_sweep.config import build

    try:
        composed, choices, overrides = job(config)
        return current.evaluate_one(composed, build.configuration(composed, choices, 0, overrides))
    except RagSweepError as error:
        current.error = error
        return None


def run(
    arguments: Sequence[str], watch: Watcher | None = None, tell: Callable[[str], None] | None = None
) -> Session:
    """Run what the arguments of `rag-sweep run` say; `tell` gets notes as soon as they are known.

    Raises
    ------
    RagSweepError, KeyboardInterrupt, SystemExit
        For whatever stops the whole, with a note (`__notes__`) on how to go on; tracking runs are closed with
        their true state first.
    """
    make_importable()
    for_hydra, held_back = hold_back(with_multirun(parse(arguments)))
    current = Session(held_back, watch, tell, for_hydra.options.get("config_dir"))
    _current.append(current)
    try:
        _run(current, for_hydra)
        current.finish()
    except BaseException as error:
        interrupted = isinstance(error, KeyboardInterrupt | SystemExit)
        if told := current.break_off("KILLED" if interrupted else "FAILED"):
            error.add_note(told)
        raise
    finally:
        _current.pop()
    return current


def _run(current: Session, for_hydra: Any) -> None:
    try:
        run_hydra(task, for_hydra)
    except StageFailed:
        if not current.results:
            raise  # else another sweeper gave up after a failed job, whose row says why
    if current.error is not None:
        raise current.error
