"""Starting Hydra from our own command, with its errors in our form."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from rag_sweep.config.arguments import Arguments, for_other_sweeper, parse
from rag_sweep.config.folder import conf_dir
from rag_sweep.errors import ConfigError, RagSweepError, UsageError


def run_hydra(task: Callable[[Any], Any], arguments: Arguments) -> None:
    """Run `task` as a Hydra program.

    Raises
    ------
    ConfigError
        For whatever Hydra refuses.
    """
    import hydra

    if folder := arguments.options.get("config_dir"):
        refuse_shadowed(Path(folder))
    program = hydra.main(version_base="1.3", config_path=str(conf_dir()), config_name="config")(task)
    with _explained(), _with_its_needs(arguments) as words, _called_with(words):
        try:
            program()
        except SystemExit as end:
            raise SystemExit(2 if end.code == 1 else end.code) from end  # 1 means "failed while running"


def compose_once(arguments: Sequence[str], config_name: str = "config") -> dict[str, Any]:
    """The resolved config that some overrides give, for commands that run nothing.

    Parameters
    ----------
    config_name
        Of the file in `conf/` that everything starts from.

    Raises
    ------
    UsageError
        For an option of Hydra other than ``--config-dir``.
    ConfigError
        For whatever Hydra refuses.
    """
    return compose_with_choices(arguments, config_name)[0]


def compose_with_choices(
    arguments: Sequence[str], config_name: str = "config"
) -> tuple[dict[str, Any], dict[str, str]]:
    """As `compose_once`, with the option that is chosen in each group."""
    from hydra import compose, initialize_config_dir

    from rag_sweep.config.compose import chosen, plain, without_hydra

    given = parse(arguments)
    folder = given.options.get("config_dir")
    if others := given.options.keys() - {"config_dir"}:
        raise UsageError(f"option --{min(others).replace('_', '-')} is one of `rag-sweep run` only")
    make_importable()
    overrides = [*given.overrides, *(_searched(folder) if folder else ())]
    with _explained(), initialize_config_dir(str(conf_dir()), version_base="1.3"):
        config = compose(config_name, overrides=overrides, return_hydra_config=True)
        return plain(without_hydra(config)), chosen(config.hydra.runtime.choices)


def _searched(folder: str) -> tuple[str]:
    from rag_sweep.config.literals import literal

    path = Path(folder).resolve()
    if not path.is_dir():
        raise ConfigError(f"Additional config directory '{path}' not found")
    refuse_shadowed(path)
    return (f"hydra.searchpath={literal([f'file://{path}'])}",)


def refuse_shadowed(folder: Path) -> None:
    """Refuse files of the user's config directory that Hydra would pass over, since it looks into ours first.

    Raises
    ------
    ConfigError
        With their names.
    """
    ours = conf_dir()
    names = [file.relative_to(folder) for file in sorted(folder.rglob("*.yaml"))] if folder != ours else []
    # prompts are no configs: those of the user go first
    read = [name for name in names if name.parts[0] != "prompts"]
    if same := [str(name) for name in read if (ours / name).is_file()]:
        raise ConfigError(
            f"{', '.join(same)} in {folder} would never be read: rag-sweep has a file of that name, "
            "which goes first; give it another name"
        )


def make_importable() -> None:
    """A component of the user may lie beside the data: the working directory is searched too, as the last.

    Raises
    ------
    UsageError
        Where that directory is gone.
    """
    try:
        here = os.getcwd()
    except OSError as error:
        raise UsageError(f"the working directory can't be used: {error.strerror or error}") from error
    if here not in sys.path:
        sys.path.append(here)


@contextmanager
def _with_its_needs(arguments: Arguments) -> Iterator[list[str]]:
    """The words for Hydra; a sweeper of others writes files that would stray in the working directory."""
    if not arguments.has_other_sweeper:
        yield arguments.line()
        return
    with tempfile.TemporaryDirectory(prefix="rag-sweep-") as folder:
        yield for_other_sweeper(arguments, folder).line()


@contextmanager
def _explained() -> Iterator[None]:
    from hydra.errors import HydraException
    from omegaconf.errors import OmegaConfBaseException

    from rag_sweep.config.explain import explain, is_hydras

    try:
        yield
    except (HydraException, OmegaConfBaseException) as error:
        raise ConfigError(explain(error)) from error
    except Exception as error:
        if isinstance(error, RagSweepError | BrokenPipeError) or not is_hydras(error):
            raise
        raise ConfigError(explain(error)) from error


@contextmanager
def _called_with(words: Sequence[str]) -> Iterator[None]:
    """Hydra reads sys.argv; with HYDRA_FULL_ERROR it raises instead of printing and leaving with 1."""
    argv, full = sys.argv, os.environ.get("HYDRA_FULL_ERROR")
    sys.argv = ["rag-sweep run", *words]
    os.environ["HYDRA_FULL_ERROR"] = "1"
    try:
        yield
    finally:
        sys.argv = argv
        if full is None:
            del os.environ["HYDRA_FULL_ERROR"]
        else:
            os.environ["HYDRA_FULL_ERROR"] = full


def is_job_of_sweep() -> bool:
    """True in a task that is one of several, False where it is a single run."""
    from hydra.core.hydra_config import HydraConfig
    from hydra.types import RunMode

    return bool(HydraConfig.get().mode == RunMode.MULTIRUN)


def job(config: Any) -> tuple[dict[str, Any], dict[str, str], tuple[str, ...]]:
    """What a Hydra task was given: plain config, choices, overrides.

    Raises
    ------
    ConfigError
        For an interpolation that leads nowhere.
    """
    from hydra.core.hydra_config import HydraConfig

    from rag_sweep.config.compose import as_typed, chosen, plain

    own = HydraConfig.get()
    with _explained():
        return plain(config), chosen(own.runtime.choices), tuple(as_typed(own.overrides.task))
