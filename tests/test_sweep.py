"""One `rag-sweep run` end to end: launchers and sweepers, failing configurations, components of the user."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from commands import Command, Ran, ended, started
from hydra.core.utils import JobStatus

from hydra_plugins.rag_sweep_hydra.plugin import RagSweepJob
from rag_sweep.config.literals import literal
from rag_sweep.errors import ConfigError, StageFailed
from rag_sweep.sweep import Objective, Session, session

LINES = '''
"""One passage for each group of lines."""

from dataclasses import dataclass

from rag_sweep.errors import ConfigError


@dataclass(frozen=True)
class LineChunker:
    lines: int = 2
    unlucky: str = ""

    def __post_init__(self) -> None:
        if self.lines < 1:
            raise ConfigError(f"chunker.lines must be an int >= 1, got {self.lines}")

    def split(self, text: str) -> list[tuple[int, int]]:
        if self.unlucky:
            raise ValueError(self.unlucky)
        ends = [at + 1 for at, letter in enumerate(text) if letter == "\\n"]
        borders = [0, *ends[self.lines - 1 :: self.lines], len(text)]
        return [span for span in zip(borders, borders[1:]) if span[0] < span[1]] or [(0, 0)]
'''
MINE = ["--config-dir", "my conf", "chunker=lines"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    command = Command(tmp_path, monkeypatch, capsys)
    (tmp_path / "lines_of_mine.py").write_text(LINES)
    (tmp_path / "my conf" / "chunker").mkdir(parents=True)
    yaml = tmp_path / "my conf" / "chunker" / "lines.yaml"
    yaml.write_text("_target_: lines_of_mine.LineChunker\nlines: 2\nunlucky: ''\n")
    return command


def board(ran: Ran) -> dict[str, Any]:
    found = json.loads(ran.out)
    assert isinstance(found, dict)
    return found


# Components of the user


def test_a_component_needs_one_python_file_and_one_yaml(command: Command) -> None:
    found = command.json("run", *command.small, *MINE, "chunker.lines=1")
    assert found["params"]["chunker"] == "lines"  # type: ignore[index]
    assert found["params"]["chunker.lines"] == 1  # type: ignore[index]
    assert found["metrics"]["passages"] > 5  # type: ignore[index]


def test_a_component_may_lie_on_the_python_path(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    elsewhere = command.folder / "elsewhere"
    elsewhere.mkdir()
    (command.folder / "lines_of_mine.py").rename(elsewhere / "lines_there.py")
    yaml = command.folder / "my conf" / "chunker" / "lines.yaml"
    yaml.write_text("_target_: lines_there.LineChunker\n")
    missing = command("run", *command.small, *MINE)
    assert missing.code == 2
    assert "can't be imported" in missing.err
    assert "PYTHONPATH" in missing.err
    monkeypatch.syspath_prepend(elsewhere)
    assert command("run", *command.small, *MINE).code == 0


@pytest.mark.full
def test_its_knobs_are_swept_beside_ours_and_checked_before_any_work(command: Command) -> None:
    sweep = ["run", *command.small, "-m", "--config-dir", "my conf", "chunker=lines,document"]
    found = board(command(*sweep, "chunker.lines=1,2", "--json"))
    assert sorted(row["params"].get("chunker.lines", 0) for row in found["configurations"]) == [0, 1, 2]
    refused = command(*sweep, "chunker.lines=0,1")
    assert refused.code == 2
    assert "chunker.lines must be an int >= 1, got 0" in refused.err


def test_the_other_commands_know_it_too(command: Command) -> None:
    checked = command("gold", "check", *command.small, "--config-dir", "my conf", "chunker=lines")
    assert (checked.code, checked.err) == (0, "")


# A configuration that fails while it runs


def test_a_failing_configuration_is_a_row_with_its_reason_and_the_sweep_goes_on(command: Command) -> None:
    reason = "a [bracket], a [/red] tag\nand a second line"
    sweep = ["run", *command.small, *MINE, "-m", f"chunker.unlucky='',{literal(reason)}", "lexical.k1=1,2"]
    ran = command(*sweep)
    assert ran.code == 1
    assert ran.out.count(f"passages: ValueError: {' '.join(reason.split())}") == 2
    assert "2 of 4 configurations failed" in ran.out
    found = board(command(*sweep, "--json"))
    assert [row["failure"] for row in found["configurations"]] == [
        *(None, None, f"passages: ValueError: {reason}", f"passages: ValueError: {reason}")
    ]
    assert found["configurations"][-1]["metrics"] == {}


def test_a_failing_single_run_says_why(command: Command) -> None:
    run = ["run", *command.small, "k=3", *MINE, "chunker.unlucky=oops"]
    ran = command(*run)
    assert (ran.code, ran.out) == (1, "")
    assert ran.err == "rag-sweep: the configuration failed: passages: ValueError: oops\n"
    told = command(*run, "--json")
    assert (told.code, board(told)["failure"]) == (1, "passages: ValueError: oops")


@pytest.mark.full
def test_a_sweep_of_which_everything_failed_is_no_success(command: Command) -> None:
    ran = command("run", *command.small, *MINE, "-m", "chunker.unlucky=a,b")
    assert ran.code == 1
    assert ran.out.count("!") == 2
    assert "flatters it" not in ran.out


# Launchers and sweepers


GRID = ["-m", "chunker=document,fixed", "chunker.size=5,8", "lexical.k1=0.5", "fusion.k_rrf=10,60"]


def test_the_basic_launcher_gives_the_same_leaderboard_and_leaves_no_files(command: Command) -> None:
    before = command.files()
    ours = command("run", *command.small, *GRID, "--json")
    basic = command("run", *command.small, *GRID, "hydra/launcher=basic", "--json")
    assert len(board(ours)["configurations"]) == 6
    assert basic == ours
    assert command.files() == before


@pytest.mark.full
def test_the_joblib_launcher_gives_the_same_leaderboard_and_leaves_no_files(command: Command) -> None:
    before = command.files()
    ours = command("run", *command.small, *GRID, "--json")
    joblib = command(
        "run", *command.small, *GRID, "hydra/launcher=joblib", "hydra.launcher.n_jobs=2", "--json"
    )
    assert joblib == ours
    assert command.files() == before


@pytest.mark.parametrize("launcher", ["basic", pytest.param("joblib", marks=pytest.mark.full), "rag_sweep"])
def test_a_failing_job_of_any_launcher_is_a_failed_row(command: Command, launcher: str) -> None:
    sweep = ["run", *command.small, *MINE, "-m", "chunker.unlucky='',oops", f"hydra/launcher={launcher}"]
    ran = command(*sweep, "--json")
    assert ran.code == 1
    assert [row["failure"] for row in board(ran)["configurations"]] == [None, "passages: ValueError: oops"]


def test_a_job_that_breaks_outside_of_its_stages_is_a_failed_row_too(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("out of luck")

    monkeypatch.setattr("rag_sweep.single.plan", broken)
    ran = command("run", *command.small, "k=3", "-m", "lexical.k1=1,2", "hydra/launcher=basic", "--json")
    assert (ran.code, ran.err) == (1, "")
    assert [row["failure"] for row in board(ran)["configurations"]] == ["RuntimeError: out of luck"] * 2


def test_a_job_of_ours_has_its_value_or_its_error_and_the_status_that_belongs_to_it() -> None:
    good, bad = RagSweepJob.of(["a=1"], 0.5), RagSweepJob.of(["a=2"], StageFailed("oops"))
    assert (good.status, good.return_value, good.overrides) == (JobStatus.COMPLETED, 0.5, ["a=1"])
    assert bad.status == JobStatus.FAILED
    with pytest.raises(StageFailed, match="oops"):
        _ = bad.return_value


@pytest.mark.parametrize("launcher", ["basic", "rag_sweep"])
def test_nothing_starts_before_every_configuration_is_checked(command: Command, launcher: str) -> None:
    sweep = ["run", *command.small, *MINE, "-m", "chunker.unlucky=oops", "lexical.k1=1,-1"]
    ran = command(*sweep, f"hydra/launcher={launcher}")
    assert ran.code == 2
    assert "lexical.k1 must be a number >= 0, got -1.0" in ran.err
    assert "oops" not in ran.err.replace("chunker.unlucky=oops", "")


@pytest.mark.full
def test_hydras_own_sweeper_works_with_our_launcher(command: Command) -> None:
    before = command.files()
    grid = ["-m", "lexical.k1=0.5,1.5", "fusion.k_rrf=10,60"]
    ours = board(command("run", *command.small, *grid, "--json"))
    basic = board(command("run", *command.small, *grid, "hydra/sweeper=basic", "--json"))
    assert basic["configurations"] == ours["configurations"]
    assert command.files() == before


def test_a_failing_job_of_hydras_own_sweeper_is_a_failed_row(command: Command) -> None:
    sweep = ["run", *command.small, "k=3", *MINE, "-m", "chunker.unlucky=oops,''", "hydra/sweeper=basic"]
    ran = command(*sweep)
    assert ran.code == 1
    assert "1 of 2 configurations failed" in ran.out
    assert ran.err == ""


STUDY = ["-m", "hydra/sweeper=optuna", "lexical.k1=interval(0.5,2)", "hydra.sweeper.n_jobs=2"]


@pytest.mark.full
def test_every_trial_of_optuna_is_a_result_in_mlflow(command: Command) -> None:
    pytest.importorskip("hydra_plugins.hydra_optuna_sweeper")
    tracked = [o for o in command.small if o != "tracking=none"]
    study = [*STUDY, "hydra.sweeper.n_trials=5", "tracking.path=tracked here", "--json"]
    before = command.files()
    found = board(ended(started("run", *tracked, *study, cwd=command.folder)))
    values = [row["params"]["lexical.k1"] for row in found["configurations"]]
    assert len(set(values)) == 5
    assert all(0.5 <= value < 2 for value in values)
    assert sorted(row["index"] for row in found["configurations"]) == list(range(5))
    assert {Path(name).parts[0] for name in command.files() - before} == {"tracked here"}
    with sqlite3.connect(command.folder / "tracked here" / "mlflow.db") as database:
        states = database.execute("select status, count(*) from runs group by status").fetchall()
    assert states == [("FINISHED", 6)]


@pytest.mark.full
def test_optuna_is_told_that_more_is_better(command: Command) -> None:
    pytest.importorskip("hydra_plugins.hydra_optuna_sweeper")
    study = [*STUDY, "hydra.sweeper.n_trials=2", "hydra.sweep.dir=study"]
    ran = ended(started("run", *command.small, *study, "--json", cwd=command.folder))
    found = (command.folder / "study" / "optimization_results.yaml").read_text()
    best = max(row["metrics"]["ndcg@10"] for row in board(ran)["configurations"])
    assert f"best_value: {best}" in found


# The session itself


def test_there_is_no_session_outside_of_a_command() -> None:
    with pytest.raises(ConfigError, match="work under `rag-sweep run` only"):
        session()


def test_what_a_launcher_throws_is_a_failure_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Session, "_working", lambda *_: SimpleNamespace(left=lambda _: []))

    def broken() -> None:
        with Session().foreign(*_nothing()):
            raise MemoryError("a worker was killed")

    with pytest.raises(StageFailed, match="the launcher broke off: MemoryError: a worker was killed"):
        broken()


def _nothing() -> Any:
    from loaders import loader_of, master_of

    loader = loader_of()
    return loader, master_of(loader), [["lexical.k1=1"]]


def test_an_objective_is_a_number_that_carries_its_result() -> None:
    import pickle

    objective = Objective.carrying(0.5, "anything", None)  # type: ignore[arg-type]
    copy = pickle.loads(pickle.dumps(objective))
    assert (copy, copy.outcome, copy.failure) == (0.5, "anything", None)


def test_the_objective_of_a_failed_configuration_is_no_number() -> None:
    failed = Objective.carrying(0.5, None, "oops")
    assert (str(failed), failed.failure) == ("nan", "oops")


@pytest.mark.full
def test_a_named_sweep_needs_no_m_and_an_override_wins_over_it(command: Command) -> None:
    narrow = ["chunker=document", "lexical.k1=1", "lexical.b=0.5", "embedder.dim=8", "fusion.k_rrf=10"]
    found = board(command("run", *command.small, "+sweep=handbook", *narrow, "--json"))
    assert {row["params"]["lexical.k1"] for row in found["configurations"]} == {1.0}
    assert {row["params"]["reranker"] for row in found["configurations"]} == {"none", "zsum"}
    assert len(found["configurations"]) == 2


def test_what_was_left_out_is_said_once_on_stderr(command: Command) -> None:
    ran = command(
        "run", *command.small, "k=3", "-m", "chunker=document,fixed", "chunker.size=5,8", "lexical.k1=1,2"
    )
    assert ran.err == "note: chunker.size doesn't exist under chunker=document: it doesn't multiply it\n"
    twice = "sweep.grids=[{chunker:[document,fixed]},{chunker:[fixed,document]}]"
    ran = command("run", *command.small, "k=3", "-m", twice)
    assert ran.err == "note: repeated configurations are evaluated once: 2\n"


@pytest.mark.full
def test_a_sweep_in_another_order_gives_the_same_rows(command: Command) -> None:
    grid = ["chunker=document,fixed", "lexical.k1=0.5,1.5", "reranker=none,zsum"]
    boards = [board(command("run", *command.small, "-m", *words, "--json")) for words in (grid, grid[::-1])]
    rows = [
        {row["configuration"]: (row["params"], row["metrics"]) for row in found["configurations"]}
        for found in boards
    ]
    assert rows[0] == rows[1]
    assert len(rows[0]) == 8


@pytest.mark.full
def test_it_works_as_the_installed_command(command: Command) -> None:
    ran = ended(started("run", *command.small, *MINE, "-m", "chunker.lines=1,2", cwd=command.folder))
    assert ran.code == 0, ran.err
    assert ran.out.startswith("2 configurations on docs")
