"""`rag-sweep promote`: proved, registered, and written down, in an order that leaves nothing half done."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_sweep.champion import Champion, Promoted, golden_of, read_bundle, write_bundle
from rag_sweep.champion.components import FROZEN, TRUST, foreign, frozen
from rag_sweep.champion.finding import DIGEST
from rag_sweep.errors import DataError
from rag_sweep.promotion.plan import Plan, honest_of, told
from rag_sweep.promotion.proving import Proved, Tell, proved, rebuilt
from rag_sweep.promotion.writing import check_writable, option_file, option_text, write_option
from rag_sweep.scorecard import Scorecard
from rag_sweep.tracking.names import to_mlflow
from rag_sweep.tracking.packaging import LOADER, Entry
from rag_sweep.tracking.registry import Version
from rag_sweep.version import __version__

BUNDLE = "champion"
"""The folder of a bundle in its MLflow model."""


@dataclass(frozen=True, eq=False)
class Ready:
    """What was proved, and how it will be registered."""

    plan: Plan
    proved: Proved
    promoted: Promoted
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Done:
    """What was registered, and where it was written down."""

    version: Version
    replaced: Version | None
    file: Path
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """As plain data for JSON."""
        return {
            "version": told(self.version),
            "replaced": None if self.replaced is None else told(self.replaced),
            "file": str(self.file),
            "notes": list(self.notes),
        }


def make_ready(plan: Plan, tell: Tell) -> Ready:
    """Build what is to be promoted and prove that it finds what was measured; nothing is registered.

    Raises
    ------
    DataError
        If documents or gold have changed, or anything is found otherwise.
    """
    found = proved(plan, tell)
    card = replace(
        Scorecard.of_sweep(plan.sweep, plan.member.record.index),
        name=plan.title,
        config={key: found.configuration.config[key] for key in FROZEN if key in found.configuration.config},
        honest=honest_of(plan),
    )
    promoted = Promoted(
        name=plan.wish.name,
        configuration=found.configuration,
        choices=found.choices,
        index=found.index,
        scorecard=card,
        golden=found.golden,
        thresholds=plan.wish.thresholds or {},
    )
    strangers = foreign(frozen(found.configuration, found.choices))
    notes = (
        (
            f"it uses components that aren't rag-sweep's own ({', '.join(strangers)}): verify needs --trust, "
            f"and a server {TRUST}=1 and their folder on PYTHONPATH",
        )
        if strangers
        else ()
    )
    return Ready(plan, found, promoted, notes)


def carry_out(ready: Ready, tell: Tell, config_dir: str | None = None) -> Done:
    """Register a complete version, make it the champion, and write ``conf/promoted/<name>.yaml``.

    The alias moves when everything else of the version is there: whatever breaks off before leaves the old
    champion.

    Raises
    ------
    TrackingError
        If it can't be registered, or if another promotion was faster.
    DataError
        If what was written isn't what was proved.
    """
    plan, promoted = ready.plan, ready.promoted
    check_writable(promoted.name, config_dir)
    with tempfile.TemporaryDirectory(prefix="rag-sweep-") as folder:
        bundle = Path(folder) / BUNDLE
        tell("writing the bundle, and reading it again")
        manifest = write_bundle(bundle, promoted)
        _check_written(read_bundle(bundle, trust=True))
        tell(f"registering a version of {promoted.name}")
        tags = {**_tags(plan, promoted.scorecard), DIGEST: manifest.digest}
        example = {"query": promoted.golden.questions[0].text, "k": promoted.golden.k}
        requirement = f"rag-sweep=={__version__}"
        entry = Entry(bundle, LOADER, requirement, tags, _description(plan), example)
        version = plan.registry.register(promoted.name, entry)
    plan.registry.crown(version, plan.champion)
    title, config = plan.title, promoted.configuration.config
    text = option_text(promoted.name, version.version, title, config, promoted.choices)
    written = write_option(promoted.name, text, config_dir)
    return Done(version, plan.champion, written.file, written.notes)


def write_missing(plan: Plan, config_dir: str | None) -> tuple[str, ...]:
    """Write the champion's option where it isn't: a promotion may have been killed right before it."""
    if plan.champion is None or option_file(plan.wish.name, config_dir).exists():
        return ()
    configuration, choices = rebuilt(plan)
    text = option_text(plan.wish.name, plan.champion.version, plan.title, configuration.config, choices)
    written = write_option(plan.wish.name, text, config_dir)
    return (f"{written.file} was not there, and is written again",)


def _check_written(champion: Champion) -> None:
    """What was read again must find the same, score by score."""
    golden, corpus = champion.golden, champion.corpus
    asked = [question.text for question in golden.questions]
    found = champion.index.search(asked, golden.depth)
    again = golden_of(golden.questions, found, corpus, golden.k, golden.depth)
    if again != golden:
        raise DataError("the index that was written finds other documents than the one that was proved")


def _tags(plan: Plan, card: Scorecard) -> dict[str, str]:
    """What a list of versions shows, and what decides whether two are the same."""
    means = card.means()
    values = {f"value.{to_mlflow(name)}": f"{value:.6f}" for name, value in means.items()}
    honest = {} if card.honest is None else {"honest": f"{card.honest['value']:.6f}"}
    return {
        "sweep_id": plan.sweep.sweep_id,
        "index": str(plan.member.record.index),
        "configuration": plan.title[:500],
        "rule": plan.data["decision"]["rule"] if plan.by_rule else "none: named by hand",
        "fingerprint": str(card.fingerprint),
        "dataset": card.dataset[:500],
        "corpus": str(card.corpus_hash),
        "gold": card.gold_hash,
        "code": card.code,
        "objective": str(plan.grid.objective),
        **honest,
        **values,
    }


def _description(plan: Plan) -> str:
    """Markdown: the decision in the words of `compare`."""
    decision: Mapping[str, Any] = plan.data["decision"]
    by_hand = f"{plan.title}, named by hand: the rule did not choose it"
    chosen = decision["headline"] if plan.by_rule else by_hand
    points = [*decision["reasons"], *decision["cautions"]] if plan.by_rule else []
    return "\n".join([f"**{chosen}**", "", *(f"- {point}" for point in points)])
