"""The arguments of `rag-sweep run`: options, and overrides for Hydra or for our own sweeper."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from contextlib import redirect_stderr
from dataclasses import dataclass, replace
from typing import Any

from rag_sweep.config.folder import PIPELINE_GROUPS, PROMOTED, beside
from rag_sweep.config.hints import nearest
from rag_sweep.errors import UsageError

OWN_OPTIONS = ("--json", "--top", "--help")
"""Options of `rag-sweep run` itself."""


@dataclass(frozen=True)
class Arguments:
    """What Hydra is called with.

    Attributes
    ----------
    options
        Hydra's own, by name: ``{"multirun": True, "config_dir": "conf"}``; only those that were given.
    overrides
        As they were typed.
    """

    options: dict[str, Any]
    overrides: tuple[str, ...]

    @property
    def is_multirun(self) -> bool:
        """True for a sweep."""
        return bool(self.options.get("multirun"))

    @property
    def asks_hydra(self) -> bool:
        """True where Hydra is to show something on stdout instead of running."""
        return bool({"cfg", "info", "shell_completion", "hydra_help"} & self.options.keys())

    @property
    def has_other_sweeper(self) -> bool:
        """True if the overrides choose a sweeper that isn't ours."""
        return self.choice("hydra/sweeper") not in (None, "rag_sweep")

    def choice(self, group: str) -> str | None:
        """The option that the overrides choose in a group; None if they say nothing."""
        found = [o.partition("=")[2] for o in self.overrides if o.lstrip("+").startswith(f"{group}=")]
        return found[-1] if found else None

    def sets(self, key: str) -> bool:
        """True if an override sets the key."""
        return any(override.lstrip("+").startswith(f"{key}=") for override in self.overrides)

    def line(self) -> list[str]:
        """As Hydra reads them from a command line."""
        words: list[str] = []
        for name, value in self.options.items():
            words += [f"--{name.replace('_', '-')}", *([] if value is True else [str(value)])]
        return [*words, *self.overrides]


def parse(arguments: Sequence[str]) -> Arguments:
    """Split options from overrides, in any order.

    Raises
    ------
    UsageError
        For an option that Hydra hasn't got, and for one that would run code from a file.
    """
    from hydra._internal.utils import get_args_parser

    said = io.StringIO()
    try:
        with redirect_stderr(said):
            found = vars(get_args_parser().parse_intermixed_args(list(arguments)))
    except SystemExit as end:
        if not end.code:
            raise  # --version has answered
        raise UsageError(_refused(said.getvalue())) from None
    overrides = tuple(found.pop("overrides"))
    if empty := [override for override in overrides if override.lstrip("+~").startswith("=")]:
        raise UsageError(f"{empty[0]!r} is no override: it must be key=value")
    if found["experimental_rerun"] is not None:
        raise UsageError("--experimental-rerun would load a pickle, which can run any code: it isn't taken")
    if found["package"] is not None and found["cfg"] is None:
        raise UsageError("--package goes with --cfg only: it chooses what of the config is shown")
    if found["hydra_help"]:
        overrides = ()  # Hydra would look for our keys in its own config
    given = {name: value for name, value in found.items() if value not in (None, False)}
    return _with_promoted(Arguments(given, overrides))


def _with_promoted(arguments: Arguments) -> Arguments:
    """``promoted=<name>`` finds what `rag-sweep promote` wrote into ``conf/`` without ``--config-dir``."""
    if (
        arguments.choice(PROMOTED) is None
        or "config_dir" in arguments.options
        or (folder := beside()) is None
    ):
        return arguments
    return replace(arguments, options={**arguments.options, "config_dir": folder})


def _refused(said: str) -> str:
    """argparse's error without the usage above it."""
    reason = said.strip().splitlines()[-1].partition("error: ")[2] or said.strip()
    if unknown := re.fullmatch(r"unrecognized arguments: (--?[\w-]+).*", reason):
        from hydra._internal.utils import get_args_parser

        words = [*OWN_OPTIONS, *re.findall(r"--[\w-]+", get_args_parser().format_usage())]
        return f"option {unknown[1]} doesn't exist{nearest(unknown[1], words)}"
    return reason


def hold_back(arguments: Arguments) -> tuple[Arguments, tuple[str, ...]]:
    """Split a sweep's arguments into those for Hydra and the pipeline overrides for our own sweeper.

    Hydra applies every override to one master config before any sweeper sees them, so it refuses
    ``-m chunker=document,fixed chunker.size=200,400``, though the sweep makes sense.
    """
    if not arguments.is_multirun or arguments.has_other_sweeper:
        return arguments, ()
    ours = tuple(override for override in arguments.overrides if _group(override) in PIPELINE_GROUPS)
    theirs = tuple(override for override in arguments.overrides if override not in ours)
    return replace(arguments, overrides=theirs), ours


def with_multirun(arguments: Arguments) -> Arguments:
    """Choosing a named sweep (``+sweep=handbook``) means to sweep, also without ``-m``."""
    named = any(re.match(r"\+{0,2}sweep=[^{]", override) for override in arguments.overrides)
    if not named or arguments.asks_hydra or "run" in arguments.options:
        return arguments
    return replace(arguments, options={**arguments.options, "multirun": True})


def for_other_sweeper(arguments: Arguments, folder: str) -> Arguments:
    """With what a sweeper other than ours needs.

    It gets `folder` for its files, unless the user names ``hydra.sweep.dir``; Optuna's is told that more is
    better, because it minimises where nobody says so.

    Raises
    ------
    UsageError
        Together with a launcher other than ours: nobody would take over the jobs' results.
    """
    sweeper, launcher = arguments.choice("hydra/sweeper"), arguments.choice("hydra/launcher")
    if launcher not in (None, "rag_sweep"):
        raise UsageError(
            f"hydra/sweeper={sweeper} works with hydra/launcher=rag_sweep only, got hydra/launcher={launcher}"
        )
    from rag_sweep.config.literals import literal

    added = [] if arguments.sets("hydra.sweep.dir") else [f"hydra.sweep.dir={literal(folder)}"]
    if sweeper == "optuna" and not arguments.sets("hydra.sweeper.direction"):
        added.append("hydra.sweeper.direction=maximize")
    return replace(arguments, overrides=(*arguments.overrides, *added))


def _group(override: str) -> str:
    return re.split(r"[.@=]", override.lstrip("+~"), maxsplit=1)[0]
