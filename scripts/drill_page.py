"""Writes the tables of docs/drill.md anew: `python scripts/drill_page.py`, in the project's environment.

Each stands between ``<!-- drill NAME -->`` and ``<!-- end of drill -->``. The collections that aren't bundled
are looked for beside the checkout, in ``shared``; without them their tables stay as they are.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "drill.md"
SHARED = ROOT.parent / "shared"
REGULATIONS = SHARED / "fixtures" / "regulations"
CRANFIELD = SHARED / "data" / "cranfield"

QUIET = ("tracking=none", "store=none")
DRILLS: Mapping[str, tuple[str, ...]] = {
    "regulations": (
        "dataset=files",
        f"dataset.documents={REGULATIONS / 'docs.jsonl'}",
        f"dataset.gold={REGULATIONS / 'gold.jsonl'}",
        *("analyzer=simple", "embedder=hash", "embedder.dim=64", "lexical.k1=1.5", "fusion.pool_depth=5"),
        "k=5",
    ),
    "handbook": ("reranker=zsum",),
    "cranfield": ("dataset=beir", f"dataset.path={CRANFIELD}"),
}
"""Overrides of each drill; all are judged by a largest drop of 0.03."""

BLOCK = r"(<!-- drill {name} -->\n)(.*?)(<!-- end of drill -->)"


def table(name: str) -> str:
    """What stands on the page: `rag-sweep drill … --max-drop 0.03 --format md`."""
    from rag_sweep.drill.request import Order, prepared
    from rag_sweep.drill.running import run_drill
    from rag_sweep.drill.words import plain_drill
    from rag_sweep.gate.words import wish_of
    from rag_sweep.report.drill import drill_markdown

    ready = prepared([*DRILLS[name], *QUIET], wish_of((), ["0.03"]), Order())
    exercise = replace(ready.exercise, has_text=False)  # other people's questions stay where they are
    return drill_markdown(plain_drill(run_drill(exercise)))


def on_page(name: str, page: str) -> str:
    """The table that the page has."""
    found = re.search(BLOCK.format(name=name), page, re.DOTALL)
    if found is None:
        raise ValueError(f"{PAGE} has no place for {name}")
    return found[2].strip() + "\n"


def renewed(name: str, page: str, text: str) -> str:
    """The page with another table."""
    return re.sub(
        BLOCK.format(name=name), lambda found: f"{found[1]}\n{text}\n{found[3]}", page, flags=re.DOTALL
    )


def main() -> None:
    """Renew the tables that are named, or all."""
    page = PAGE.read_text(encoding="utf-8")
    for name in sys.argv[1:] or DRILLS:
        if name == "handbook" or SHARED.is_dir():
            page = renewed(name, page, table(name))
    PAGE.write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
