"""One sweep on disk: results come back equal, and what is damaged is known to be missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from journals import (
    IDENTITY,
    PIPELINES,
    assert_same_outcome,
    assert_same_summary,
    begun,
    cards_of,
    configurations_of,
    results_of,
)
from pipelines import pipeline_of
from test_stages_failures import BadReranker

from rag_sweep.errors import JournalError
from rag_sweep.journal.journal import Journal
from rag_sweep.journal.journal import results_of as results_in
from rag_sweep.journal.shelf import Shelf

BROKEN = pipeline_of(reranker=BadReranker("raises"))
CONFIGURATIONS = configurations_of(*PIPELINES, BROKEN, PIPELINES[1], BROKEN)
RESULTS = results_of(CONFIGURATIONS)
"""Each of the pipelines, one that fails, and an alias of one that went well and of the failed one."""


def opened(folder: Path) -> Journal:
    found = Journal.open(folder)
    assert found is not None
    return found


def test_results_come_back_equal(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    journal.write(RESULTS[:3])
    journal.write(RESULTS[3:])
    for again in (journal, (journal.close(), opened(journal.folder))[1]):
        assert again.is_complete
        found = results_in(again, CONFIGURATIONS)
        assert sorted(found) == [c.index for c in CONFIGURATIONS]
        for result, outcome in RESULTS:
            kept = found[result.configuration.index]
            assert kept.configuration is result.configuration
            assert (kept.failure, kept.alias_of) == (result.failure, result.alias_of)
            assert_same_summary(result.summary, kept.summary)
            assert_same_outcome(outcome, again.outcome(result.configuration.index))
    assert RESULTS[4][0].failure == "reranked: ValueError: no model here"
    assert RESULTS[5][0].alias_of == 1


def test_results_may_come_in_any_order_and_one_by_one(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    for one in reversed(RESULTS):
        assert not journal.is_complete
        journal.write([one])
    journal.close()
    again = opened(journal.folder)
    assert again.is_complete
    assert again.best_first() == journal.best_first()
    for result, outcome in RESULTS:
        assert_same_outcome(outcome, again.outcome(result.configuration.index))


def test_aliases_share_their_arrays(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    journal.write(RESULTS)
    assert journal.kept[5].entry == journal.kept[1].entry
    assert len({one.entry for one in journal.kept.values() if one.pack}) == len(PIPELINES)
    assert len(list((journal.folder / "packs").iterdir())) == 1


def test_a_copy_is_an_alias_that_came_later(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    journal.write(RESULTS[:5])
    journal.copy(5, 1)
    journal.copy(6, 4)
    journal.close()
    again = opened(journal.folder)
    assert again.is_complete
    for result, outcome in RESULTS[5:]:
        kept = again.kept[result.configuration.index]
        assert (kept.failure, kept.alias_of) == (result.failure, result.alias_of)
        assert_same_summary(result.summary, kept.summary)
        assert_same_outcome(outcome, again.outcome(result.configuration.index))


def test_results_of_failed_ones_alone_need_no_arrays(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    journal.write([RESULTS[4]])
    assert list((journal.folder / "packs").iterdir()) == []
    journal.close()
    again = opened(journal.folder)
    assert again.kept[4].failure == "reranked: ValueError: no model here"
    assert again.outcome(4) is None
    with pytest.raises(ValueError, match="configuration 4 failed"):
        again.stored(4)


def two_packs(folder: Path) -> tuple[Journal, list[Path]]:
    """A journal whose results lie in two packs, in the order in which they were written."""
    journal = begun(folder, CONFIGURATIONS)
    journal.write(RESULTS[:2])
    journal.write(RESULTS[2:])
    journal.close()
    names = [journal.kept[index].pack for index in (0, 2)]
    return journal, [journal.folder / "packs" / f"{name}.pack" for name in names]


@pytest.mark.parametrize("damage", ["changed", "cut", "gone"])
def test_of_a_damaged_pack_only_its_results_are_lost_and_it_is_said(tmp_path: Path, damage: str) -> None:
    journal, (pack, _) = two_packs(tmp_path)
    content = bytearray(pack.read_bytes())
    content[-70] ^= 1
    if damage == "gone":
        pack.unlink()
    else:
        pack.write_bytes(content if damage == "changed" else content[:-9])
    again = opened(journal.folder)
    assert sorted(again.kept) == [2, 3, 4, 5, 6]
    assert again.damaged == 2
    assert not again.is_complete
    again.write(RESULTS[:2])
    again.close()
    repaired = opened(journal.folder)
    assert (repaired.is_complete, repaired.damaged) == (True, 0)
    assert_same_outcome(RESULTS[0][1], repaired.outcome(0))


def test_a_result_that_is_damaged_while_the_journal_is_open_is_an_error_that_names_it(tmp_path: Path) -> None:
    journal, (pack, _) = two_packs(tmp_path)
    again = opened(journal.folder)
    pack.write_bytes(pack.read_bytes()[:-9])
    with pytest.raises(JournalError, match=r"a result in .*can't be read: "):
        Journal.outcome(again, 0)
    assert_same_outcome(RESULTS[2][1], again.outcome(2))


def test_a_torn_line_is_no_result_and_its_pack_goes(tmp_path: Path) -> None:
    journal, (_, pack) = two_packs(tmp_path)
    file = journal.folder / "results.jsonl"
    first = b"".join(file.read_bytes().splitlines(keepends=True)[:2])
    file.write_bytes(first + b'0123456789abcdef {"index":2,')
    again = opened(journal.folder)
    assert sorted(again.kept) == [0, 1]
    assert again.damaged == 0
    assert not pack.exists()
    again.write(RESULTS[2:])
    again.close()
    assert opened(journal.folder).is_complete


def test_what_a_killed_process_left_behind_is_gone_after_opening(tmp_path: Path) -> None:
    journal, _ = two_packs(tmp_path)
    before = sorted(journal.folder.rglob("*"))
    for name in ("packs/0123.tmp", "packs/4567.pack", "sweep.json.new"):
        (journal.folder / name).write_bytes(b"half")
    opened(journal.folder).close()
    assert sorted(journal.folder.rglob("*")) == before


def test_where_a_sweep_is_tracked_may_change(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS, tracking={"uri": "http://one"})
    journal.write(RESULTS)
    journal.aim({"uri": "http://one"})
    journal.aim({"uri": "http://two"})
    journal.close()
    again = opened(journal.folder)
    assert again.head.tracking == {"uri": "http://two"}
    assert again.is_complete
    assert [path.name for path in journal.folder.glob("*.new")] == []


def test_a_sweep_in_batches_is_complete_when_its_end_is_said(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS[:2], configurations=None)
    journal.write(RESULTS[:2])
    journal.add(cards_of(CONFIGURATIONS)[2:])
    journal.write(RESULTS[2:])
    assert not journal.is_complete
    journal.end()
    journal.close()
    again = opened(journal.folder)
    assert again.is_complete
    assert list(again.cards) == [c.index for c in CONFIGURATIONS]


def test_the_best_come_first_equal_ones_in_order_and_failed_ones_not_at_all(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    journal.write(RESULTS[::-1])
    values = {result.configuration.index: result.objective for result, _ in RESULTS if result.summary}
    assert journal.best_first() == sorted(values, key=lambda index: (-values[index], index))
    assert len(values) == 5


def test_a_full_disk_is_one_error_and_costs_nothing_that_was_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    journal.write(RESULTS[:2])
    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", _full)
        with pytest.raises(JournalError) as told:
            journal.write(RESULTS[2:])
        with pytest.raises(JournalError):
            journal.aim({"uri": "elsewhere"})
        with pytest.raises(JournalError):
            begun(tmp_path / "another", CONFIGURATIONS)
    assert str(told.value).startswith(
        f"the journal {journal.folder} can't be written: No space left on device"
    )
    assert told.value.exit_code == 1
    assert sorted(journal.kept) == [0, 1]
    journal.close()
    again = opened(journal.folder)
    assert sorted(again.kept) == [0, 1]
    again.write(RESULTS[2:])
    assert again.is_complete


def _full(_: int) -> None:
    raise OSError(28, "No space left on device")


def test_a_removed_journal_is_gone(tmp_path: Path) -> None:
    journal = begun(tmp_path, CONFIGURATIONS)
    journal.remove()
    assert Shelf(tmp_path).all() == []
    assert Journal.take_up(Shelf(tmp_path), IDENTITY) is None


# Killed in the middle

KILLED = """
import os, signal, sys
from pathlib import Path
import journals
from test_journal_journal import CONFIGURATIONS, RESULTS
from rag_sweep.journal.journal import Journal
from rag_sweep.journal.shelf import Shelf

def work(folder):
    journal = Journal.take_up(Shelf(folder), journals.IDENTITY) or journals.begun(folder, CONFIGURATIONS)
    journal.aim({"uri": "elsewhere"})
    left = [one for one in RESULTS if one[0].configuration.index not in journal.kept]
    for at in range(0, len(left), 2):
        journal.write(left[at : at + 2])

def killing(function, at):
    real, calls = getattr(os, function), []
    def call(*arguments, **options):
        calls.append(function)
        if len(calls) == at:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*arguments, **options)
    setattr(os, function, call)

folder = Path(sys.argv[1])
for function in sys.argv[2:]:
    for at in range(1, 40):
        here = folder / f"{function} {at}"
        child = os.fork()
        if child == 0:
            killing(function, at)
            work(here)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        print(here.name, "killed" if os.WIFSIGNALED(status) else "ended", flush=True)
        if not os.WIFSIGNALED(status):
            break
"""
"""Processes that kill themselves at each call of a function of the system, until there is none left."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.parametrize(
    "functions", [("fsync", "replace"), pytest.param(("mkdir", "open"), marks=pytest.mark.full)]
)
def test_a_process_killed_at_any_step_leaves_whole_results_and_nothing_else(
    tmp_path: Path, functions: tuple[str, ...]
) -> None:
    paths = os.pathsep.join([os.path.dirname(__file__), *sys.path])
    done = subprocess.run(
        [sys.executable, "-c", KILLED, str(tmp_path), *functions],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=True,
    )
    kills = [line.rpartition(" ") for line in done.stdout.splitlines()]
    for end in ("killed", "ended"):
        assert {name.split()[0] for name, _, found in kills if found == end} == set(functions)
    kept = set()
    for name, _, _ in kills:
        journal = Journal.take_up(Shelf(tmp_path / name), IDENTITY)
        if journal is None:
            journal = begun(tmp_path / name, CONFIGURATIONS)
        kept.add(len(journal.kept))
        assert journal.damaged == 0
        assert sorted(journal.kept) == list(range(len(journal.kept)))
        journal.write(RESULTS[len(journal.kept) :])
        assert journal.is_complete
        for result, outcome in RESULTS:
            assert_same_outcome(outcome, journal.outcome(result.configuration.index))
        journal.close()
        begun(tmp_path / name, CONFIGURATIONS, identity=None).close()  # sweeps out what was never begun
        left = {file.name for file in (tmp_path / name).rglob("*") if file.suffix != ".pack"}
        assert not {file for file in left if file.endswith((".tmp", ".new"))}, name
        assert len(Shelf(tmp_path / name).all()) == sum(p.is_dir() for p in (tmp_path / name).iterdir())
    assert {0, 2, 7} <= kept
