"""A GOLD and its documents as files, for the commands that change it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

DOCUMENTS = {
    "leave": "Twenty eight days of paid leave a year. Ask the manager two weeks before.",
    "vpn": "Install the client. Error 812 means a wrong password.",
    "door": "The side door opens with the blue card. A lost card is blocked.",
    "old": "Nothing of this holds any more.",
}

QUESTIONS: tuple[dict[str, Any], ...] = (
    {
        "id": "q1",
        "question": "how many days of leave?",
        "relevant": ["leave"],
        "grades": {"leave": 2, "old": 0},
        "spans": [{"doc_id": "leave", "quote": "Twenty eight days"}],
    },
    {
        "id": "q2",
        "question": "Что значит ошибка 812?",
        "relevant": ["vpn"],
        "spans": [{"doc_id": "vpn", "start": 20, "end": 29}],
        "source": "incident-7",
    },
    {"id": "q3", "question": "which card?", "relevant": ["door", "old"], "tags": ["card"]},
    {"id": "q4", "question": "what holds?", "relevant": ["old"]},
    {"id": "q5", "question": "how warm is the moon?", "relevant": []},
)


def write_documents(path: Path, documents: Mapping[str, str]) -> Path:
    """Documents as JSONL."""
    rows = [{"id": name, "title": "", "text": text} for name, text in documents.items()]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def write_gold(path: Path, questions: Sequence[Mapping[str, Any]], version: str | None = "1") -> Path:
    """A GOLD with its version."""
    head = [] if version is None else [{"gold": {"version": version}}]
    rows = [json.dumps(row, ensure_ascii=False) for row in [*head, *questions]]
    path.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    return path


def overrides(folder: Path) -> list[str]:
    """The dataset of `write_all`."""
    return [
        "dataset=files",
        f"dataset.documents={folder / 'docs.jsonl'}",
        f"dataset.gold={folder / 'gold.jsonl'}",
    ]


def write_all(folder: Path) -> list[str]:
    """Documents and GOLD in a folder; the overrides that use them."""
    write_documents(folder / "docs.jsonl", DOCUMENTS)
    write_gold(folder / "gold.jsonl", QUESTIONS)
    return overrides(folder)


def write_beir(folder: Path) -> list[str]:
    """The same in BEIR layout, without the last question; the overrides that use it."""
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": name, "text": text} for name, text in DOCUMENTS.items()]
    queries = [{"_id": row["id"], "text": row["question"]} for row in QUESTIONS]
    spans = [{"query_id": "q2", "doc_id": "vpn", "start": 20, "end": 29}]
    for name, rows in (("corpus", corpus), ("queries", queries), ("spans", spans)):
        (folder / f"{name}.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    lines = [
        "query-id\tcorpus-id\tscore",
        "q1\tleave\t2",
        "q1\told\t0",
        "q2\tvpn\t1",
        "q3\tdoor\t1",
        "q3\told\t1",
    ]
    (folder / "qrels" / "test.tsv").write_text("".join(f"{line}\n" for line in [*lines, "q4\told\t1"]))
    return ["dataset=beir", f"dataset.path={folder}"]


def rows_of(file: Path) -> list[dict[str, Any]]:
    """The objects of a JSONL file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def questions_of(file: Path) -> dict[str, dict[str, Any]]:
    """The questions of a GOLD file by their id."""
    return {row["id"]: row for row in rows_of(file) if "question" in row}
