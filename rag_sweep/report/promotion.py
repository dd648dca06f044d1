"""A promotion in the terminal: the decision, what follows from it, and the versions that there are."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from rag_sweep.report import comparison_text
from rag_sweep.report.comparison_rows import Column
from rag_sweep.tracking.names import from_mlflow, to_mlflow

NAME = "rag-sweep"
"""Of the model, unless another one is named."""


def decision_text(data: Mapping[str, Any]) -> list[Any]:
    """The decision with its reasons and cautions, as `compare` tells it."""
    return comparison_text.decision(data)


def verdict(plan: Mapping[str, Any]) -> str:
    """What is about to happen, in a line or two."""
    name, title, champion = plan["model"], plan["configuration"], plan["champion"]
    now = "" if champion is None else _version(champion)
    other = ", which was measured on other documents or another gold" if plan["on_other_data"] else ""
    instead = f"in place of {now}{other}" if now else "the first version"
    stays = "Nothing to promote, the baseline stays."
    told = {
        "promote": f"To be promoted as {name}: {title}, {instead}.",
        "first": f"{stays} There is no champion yet, so it can be the first version of {name}: {title}.",
        "renew": f"To be promoted as {name}: the same configuration as {now}, over other documents or gold.",
        "none": f"{stays} The champion of {name} is {now}.",
        "champion": f"Nothing to promote: it is the champion of {name} already, {now}.",
    }
    by_hand = "" if plan["by_rule"] else "\nThe rule did not choose this one: it was named with --only."
    return f"{told[plan['action']]}{by_hand}"


def _version(version: Mapping[str, Any]) -> str:
    return f"version {version['version']}, {version['tags'].get('configuration', '')}"


def next_steps(done: Mapping[str, Any], store: str, config_dir: str | None) -> list[str]:
    """What was registered, and what to type next."""
    beside = f" --config-dir={shlex.quote(config_dir)}" if config_dir else ""
    version, tags = done["version"], done["version"]["tags"]
    name = version["uri"].split("/")[1]
    of = "" if name == NAME else f" --name {name}"
    goes_back = done["replaced"] is not None and "previous" not in version["aliases"]
    before = done["replaced"]
    instead = f" instead of version {before['version']}" if before else ""
    return [
        f"Version {version['version']} of {name} is the champion{instead}: {tags.get('configuration', '')}.",
        f"\nRun it again:  rag-sweep run{beside} promoted={name}    ({done['file']})",
        f"Prove it:      rag-sweep verify{of}",
        f"Serve it:      MLFLOW_TRACKING_URI={store} \\\n"
        f"               mlflow models serve -m models:/{name}@champion --env-manager local",
        *([f"Go back:       rag-sweep promote --rollback{of}{beside}"] if goes_back else []),
    ]


def versions_table(versions: Sequence[Mapping[str, Any]]) -> Any:
    """A row a version, the newest first."""
    objectives = list(dict.fromkeys(one["tags"].get("objective", "") for one in versions))
    columns = [
        Column("version", tuple(one["version"] for one in versions), is_number=True),
        Column("alias", tuple(" ".join(one["aliases"]) for one in versions), is_number=False),
        Column("dataset", tuple(one["tags"].get("dataset", "") for one in versions), is_number=False),
        Column("registered", tuple(_day(one["created"]) for one in versions), is_number=False),
        *(
            Column(name or "value", tuple(_value(one, name) for one in versions), is_number=True)
            for name in objectives
        ),
        Column("honest", tuple(_cut(one["tags"].get("honest")) for one in versions), is_number=True),
        Column(
            "configuration",
            tuple(one["tags"].get("configuration", "") for one in versions),
            is_number=False,
            least=comparison_text.NARROWEST,
        ),
    ]
    return comparison_text.table(columns)


def _value(version: Mapping[str, Any], objective: str) -> str:
    return _cut(version["tags"].get(f"value.{to_mlflow(from_mlflow(objective))}"))


def _cut(number: str | None) -> str:
    return "" if number is None else f"{float(number):.4f}"


def _day(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime("%Y-%m-%d %H:%M")
