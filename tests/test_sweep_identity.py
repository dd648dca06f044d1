"""What makes it another sweep, and what doesn't: nothing that has changed is ever taken for done."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from commands import Command
from journals import calls
from resumes import DOCUMENTS, GRID, counting, heads, tracked

from rag_sweep import fingerprint


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    return counting(tmp_path, monkeypatch, capsys)


def edited(name: str, old: str, new: str) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        text = (folder / name).read_text(encoding="utf-8")
        assert old in text
        (folder / name).write_text(text.replace(old, new, 1), encoding="utf-8")

    return edit


def declare_a_version(folder: Path) -> None:
    text = (folder / "gold.jsonl").read_text(encoding="utf-8")
    declared = '{"gold": {"version": "2026-11"}}\n'
    (folder / "gold.jsonl").write_text(declared + text, encoding="utf-8")


SWEEP = ["-m", "lexical.k1=0.5,1.5", "sweep.name=mine"]
OTHERS: dict[str, list[str]] = {
    "a value": ["-m", "lexical.k1=0.5,1.6", "sweep.name=mine"],
    "a value of all": [*SWEEP, "lexical.b=0.5"],
    "another option": [*SWEEP, "chunker=sentence"],
    "one more": ["-m", "lexical.k1=0.5,1.5,2.5", "sweep.name=mine"],
    "another order": ["-m", "lexical.k1=1.5,0.5", "sweep.name=mine"],
    "k": [*SWEEP, "k=5"],
    "cutoffs": [*SWEEP, "cutoffs=[1,10]"],
    "the objective": [*SWEEP, "objective=recall@10"],
    "the share of evidence": [*SWEEP, "evidence.share=0.5"],
    "the sweep's name": [*SWEEP[:2], "sweep.name=yours"],
    "what is kept of texts": [*SWEEP, "tracking.text=none"],
}
SAME: dict[str, list[str]] = {
    "another spelling": ["-m", "lexical.k1=5e-1,1.50", "sweep.name=mine"],
    "workers": [*SWEEP, "execute.n_jobs=2", "execute.backend=threading"],
    "memory": [*SWEEP, "execute.memory_mb=64"],
    "the store": [*SWEEP, "store=disk", "store.path=kept"],
    "a default, spelt out": [*SWEEP, "k=10", "objective=ndcg@10"],
}
EDITS: dict[str, Callable[[Path], None]] = {
    "a document": edited("docs.jsonl", "coffee", "tea"),
    "a title": edited("docs.jsonl", "Doors", "Gates"),
    "a question": edited("gold.jsonl", "how many", "what number of"),
    "a judgement": edited("gold.jsonl", '["door", "vpn"]', '["door"]'),
    "a grade": edited(
        "gold.jsonl", '"relevant": ["travel"]', '"relevant": ["travel"], "grades": {"travel": 2}'
    ),
    "the gold's version": declare_a_version,
}


def number_of_journals(command: Command) -> int:
    return len(heads(command.folder))


@pytest.mark.parametrize("what", OTHERS)
def test_another_command_is_another_sweep(command: Command, what: str) -> None:
    assert command("run", *command.small, *SWEEP).code == 0
    ran = command("run", *command.small, *OTHERS[what])
    assert (ran.code, "nothing has changed" in ran.err) == (0, False), ran.err
    assert number_of_journals(command) == 2


def test_the_same_in_other_words_is_the_same_sweep(command: Command) -> None:
    assert command("run", *command.small, *SWEEP).code == 0
    for what, words in SAME.items():
        ran = command("run", *command.small, *words)
        assert (ran.code, "nothing has changed" in ran.err) == (0, True), what
    assert number_of_journals(command) == 1


@pytest.mark.parametrize("what", EDITS)
def test_what_is_edited_is_never_taken_for_done(command: Command, what: str) -> None:
    first = command("run", *command.small, *SWEEP, "--json")
    before = {name: (command.folder / name).read_bytes() for name in ("docs.jsonl", "gold.jsonl")}
    EDITS[what](command.folder)
    second = command("run", *command.small, *SWEEP, "--json")
    assert (second.code, number_of_journals(command)) == (0, 2), second.err
    assert second.out != first.out
    for name, content in before.items():
        (command.folder / name).write_bytes(content)
    assert command("run", *command.small, *SWEEP, "--json").out == first.out
    assert number_of_journals(command) == 2


@pytest.mark.full
def test_where_it_is_tracked_changes_nothing(command: Command) -> None:
    one, _ = tracked(command, "one")
    _, two = tracked(command, "two")
    uri = f"tracking.uri=sqlite:///{two.path}/mlflow.db"
    for words in (one, [*one, uri], [*one, "tracking.experiment=x", "tracking.trec=true"], command.small):
        assert command("run", *words, *SWEEP).code == 0
    assert number_of_journals(command) == 1


def test_a_component_of_another_version_is_another_sweep(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("run", *command.small, *GRID).code == 0
    import counted_chunker  # type: ignore[import-not-found]

    monkeypatch.setattr(counted_chunker.Counted, "version", 2)
    # it remembers, since no class changes while a process runs
    monkeypatch.setattr(fingerprint, "_remembered", fingerprint._remembered.__wrapped__)
    calls(command.folder)
    assert command("run", *command.small, *GRID).code == 0
    assert sum(calls(command.folder).values()) == 3 * DOCUMENTS


def test_another_version_of_a_stage_is_another_sweep(
    command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert command("run", *command.small, *SWEEP).code == 0
    monkeypatch.setattr("rag_sweep.sweep.identity.code_version", lambda: "another")
    assert command("run", *command.small, *SWEEP).code == 0
    assert number_of_journals(command) == 2


def test_without_texts_no_question_is_in_the_journal(command: Command) -> None:
    documents = (command.folder / "docs.jsonl").read_text()
    (command.folder / "docs.jsonl").write_text(documents.replace("coffee machine", "broken machine"))
    for text, there in (("full", True), ("none", False)):
        ran = command("run", *command.small, *GRID[:2], f"journal={text}", f"tracking.text={text}")
        assert ran.code == 1
        kept = [path.read_bytes() for path in (command.folder / text).rglob("*") if path.is_file()]
        for words in (b"how many days", b"broken machine", b"water on the moon"):
            assert any(words in content for content in kept) == there, (text, words)
