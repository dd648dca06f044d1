"""Whatever is typed wrong gives one clear message, exit code 2, and leaves nothing behind."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from commands import Command, Ran, ended, started, write_dataset


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return Command(tmp_path, monkeypatch, capsys)


def is_one_clear_message(ran: Ran, message: str) -> None:
    assert ran.code == 2, ran
    assert ran.out == ""
    assert re.search(message, ran.err), ran.err
    assert ran.err.startswith("rag-sweep: ")
    assert 1 <= len(ran.err.splitlines()) <= 3, ran.err
    assert max(map(len, ran.err.splitlines())) < 300, ran.err
    assert "Traceback" not in ran.err


COMMON = {
    # values that can't be
    "lexical.k1=-1": r"lexical\.k1 must be a number >= 0, got -1",
    "k=0": "k must be an int >= 1, got 0",
    "embedder.dim=0": "embedder.dim must be an int .*got 0",
    "lexical.k1=nan": "lexical.k1 must be a finite number, got nan",
    # keys and options that don't exist
    "chunker=fixed chunker.sise=3": r"chunker\.sise doesn't exist.*did you mean chunker\.size\?",
    "chunker=fixxed": r"chunker=fixxed doesn't exist: did you mean fixed\?",
    "+lexical.foo=1": r"lexical\.foo doesn't exist; there are lexical\.k1, lexical\.b",
    "+foo=1": "foo doesn't exist; there are k, cutoffs",
    # what Hydra can't read
    "lexical.k1='1": "a quote is never closed",
    "--nonsense": "option --nonsense doesn't exist",
    "--config-dir nowhere": "config directory '.*nowhere' not found",
    # sweeps
    "-m k=1,2": "k can't be swept",
    "-m lexical.k1=-1,1": r"1 of 2 configurations can't be:\n.*got -1\.0",
    "-m chunker=fixed,fixxed": r"chunker=fixxed doesn't exist: did you mean fixed\?",
    "dry_run=maybe": "dry_run must be true or false, got 'maybe'",
    "execute.backend=foo": "execute.backend must be one of dask, loky, .*got 'foo'",
    "execute.backend=foo dry_run=true": "execute.backend must be one of dask, loky, .*got 'foo'",
    "objective=ndcg@7": r"objective must be at k or at one of the cutoffs",
}
MORE = {
    "k=abc": "k must be an int, got 'abc'",
    "lexical.k1=inf": "lexical.k1 must be a finite number, got inf",
    "lexical.k1='abc'": "lexical.k1 must be a finite number, got 'abc'",
    "lexical.k1=": "lexical.k1 must be a finite number, got ''",
    "lexical.k11=1": r"did you mean lexical\.k1\?",
    "chunker.size=5": r"chunker\.size doesn't exist in this configuration; it exists under chunker=fixed",
    "chunkr=fixed": r"chunkr doesn't exist.*did you mean chunker\?",
    "chunker=5": "a group takes the name of one of its options",
    "chunker=null": "a group takes the name of one of its options",
    "~chunker": "chunker must be an option of the group",
    "~nowhere": "nowhere",
    "++chunker=fixed": "force-add of config groups is not supported",
    "+k=5": "already at 'k'",
    "lexical@x=bm25": r"did you mean lexical\?",
    "lexical.k1=[1,2": r"lexical\.k1=\[1,2 can't be read",
    "lexical.k1=1,": "lexical.k1=1, can't be read: it ends too early",
    "lexical.k1=(1": r"lexical\.k1=\(1 can't be read",
    "dataset.version=слово": r"letters and signs need quotes, 'dataset\.version=\"слово\"'",
    "dataset.version=[слово": "a text with other letters or signs in quotes",
    "stray": "'stray' is no override",
    "=5": "'=5' is no override",
    "lexical.k1=${nowhere}": "lexical.k1: Interpolation key 'nowhere' not found",
    "lexical.k1=${lexical.k1}": "lexical.k1: Recursive interpolation detected",
    "lexical.k1=1,2": "has several values, but this is a single run: add -m",
    "lexical.k1=interval(0,1)": "has several values, but this is a single run: add -m",
    "sweep.grids=[{chunker:[fixed]}]": "sweep.grids holds a sweep, but this is a single run: add -m",
    "hydra.nowhere=1": "hydra.nowhere doesn't exist",
    "hydra/launcher=nowhere": "hydra/launcher=nowhere doesn't exist; there are basic",
    "--cfg nowhere": "invalid choice: 'nowhere'",
    "--config-name nowhere": "Cannot find primary config 'nowhere'",
    "--shell-completion": "Expecting one subcommand",
    "--experimental-rerun x": "would load a pickle",
    "--resolve": "--resolve",
    "+sweep=nowhere": "sweep=nowhere doesn't exist; there are handbook",
    "cutoffs=[0]": "cutoffs must be an int >= 1, got 0",
    "cutoffs=5": "cutoffs must be a list, got 5",
    "objective=nonsense": "objective must be one of hit, recall",
    "objective=ndcg@0": "objective must be a name with a cutoff from 1",
    "--package=foo": "--package goes with --cfg only",
    "-m dry_run=maybe lexical.k1=1,2": "dry_run must be true or false, got 'maybe'",
    "tracking=nowhere": "tracking=nowhere doesn't exist",
    "tracking.text=some": "tracking.text must be one of full, none, got 'some'",
    "-m +k=1,2": "k can't be swept",
    "-m k=choice(5,10)": "k can't be swept",
    "-m dataset=files,beir": "dataset can't be swept",
    "-m objective=ndcg@10,mrr@10": "objective can't be swept",
    "-m sweep.grids=[{k:[5,10]}]": "k can't be swept",
    "-m sweep.grids=[{chunker:[]}]": "chunker has no values",
    "-m sweep.grids={chunker:[fixed]}": "sweep.grids",
    "-m sweep.grids=[{chunker:[5]}]": "a group takes the name of one of its options",
    "-m lexical.k1=range(1,1)": "has no values: the grid would be empty",
    "-m lexical.k1=range(0,1,0)": "a step other than 0",
    "-m lexical.k1=interval(0,1)": "a grid needs values one by one",
    "-m chunker=fixed chunker.sise=1,2": r"did you mean chunker\.size\?",
    "-m hydra.job.chdir=true,false": "Hydra's configuration",
    "-m hydra/sweeper=basic hydra/launcher=joblib lexical.k1=1,2": "works with hydra/launcher=rag_sweep only",
    "-m hydra/sweeper=basic +sweep=handbook": "work with hydra/sweeper=rag_sweep only",
    "-m hydra/sweeper=basic k=5,10": "k can't be swept",
}


@pytest.mark.parametrize("words", COMMON)
def test_a_run_that_cannot_be_says_why(command: Command, words: str) -> None:
    before = command.files()
    is_one_clear_message(command("run", *command.small, *words.split()), COMMON[words])
    assert command.files() == before


@pytest.mark.full
@pytest.mark.parametrize("words", MORE)
def test_other_runs_that_cannot_be_say_why(command: Command, words: str) -> None:
    before = command.files()
    is_one_clear_message(command("run", *command.small, *words.split(" ")), MORE[words])
    assert command.files() == before


@pytest.mark.parametrize("words", ["-m", "-m tracking=none", "-m sweep.grids=[{}]", "-m sweep.name=x k=5"])
def test_a_sweep_over_nothing_is_refused(command: Command, words: str) -> None:
    is_one_clear_message(command("run", *words.split()), "there is nothing to sweep")
    assert not (command.folder / "mlruns").exists()


DATA = {
    "dataset=files": r"dataset\.documents is required: give it as dataset\.documents=",
    "dataset=files dataset.documents=docs.jsonl": r"dataset\.gold is required",
    "dataset=files dataset.documents=nowhere dataset.gold=gold.jsonl": "nowhere doesn't exist",
    "dataset=beir dataset.path=nowhere": "nowhere doesn't exist",
    "dataset=handbook dataset.language=fr": "dataset.language must be one of",
    "dataset=files dataset.documents=docs.jsonl dataset.gold=gold.jsonl dataset.version=2026.10": "in quotes",
}


@pytest.mark.parametrize("words", DATA)
def test_data_that_are_not_there_are_named(command: Command, words: str) -> None:
    before = command.files()
    is_one_clear_message(command("run", "tracking=none", *words.split()), DATA[words])
    assert command.files() == before


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["frobnicate"], "No such command 'frobnicate'"),
        (["rnu"], "Did you mean 'run'"),
        (["--nowhere"], "No such option"),
        (["run", "--top", "0"], "'--top'"),
        (["run", "--top"], "'--top' requires an argument"),
        (["score"], "Missing argument"),
        (["gold", "frobnicate"], "No such command"),
        (["ui", "--port", "0"], "'--port'"),
    ],
)
def test_an_unknown_command_or_option_is_told_without_a_usage_text(
    command: Command, words: list[str], message: str
) -> None:
    ran = command(*words)
    is_one_clear_message(ran, message)
    assert "--help' for help" in ran.err


@pytest.mark.parametrize("words", [[], ["gold"]])
def test_a_bare_command_shows_its_help_and_is_an_error(command: Command, words: list[str]) -> None:
    ran = command(*words)
    assert (ran.code, ran.out) == (2, "")
    assert "Commands:" in ran.err


def test_a_traceback_is_shown_on_request_only(tmp_path: Path) -> None:
    small = write_dataset(tmp_path)
    plain, debug = (
        started("run", *small, "lexical.k1=-1", cwd=tmp_path, env={"RAG_SWEEP_DEBUG": value})
        for value in ("0", "1")
    )
    is_one_clear_message(ended(plain), "got -1")
    told = ended(debug)
    assert told.code != 0
    assert "Traceback (most recent call last)" in told.err
    assert "ConfigError: lexical.k1 must be a number >= 0" in told.err


def test_a_gold_of_negatives_alone_says_what_it_needs(command: Command) -> None:
    (command.folder / "gold.jsonl").write_text(json.dumps({"question": "x", "relevant": []}))
    message = "ndcg@10 has no value: .* give at least one question that the documents answer"
    is_one_clear_message(command("run", *command.small), message)


@pytest.mark.skipif(sys.platform == "win32", reason="a working directory can't be deleted there")
@pytest.mark.parametrize("words", [["run"], ["gold", "check"]])
def test_a_deleted_working_directory_is_told(
    command: Command, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    gone = command.folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    is_one_clear_message(command(*words), "the working directory can't be used: No such file")


@pytest.mark.full
def test_the_installed_command_behaves_the_same(tmp_path: Path) -> None:
    small = write_dataset(tmp_path)
    before = sorted(tmp_path.iterdir())
    for words, message in list(COMMON.items())[::3]:
        is_one_clear_message(ended(started("run", *small, *words.split(), cwd=tmp_path)), message)
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.full
def test_a_fault_of_the_data_keeps_what_was_tracked_before(command: Command) -> None:
    tracked = [o for o in command.small if o != "tracking=none"]
    assert command("run", *tracked).code == 0
    before = command.files()
    gold = command.folder / "gold.jsonl"
    gold.write_text(json.dumps({"id": "q", "question": "x", "relevant": ["nowhere"]}))
    ran = command("run", *tracked)
    is_one_clear_message(ran, r"gold\.jsonl:1 \[q\] .*nowhere")
    assert command.files() == before


WITH_FORMAT = (
    ("compare",),
    ("gate",),
    ("gate", "--suggest"),
    ("drill",),
    ("answers", "judge", "--cases", "cases.jsonl", "--answers", "answers.jsonl"),
)


@pytest.mark.parametrize("form", ["md", "text"])
@pytest.mark.parametrize("words", WITH_FORMAT, ids=" ".join)
def test_json_and_another_format_are_refused(command: Command, words: tuple[str, ...], form: str) -> None:
    told = f"--json is --format json, so it can't go with --format {form}"
    is_one_clear_message(command(*words, "--json", "--format", form), told)


@pytest.mark.parametrize("words", WITH_FORMAT, ids=" ".join)
def test_json_said_twice_is_json(command: Command, words: tuple[str, ...]) -> None:
    assert "--format json" not in command(*words, "--json", "--format", "json").err


@pytest.mark.parametrize(
    "words",
    [
        ["score", ""],
        ["score", "rankings.trec", "--against", ""],
        ["compare", "--out", ""],
        ["search", "card", "--docs", ""],
        ["drill", "--out", ""],
        ["promote", "--thresholds", ""],
        ["gold", "add", "--gold", ""],
        ["gold", "migrate", "--map", "", "--out", "x"],
    ],
)
def test_an_empty_path_is_no_folder(command: Command, words: list[str]) -> None:
    ran = command(*words)
    assert (ran.code, "must be a file or folder, got an empty text" in ran.err) == (2, True)
