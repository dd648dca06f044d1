"""A damaged journal: results are computed anew or told as lost, never wrong; MLflow keeps what is true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import HERE, Command
from trackers import client_of, fresh_store

import rag_sweep
from rag_sweep.journal import lines
from rag_sweep.tracking.mlflow import MLflow

GRID = ["-m", "chunker=document,fixed", "chunker.size=4", "lexical.k1=0.5,1.5"]


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """The small dataset, tracked into a store of its own, which `run` and `sync` find by themselves."""
    command = Command(tmp_path, monkeypatch, capsys)
    monkeypatch.delenv("MLFLOW_TRACKING_URI", raising=False)
    (tmp_path / "own").mkdir()
    place = f"tracking.path={fresh_store(tmp_path / 'own').path}"
    command.small = [*(o for o in command.small if o not in ("journal=null", "tracking=none")), place, HERE]
    return command


def another(command: Command) -> str:
    """An empty store, as an override."""
    (command.folder / "other").mkdir()
    return f"tracking.path={fresh_store(command.folder / 'other').path}"


def states(command: Command) -> list[tuple[str, str, float]]:
    runs = client_of(MLflow(path=str(command.folder / "own" / "mlruns"))).search_runs(["1"])
    return sorted(
        (run.data.tags.get("index", ""), run.info.status, run.data.metrics.get("configurations", 0.0))
        for run in runs
    )


def journal(command: Command) -> Path:
    (folder,) = (command.folder / "mlruns" / ".sweeps").glob("*.*-*")
    return folder


def packs(command: Command) -> list[Path]:
    return sorted((journal(command) / "packs").glob("*.pack"))


WHOLE = [("", "FINISHED", 4.0), *((str(at), "FINISHED", 0.0) for at in range(4))]


def test_sync_leaves_a_finished_sweep_alone_and_tells_what_is_damaged(command: Command) -> None:
    assert command("run", *command.small, *GRID).code == 0
    pack = packs(command)[0]
    pack.write_bytes(pack.read_bytes()[:-1])
    ran = command("sync")
    assert ran.code == 1
    assert "2 kept results are damaged: the command of the sweep computes them anew" in ran.err
    assert states(command) == WHOLE
    again = command("run", *command.small, *GRID)
    assert again.code == 0, again.err
    assert "2 kept results were damaged and are computed anew" in again.err
    assert states(command) == WHOLE
    assert command("sync").code == 0


def test_a_run_that_somebody_deleted_is_sent_again_though_the_journal_is_damaged(command: Command) -> None:
    assert command("run", *command.small, *GRID).code == 0
    client = client_of(MLflow(path=str(command.folder / "own" / "mlruns")))
    (gone,) = client.search_runs(["1"], "tags.index = '3'")
    client.delete_run(gone.info.run_id)
    pack = packs(command)[0]
    pack.write_bytes(pack.read_bytes()[:-1])
    assert command("run", *command.small, *GRID).code == 0
    assert states(command) == WHOLE


def test_packs_that_changed_places_are_computed_anew(command: Command) -> None:
    whole = command("run", *command.small, *GRID, "--json")
    first, second = packs(command)
    first.rename(journal(command) / "x")
    second.rename(first)
    (journal(command) / "x").rename(second)
    again = command("run", *command.small, *GRID, "--json")
    assert "4 kept results were damaged" in again.err
    assert again.out == whole.out
    passages = [rag_sweep.load_sweep().passages(at, "q1")[0] for at in (0, 2)]
    assert passages[0] != passages[1]
    assert passages[0][1] == 0


@pytest.mark.parametrize("name", ["configurations.jsonl", "results.jsonl"])
def test_a_damaged_line_is_a_result_to_be_computed(command: Command, name: str) -> None:
    whole = command("run", *command.small, *GRID, "--json")
    file = journal(command) / name
    content = bytearray(file.read_bytes())
    content[100] ^= 1
    file.write_bytes(bytes(content))
    ran = command("sync", another(command))
    assert "Traceback" not in ran.err
    again = command("run", *command.small, *GRID, "--json")
    assert (again.code, again.out) == (0, whole.out)
    assert states(command) == WHOLE


def test_a_line_of_another_sweep_is_nobodys_result(command: Command) -> None:
    assert command("run", *command.small, *GRID).code == 0
    mine = journal(command) / "results.jsonl"
    foreign = mine.read_bytes()
    assert command("run", *command.small, "-m", "lexical.b=0.1,0.2", "resume=never").code == 0
    (other,) = {*(command.folder / "mlruns" / ".sweeps").glob("*.*-*/results.jsonl")} - {mine}
    kept = other.read_bytes()
    other.write_bytes(kept + foreign)
    again = command("run", *command.small, "-m", "lexical.b=0.1,0.2", "--json")
    assert again.code == 0, again.err
    assert len(json.loads(again.out)["configurations"]) == 2


@pytest.mark.parametrize("name", ["configurations.jsonl", "results.jsonl"])
def test_whole_lines_of_something_else_are_passed_over(command: Command, name: str) -> None:
    whole = command("run", *command.small, *GRID, "--json")
    folder, other = journal(command), ("results.jsonl", "configurations.jsonl")[name == "results.jsonl"]
    foreign = (folder / other).read_bytes()
    foreign += b"".join(map(lines.encoded, ({"index": [0]}, {"index": "0"}, {"a": 1}, [], "index", 3, None)))
    kept = (folder / name).read_bytes()
    (folder / name).write_bytes(foreign + kept + foreign)
    assert rag_sweep.load_sweep(folder).is_complete
    again = command("run", *command.small, *GRID, "--json")
    assert (again.code, again.out) == (0, whole.out), again.err
    assert "nothing has changed since" in again.err
    assert command("sync", another(command)).code == 0
    assert states(command) == WHOLE


def test_a_configuration_of_another_sweep_takes_nobodys_place(command: Command) -> None:
    """Its results are told as damaged, and what is computed anew bears the name of its own."""
    whole = command("run", *command.small, *GRID, "--json")
    mine = journal(command) / "configurations.jsonl"
    assert command("run", *command.small, "-m", "lexical.b=0.1,0.2").code == 0
    (other,) = {*(command.folder / "mlruns" / ".sweeps").glob("*.*-*/configurations.jsonl")} - {mine}
    mine.write_bytes(mine.read_bytes() + other.read_bytes())
    again = command("run", *command.small, *GRID, "--json")
    assert "2 kept results were damaged and are computed anew" in again.err
    assert (again.code, again.out) == (0, whole.out)
    found = rag_sweep.load_sweep(mine.parent)
    assert [one.params["lexical.k1"] for one in found.configurations] == [0.5, 1.5, 0.5, 1.5]
    assert {one.params["lexical.b"] for one in found.configurations} == {0.75}


def test_without_its_packs_a_sweep_goes_on(command: Command) -> None:
    whole = command("run", *command.small, *GRID, "--json")
    for pack in packs(command):
        pack.unlink()
    (journal(command) / "packs").rmdir()
    again = command("run", *command.small, *GRID, "--json")
    assert (again.code, again.out) == (0, whole.out)


def test_one_journal_that_cannot_be_read_keeps_no_other_back(command: Command) -> None:
    assert command("run", *command.small, *GRID).code == 0
    (journal(command) / "sweep.json").write_text("nothing")
    assert command("run", *command.small, "-m", "lexical.b=0.1,0.2").code == 0
    ran = command("sync", another(command))
    assert ran.code == 1
    assert "2 of 2 results kept, 2 sent now" in ran.out
    assert "sweep.json can't be read, so its results are lost: remove the folder" in ran.err


def test_a_damaged_matrix_is_written_anew_before_it_is_sent(command: Command) -> None:
    assert command("run", *command.small, *GRID).code == 0
    file = journal(command) / "matrix.npz"
    whole = file.read_bytes()
    file.unlink()  # the other name of the same file is MLflow's
    file.write_bytes(whole[:500] + bytes([whole[500] ^ 1]) + whole[501:])
    assert command("sync", another(command)).code == 0
    (sent,) = (command.folder / "other").rglob("sweep.npz")
    assert sent.read_bytes() == whole


def test_texts_that_were_kept_are_not_sent_where_none_are_wanted(command: Command) -> None:
    assert command("run", *command.small, *GRID).code == 0
    ran = command("sync", "tracking.text=none", "tracking.path=other")
    assert ran.code == 1
    assert "it was kept with texts, so tracking.text=none can't send it" in ran.err
    assert not (command.folder / "other").exists()


def test_a_sweep_with_failures_is_failed_also_where_the_failed_have_no_run(command: Command) -> None:
    grid = ["-m", "tracking.children=best:1", "lexical.k1=1.7e308,0.9,1.2", "lexical.b=1"]
    assert command("run", *command.small, *grid).code == 1
    assert states(command) == [("", "FAILED", 3.0), ("1", "FINISHED", 0.0)]


TELLING = """
from dataclasses import dataclass

from rag_sweep.errors import StageFailed

@dataclass(frozen=True)
class Telling:
    way: str = "wrong"
    version = 1

    def tokens(self, text):
        if self.way == "wrong":
            return text
        raise StageFailed(text)
"""


@pytest.mark.parametrize("way", ["wrong", "raised"])
def test_no_failure_quotes_a_text_where_none_are_wanted(command: Command, way: str) -> None:
    (command.folder / "telling.py").write_text(TELLING)
    (command.folder / "conf" / "analyzer").mkdir(parents=True)
    (command.folder / "conf" / "analyzer" / "telling.yaml").write_text(
        "_target_: telling.Telling\nway: wrong\n"
    )
    words = ["--config-dir", "conf", "analyzer=telling", f"analyzer.way={way}", "tracking.text=none"]
    ran = command("run", *command.small, *words, "-m", "lexical.k1=1,2")
    assert ran.code == 1
    assert "a stage failed (tracking.text=none keeps its message back)" in ran.out
    for file in (command.folder / name for name in command.files()):
        if file.suffix not in (".py", ".jsonl") or "mlruns" in file.parts:
            assert b"paid leave" not in file.read_bytes(), file


@pytest.mark.parametrize("word", ["~resume", "~journal", "~dry_run"])
def test_a_key_that_is_taken_away_has_its_default(command: Command, word: str) -> None:
    ran = command("run", *command.small, word)
    assert ran.code == 0, ran.err
