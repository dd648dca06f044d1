"""The best configurations of a sweep, judged by the answers that their passages lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_sweep.answers.choosing import Chosen, chosen_rows
from rag_sweep.answers.cited import with_evidence_cited
from rag_sweep.answers.evaluation import Evaluation, over
from rag_sweep.answers.from_sweep import FromSweep, cases_of
from rag_sweep.answers.request import KEYS, AnswersRequest
from rag_sweep.answers.running import generate, judge
from rag_sweep.answers.writing import write_evaluation, write_json
from rag_sweep.comparing.finding import Finder
from rag_sweep.comparing.request import Request, is_override
from rag_sweep.comparing.texts import dataset_of
from rag_sweep.comparison.baseline import choose_baseline
from rag_sweep.comparison.grid import Grid
from rag_sweep.config.asked import group_of
from rag_sweep.errors import DataError
from rag_sweep.matrix.data import SweepData
from rag_sweep.records import Dataset
from rag_sweep.statistics.table import settle

FORMAT = 1
FINALISTS = "finalists.json"
Watch = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Finalist:
    """One configuration with its answers.

    Attributes
    ----------
    rank
        On the leaderboard, from 1.
    same
        Indexes of further configurations that hand over the same, so that their answers are these.
    retrieval
        Mean of the sweep's objective: a value of retrieval, and no part of what is said of answers.
    """

    sweep: SweepData
    index: int
    name: str
    rank: int
    is_baseline: bool
    same: tuple[int, ...]
    retrieval: float
    made: FromSweep
    evaluation: Evaluation

    @property
    def place(self) -> str:
        """``SWEEP:INDEX``, as other commands take it."""
        return f"{self.sweep.sweep_id}:{self.index}"

    def to_dict(self) -> dict[str, Any]:
        """As plain data, without its cases."""
        found = self.evaluation
        return {
            "place": self.place,
            "sweep_id": self.sweep.sweep_id,
            "index": self.index,
            "name": self.name,
            "rank": self.rank,
            "is_baseline": self.is_baseline,
            "same": list(self.same),
            "params": dict(self.sweep.configurations[self.sweep.row(self.index)].params),
            "retrieval": settle(self.retrieval),
            "answers": {name: mean.value for name, mean in found.means.items()},
            "over": {name: over(mean) for name, mean in found.means.items()},
            "attribution": found.attributed,
            "evidence_in_context": _counts(one.evidence for one in found.cases.cases),
            "cases_hash": found.cases.fingerprint,
            "answers_hash": found.answers_hash,
        }


def _counts(values: Iterable[bool | None]) -> dict[str, int]:
    every = list(values)
    return {name: every.count(kind) for name, kind in (("yes", True), ("no", False), ("unknown", None))}


@dataclass(frozen=True, eq=False)
class Finalists:
    """What was asked, and every finalist, best retrieval first."""

    objective: str
    k: int
    dataset: str
    gold: str
    baseline: str
    finalists: tuple[Finalist, ...]
    notes: tuple[str, ...] = ()

    @property
    def knobs(self) -> tuple[str, ...]:
        """Params that differ between finalists."""
        params = [one.sweep.configurations[one.sweep.row(one.index)].params for one in self.finalists]
        keys = dict.fromkeys(key for one in params for key in one)
        return tuple(key for key in keys if len({repr(one.get(key)) for one in params}) > 1)

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        first = self.finalists[0].evaluation
        return {
            "format": FORMAT,
            "objective": self.objective,
            "k": self.k,
            "dataset": self.dataset,
            "gold": self.gold,
            "baseline": self.baseline,
            "knobs": list(self.knobs),
            "answer_models": list(first.answer_models),
            "judge_model": first.judge_model,
            "prompts": list(first.prompts),
            "notes": list(self.notes),
            "finalists": [one.to_dict() for one in self.finalists],
        }


@dataclass(frozen=True, eq=False)
class FinalistsRequest:
    """What is asked: of answers, and of the sweep that they are to come from.

    Attributes
    ----------
    own
        The config of answers.
    request
        The sweep, and how its leaderboard is ordered.
    """

    own: AnswersRequest
    request: Request
    chosen: Chosen

    @classmethod
    def of(
        cls, words: Sequence[str], config_dir: str | None = None, baseline: str | None = None
    ) -> FinalistsRequest:
        """Sort words into names of sweeps, and overrides of ``conf/answers.yaml`` or of `rag-sweep compare`.

        Parameters
        ----------
        baseline
            As `rag-sweep compare` takes it.

        Raises
        ------
        UsageError, ConfigError
            For an override that would do nothing, or that can't be.
        """
        overrides = [word for word in words if is_override(word)]
        of_answers = [word for word in overrides if group_of(word) in KEYS]
        of_sweep = [word for word in overrides if group_of(word) not in KEYS or group_of(word) == "tracking"]
        own = AnswersRequest.of(of_answers, config_dir)
        names = [word for word in words if not is_override(word)]
        return cls(own, Request.composed(names, of_sweep, config_dir, baseline), Chosen.of(own.config))

    @cached_property
    def grid(self) -> Grid:
        """The leaderboard."""
        found = Finder(self.request).find(self.request.names)
        return Grid.chosen(found.places, objective=self.request.objective)

    def judged(self, watch: Watch | None = None) -> Finalists:
        """Write and judge the answers of a sweep's best configurations, and of the baseline.

        The best are those of the leaderboard: by the mean of the objective, equal ones in the order of their
        sweep. Configurations that hand over the same passages are judged once.

        Raises
        ------
        UsageError, DataError, ConfigError, NotComparable
            For a sweep that isn't there, or whose dataset can't be read as it was.
        """
        grid = self.grid
        line = choose_baseline(grid, self.request.decide.baseline, self.request.shipped)
        datasets = {sweep.sweep_id: _dataset(sweep, self.request) for sweep in grid.sweeps}
        chosen = chosen_rows(grid, self.chosen, line.row)
        told = watch or (lambda done, total: None)
        made = []
        for at, (row, same) in enumerate(chosen.items()):
            told(at, len(chosen))
            made.append(self._one(grid, row, same, datasets, row == line.row))
        told(len(chosen), len(chosen))
        k = grid.k if self.chosen.k is None else self.chosen.k
        basis = grid.sweeps[0].basis
        notes = dict.fromkeys([line.note, *grid.notes, *_whole(made, k), *_of_answers(made)])
        return Finalists(grid.objective, k, basis.name, basis.gold_hash, line.note, tuple(made), tuple(notes))

    def _one(
        self, grid: Grid, row: int, same: Sequence[int], datasets: Mapping[str, Dataset], is_baseline: bool
    ) -> Finalist:
        member = grid.members[row]
        sweep = grid.sweeps[member.sweep]
        made = cases_of(
            sweep, member.record.index, datasets[sweep.sweep_id], self.chosen.k, self.chosen.share
        )
        found = judge(made.cases, generate(made.cases, self.own), self.own)
        return Finalist(
            sweep=sweep,
            index=member.record.index,
            name=member.name or member.record.name,
            rank=row + 1,
            is_baseline=is_baseline,
            same=tuple(grid.members[one].record.index for one in same),
            retrieval=float(grid.values[row].mean()),
            made=made,
            evaluation=with_evidence_cited(found, made.known),
        )


def _whole(made: Sequence[Finalist], k: int) -> list[str]:
    """Where so many passages are all that there are, nothing is left for retrieval to miss."""
    names = [one.name for one in made if _passages(one) <= k]
    if not names:
        return []
    return [f"{', '.join(names)}: the first {k} passages are the whole corpus; answers.k hands over fewer"]


def _passages(one: Finalist) -> int:
    return len(one.sweep.chunkings[one.sweep.chunking[one.sweep.row(one.index)]].document)


def _of_answers(made: Sequence[Finalist]) -> list[str]:
    """What to tell of answers: those that could not be written, by configuration, and what judging says."""
    found = []
    for one in made:
        failed = [answer for answer in one.evaluation.answers.values() if answer.failure]
        if failed:
            first = f"{failed[0].id}: {failed[0].failure}"
            found.append(f"{one.place}: {len(failed)} answers failed, such as {first}")
        found += one.evaluation.notes
    return found


def _dataset(sweep: SweepData, request: Request) -> Dataset:
    found = dataset_of(sweep, request)
    if isinstance(found, str):
        raise DataError(f"answers need the texts of sweep {sweep.sweep_id}: {found}")
    return found


def leave(found: Finalists, folder: Path) -> list[str]:
    """Write the cases, the answers and the evaluation of every finalist; gives the names of their folders.

    Parameters
    ----------
    folder
        A new one; each finalist gets a folder in it.
    """
    many = len({one.sweep.sweep_id for one in found.finalists}) > 1
    names = [one.place.replace(":", "-") if many else str(one.index) for one in found.finalists]
    for name, one in zip(names, found.finalists, strict=True):
        write_evaluation(one.evaluation, folder / name, one.to_dict())
    write_json(folder / FINALISTS, found.to_dict())
    return names
