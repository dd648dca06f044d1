"""What is to be promoted, and why: decided by the declared rule, or named by the user."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from rag_sweep.champion.finding import NAME
from rag_sweep.checks import INDEX
from rag_sweep.comparing.compare import decided
from rag_sweep.comparing.finding import Finder
from rag_sweep.comparing.request import Request
from rag_sweep.comparing.stores import Store
from rag_sweep.comparison.grid import Grid, Member
from rag_sweep.errors import UsageError
from rag_sweep.matrix.data import SweepData
from rag_sweep.promotion.names import checked_name
from rag_sweep.tracking.mlflow import MLflow
from rag_sweep.tracking.registry import CHAMPION, Registry, Version

Action = Literal["promote", "first", "renew", "none", "champion"]
"""What there is to do.

``promote`` a configuration; make the baseline the ``first`` champion; ``renew`` the champion, the same
configuration over other documents or another gold; ``none``, since the baseline stays; or nothing, since it
is the ``champion`` already.
"""


@dataclass(frozen=True)
class Wish:
    """What `promote` is asked beside the sweeps.

    Attributes
    ----------
    only
        Promote this one, whatever the rule says: an index, ``SWEEP:INDEX`` or a name.
    name
        Of the registered model.
    partial
        Take sweeps that aren't complete.
    thresholds
        Plain data for a gate, kept with the champion.
    """

    only: str | None = None
    name: str = NAME
    partial: bool = False
    thresholds: Mapping[str, Any] | None = None


@dataclass(frozen=True, eq=False)
class Plan:
    """A decision, before anything is done.

    Attributes
    ----------
    data
        The comparison as plain data.
    member
        The configuration that is meant.
    by_rule
        True if the rule chose it.
    champion
        The present one; None if there is none.
    """

    request: Request
    wish: Wish
    grid: Grid
    data: Mapping[str, Any]
    row: int
    by_rule: bool
    registry: Registry
    champion: Version | None
    notes: tuple[str, ...] = ()

    @property
    def member(self) -> Member:
        """The configuration that is meant."""
        return self.grid.members[self.row]

    @property
    def sweep(self) -> SweepData:
        """The sweep that measured it."""
        return self.grid.sweeps[self.member.sweep]

    @property
    def title(self) -> str:
        """Its name; of a sweep with one configuration that name may be empty."""
        return self.member.name or self.member.record.name

    @cached_property
    def action(self) -> Action:
        """What there is to do; the only configuration of a sweep is meant by whoever names that."""
        decision = self.data["decision"]
        kept = self.by_rule and decision["keeps_baseline"] and decision["why"] != "alone"
        if self.champion is None:
            return "first" if kept else "promote"
        if self.champion.tags.get("fingerprint") != self.member.record.fingerprint:
            return "none" if kept else "promote"
        return "renew" if self.on_other_data else "champion"

    @property
    def on_other_data(self) -> bool:
        """True if there is a champion, and it was measured on other documents or another gold."""
        if self.champion is None:
            return False
        tags, basis = self.champion.tags, self.sweep.basis
        return (tags.get("corpus"), tags.get("gold")) != (basis.corpus_hash, basis.gold_hash)

    @property
    def does_something(self) -> bool:
        """True if there is anything to register."""
        return self.action not in ("none", "champion")

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        row = self.data["rows"][self.row]
        return {
            "action": self.action,
            "model": self.wish.name,
            "configuration": self.title,
            "sweep": self.sweep.sweep_id,
            "index": self.member.record.index,
            "by_rule": self.by_rule,
            "objective": self.data["objective"],
            "mean": row["mean"],
            "honest": honest_of(self),
            "on_other_data": self.on_other_data,
            "decision": dict(self.data["decision"]),
            "champion": None if self.champion is None else told(self.champion),
        }


def honest_of(plan: Plan) -> dict[str, Any] | None:
    """The honest value, where it is of this very choice."""
    honest, decision = plan.data["honest"], plan.data["decision"]
    if honest is None or not plan.by_rule or decision["keeps_baseline"]:
        return None
    keys = ("value", "lower", "upper", "naive", "optimism")
    return {**{key: honest[key] for key in keys}, "configurations": plan.data["distinct"]}


def planned(words: Sequence[str], wish: Wish, config_dir: str | None = None) -> Plan:
    """Decide; nothing is computed or written.

    Parameters
    ----------
    words
        Sweeps and overrides, as `compare` takes them.

    Raises
    ------
    UsageError
        If a name names nothing, and where texts may not be kept.
    NotComparable, ConfigError, DataError, TrackingError
        As `compare`.
    """
    checked_name(wish.name)
    request = Request.of(words, config_dir)
    found = Finder(request, wish.partial).find(request.names)
    grid, comparison, notes = decided(request, found, Store.of(request, found))
    data = comparison.to_dict()
    row = data["decision"]["promote"] if wish.only is None else _named(grid, wish.only)
    registry = registry_of(request)
    champion = registry.find(wish.name, CHAMPION)
    plan = Plan(request, wish, grid, data, row, wish.only is None, registry, champion, notes)
    if not plan.sweep.has_text:
        raise UsageError(
            f"sweep {plan.sweep.sweep_id} was run with tracking.text=none, which keeps texts out of MLflow; "
            "a champion holds the documents and the questions. Run the sweep with tracking.text=full"
        )
    return plan


def told(version: Version) -> dict[str, Any]:
    """A version as plain data."""
    return {
        "version": version.version,
        "uri": version.uri,
        "aliases": list(version.aliases),
        "created": version.created,
        "tags": dict(version.tags),
    }


def registry_of(request: Request) -> Registry:
    """The registry that a command means; texts go there, so it may be refused.

    Raises
    ------
    UsageError
        For ``tracking=none`` and for ``tracking.text=none``.
    """
    found = request.tracking
    if request.sets("tracking") and not isinstance(found, MLflow):
        raise UsageError("tracking=none has no registry: a champion is registered in MLflow")
    made = found if isinstance(found, MLflow) else MLflow()
    if made.text == "none":
        raise UsageError(
            "tracking.text=none keeps texts out of MLflow, and a champion holds the documents and the "
            "questions: promote with tracking.text=full to allow it"
        )
    return Registry(made)


def _named(grid: Grid, name: str) -> int:
    """The row that a name means: ``SWEEP:INDEX``, an index, or the name of a configuration.

    Raises
    ------
    UsageError
        For none, for several, and for one that failed.
    """
    sweep, _, index = name.rpartition(":")
    known = [one.sweep_id for one in grid.sweeps]
    if INDEX.fullmatch(index):
        chosen = known if not sweep else [one for one in known if one == sweep]
        rows = [
            row
            for row, one in enumerate(grid.members)
            if one.record.index == int(index) and known[one.sweep] in chosen
        ]
    else:
        rows = [row for row, one in enumerate(grid.members) if name in (one.name, one.record.name)]
    if len(rows) == 1:
        return rows[0]
    if rows:
        several = [grid.members[row] for row in rows]
        places = ", ".join(f"{known[one.sweep]}:{one.record.index}" for one in several)
        raise UsageError(f"--only {name!r} names several configurations: {places}")
    failed = [one for one in grid.failed if name in (one.name, str(one.record.index))]
    there = f"there are {len(grid.members)}, by index, SWEEP:INDEX or name"
    why = f"it failed: {failed[0].record.failure}" if failed else there
    raise UsageError(f"--only {name!r} names no configuration that was measured; {why}")
