"""The journal that a sweep writes to: a new one, or one to go on with."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from rag_sweep.checks import require
from rag_sweep.configuration import Configuration
from rag_sweep.journal.head import Head
from rag_sweep.journal.journal import Journal
from rag_sweep.journal.shelf import Shelf
from rag_sweep.records import Basis
from rag_sweep.report.record import card, differing, sweep_record
from rag_sweep.sweep.identity import fleeting, identity
from rag_sweep.tracking.place import without_password

Kind: TypeAlias = Literal["single", "sweep", "batches"]
"""One configuration; all of them known from the start; or asked for by a sweeper in batches."""


class Keeping:
    """The journal of one sweep and how it came about.

    Raises
    ------
    ConfigError
        If its folder can't be used.
    JournalError
        If it can't be written.

    Attributes
    ----------
    resumed
        True if there was one to go on with.
    fleeting
        Components because of which it can never be gone on with.
    """

    def __init__(
        self, shared: Mapping[str, Any], configurations: Sequence[Configuration], basis: Basis, kind: Kind
    ) -> None:
        resume, path = shared.get("resume", "auto"), shared.get("journal")
        require("resume", resume, "auto or never", resume in ("auto", "never"))
        named = path is None or (isinstance(path, str) and bool(path.strip()))
        require("journal", path, "the path of a folder or null", named)
        # nothing is to stay: results still pass through a journal, which goes with the command
        self._passing = tempfile.TemporaryDirectory(prefix="rag-sweep-") if path is None else None
        self._shelf = Shelf(self._passing.name if self._passing else str(path))
        self.fleeting = fleeting(configurations)
        known = kind != "batches" and not self.fleeting and self._passing is None
        name = identity(shared, configurations, basis, kind == "single") if known else None
        found = Journal.take_up(self._shelf, name) if name and resume == "auto" else None
        self.resumed = found is not None
        self.journal = found or self._new(shared, configurations, basis, kind, name)
        self.journal.aim(_aimed(shared.get("tracking") or {}))

    def found(self) -> list[str]:
        """What to tell somebody about results of an earlier command."""
        journal, told = self.journal, []
        if journal.damaged:
            told.append(f"{journal.damaged} kept results were damaged and are computed anew")
        if self.resumed and journal.is_complete:
            told.append(
                f"results of {_when(journal)}: nothing has changed since; resume=never evaluates anew"
            )
        elif self.resumed and journal.kept:
            told.append(
                f"goes on with the sweep of {_when(journal)}: {len(journal.kept)} of "
                f"{journal.head.configurations} results were there (resume=never starts anew)"
            )
        return told

    def how_to_resume(self) -> str:
        """What to tell somebody who interrupts the sweep; empty where there is nothing to tell."""
        journal = self.journal
        if self._passing is not None:
            return ""  # as it was asked for
        if self.fleeting:
            return f"It can't be gone on with: {', '.join(self.fleeting)} declares no `version`."
        if journal.head.identity is None or not journal.kept:
            return ""
        number = f"{len(journal.kept)} of {journal.head.configurations} results are kept"
        return f"{number}: the same command goes on from there."

    def drop_empty(self) -> None:
        """Remove a journal in which nothing was ever kept."""
        if not self.journal.kept:
            self.journal.remove()

    def close(self) -> None:
        """Let others work on the journal; one that only passes is removed."""
        self.journal.close()
        if self._passing is not None:
            self._passing.cleanup()

    def _new(
        self,
        shared: Mapping[str, Any],
        configurations: Sequence[Configuration],
        basis: Basis,
        kind: Kind,
        name: str | None,
    ) -> Journal:
        keys = differing(configurations)
        head = Head(
            identity=name,
            record=sweep_record(shared, configurations, basis),
            basis=basis,
            settings=configurations[0].settings,
            objective=str(configurations[0].objective),
            is_sweep=kind != "single",
            configurations=None if kind == "batches" else len(configurations),
            tracking=_aimed(shared.get("tracking") or {}),
        )
        return Journal.begin(self._shelf, head, [card(c, keys) for c in configurations])


def _when(journal: Journal) -> str:
    """When a sweep was begun, as its id tells."""
    day, clock, _ = journal.head.record.sweep_id.split("-")
    return f"{day[:4]}-{day[4:6]}-{day[6:]} {clock[:2]}:{clock[2:4]}"


def _aimed(tracking: Mapping[str, Any]) -> dict[str, Any]:
    """Where results are to be sent to, wherever and in whatever environment somebody sends them later."""
    found = dict(tracking)
    if "path" in found:
        found["path"] = str(Path(str(found["path"])).absolute())
    if "uri" in found and (uri := found["uri"] or os.environ.get("MLFLOW_TRACKING_URI")):
        found["uri"] = without_password(str(uri))
    return found
