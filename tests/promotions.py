"""A sweep whose decision is clear, in a folder of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

NUMBER = 30
SYLLABLES = ("ba", "ke", "di", "fo", "gu", "la", "me", "ni", "po", "ru")

GRID = (
    *("dataset=files", "dataset.documents=texts.jsonl", "dataset.gold=asked.jsonl"),
    *("embedder=hash", "embedder.dim=2", "store=none", "tracking=none", "k=3", "cutoffs=[1,3]"),
    *("fusion=dense_only,lexical_only", "lexical.k1=0.9,1.5"),
)
"""A sweep of four configurations."""

BASELINE = "decide.baseline='fusion=dense_only lexical.k1=0.9'"
"""Than which words are clearly better."""


def word(number: int) -> str:
    """A word that no other number has."""
    return f"{SYLLABLES[number % 10]}{SYLLABLES[number // 10]}zan"


def write_clear(folder: Path) -> None:
    """Documents that words find at once, and two components of a vector hardly ever."""
    numbers = range(NUMBER)
    texts = [
        {"id": f"d{at:02}", "title": f"On {word(at)}", "text": f"All there is to say of {word(at)}."}
        for at in numbers
    ]
    asked = [
        {"id": f"q{at:02}", "question": f"what is {word(at)}", "relevant": [f"d{at:02}"]} for at in numbers
    ]
    for name, rows in (("texts", texts), ("asked", asked)):
        lines = "\n".join(json.dumps(row) for row in rows)
        (folder / f"{name}.jsonl").write_text(lines, encoding="utf-8")


def environment() -> dict[str, str]:
    """Without settings of the developer's."""
    return {
        name: value for name, value in os.environ.items() if not name.startswith(("MLFLOW_", "RAG_SWEEP_"))
    }


def sweep_in(folder: Path, *words: str) -> None:
    """Run the sweep in a folder: its journal is there then, and nothing is tracked."""
    write_clear(folder)
    command = [sys.executable, "-m", "rag_sweep", "run", "-m", *GRID, *words]
    done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
