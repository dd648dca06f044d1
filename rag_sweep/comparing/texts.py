"""The texts behind a sweep's numbers: its dataset, read anew from where it was, if it is still the same."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from rag_sweep.comparing.request import Request
from rag_sweep.config import build
from rag_sweep.config.literals import literal
from rag_sweep.config.program import compose_once
from rag_sweep.configuration import Scalar
from rag_sweep.errors import RagSweepError
from rag_sweep.matrix.data import SweepData
from rag_sweep.records import Corpus, Dataset, Document

_LONGEST_REASON = 160


@dataclass(frozen=True, eq=False)
class Texts:
    """Documents by id, as far as they could be read and may be shown.

    Attributes
    ----------
    datasets
        By the id of a sweep.
    notes
        Why some could not be read, for people.
    """

    datasets: Mapping[str, Dataset] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, sweeps: Iterable[SweepData], request: Request) -> Texts:
        """Read the datasets of sweeps whose texts may be shown; what can't be read is a note."""
        found: dict[str, Dataset] = {}
        notes: dict[str, None] = {}
        known: dict[str, Dataset] = {}
        for sweep in sweeps:
            if not sweep.has_text:
                told = f"sweep {sweep.sweep_id} was run with tracking.text=none, so no texts are shown"
                notes[told] = None
                continue
            corpus = sweep.basis.corpus_hash
            loaded = known.get(corpus) or dataset_of(sweep, request)
            if isinstance(loaded, str):
                notes[f"texts of documents aren't shown: {loaded}"] = None
            else:
                known[corpus] = found[sweep.sweep_id] = loaded
        return cls(found, tuple(notes))

    def corpus(self, sweep: SweepData) -> Corpus | None:
        """The documents of a sweep; None if they may or can not be shown."""
        found = self.datasets.get(sweep.sweep_id)
        return None if found is None else found.corpus

    def document(self, sweep: SweepData, doc_id: str) -> Document | None:
        """A document of a sweep; None as for `corpus`."""
        corpus = self.corpus(sweep)
        at = None if corpus is None else corpus.position.get(doc_id)
        return None if corpus is None or at is None else corpus.documents[at]


def dataset_of(sweep: SweepData, request: Request) -> Dataset | str:
    """The dataset of a sweep, or in words why it isn't there, or isn't the same any more."""
    if not sweep.configurations:
        return "the sweep has no configuration"
    own = [word for word in request.overrides if word.lstrip("+").startswith(("dataset=", "dataset."))]
    asked = own or as_overrides(sweep.configurations[0].params, ("dataset",))
    try:
        loaded: Dataset = build.component(compose_once([*_folder(request), *asked]), "dataset").load()
    except (RagSweepError, OSError) as error:
        reason = " ".join(str(error).split())
        cut = f"{reason[:_LONGEST_REASON]}{'…' if reason[_LONGEST_REASON:] else ''}"
        return f"the dataset can't be read ({cut})"
    if loaded.corpus.fingerprint != sweep.basis.corpus_hash:
        return f"the documents of {loaded.name} have changed since sweep {sweep.sweep_id}"
    return loaded


def _folder(request: Request) -> tuple[str, ...]:
    """The user's own config directory, where the overrides begin with it."""
    return request.overrides[:2] if request.overrides[:1] == ("--config-dir",) else ()


def as_overrides(params: Mapping[str, Scalar], groups: Iterable[str]) -> list[str]:
    """Overrides that give the params of some groups again: options first, then their knobs."""
    wanted = set(groups)
    chosen = {key: value for key, value in params.items() if key.partition(".")[0] in wanted}
    ordered = sorted(chosen, key=lambda key: "." in key)
    return [f"{key}={_value(chosen[key])}" for key in ordered]


def _value(value: Any) -> str:
    """As an override takes it; lists were kept as one text, ``[a,b]``, whose parts may need quotes."""
    is_list = isinstance(value, str) and value.startswith("[") and value.endswith("]")
    if not is_list:
        return literal(value)
    return literal([_item(part) for part in value[1:-1].split(",") if part])


def _item(part: str) -> int | float | str:
    for kind in (int, float):
        with suppress(ValueError):
            return kind(part)
    return part
