"""The command line of scripts/bench."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks import deciding, engine_rows, growth, small, table, whole
from benchmarks.clock import Broken
from benchmarks.rows import Bench, Row

GROUPS: dict[str, tuple[str, Callable[[Bench, str], list[Row]]]] = {
    "a": ("a whole sweep beside the honest loop", whole.rows),
    "b": ("a whole sweep beside its MLflow calls alone", whole.rows),
    "c": ("the engine beside bm25s + ranx, and beside the speed of memory", engine_rows.rows),
    "d": ("growth with configurations, passages and questions", growth.rows),
    "e": ("one worker beside two", small.workers),
    "f": ("a cold store beside a warm one", small.store),
    "g": ("how soon help and errors come", small.starts),
    "h": ("compare beside the sweep that it judges", deciding.rows),
}


def parser() -> argparse.ArgumentParser:
    """What the command takes."""
    lines = "\n".join(f"  {key}  {what}" for key, (what, _) in GROUPS.items())
    made = argparse.ArgumentParser(
        prog="scripts/bench",
        description="Measure rag-sweep beside other ways to the same results.\n\nrows:\n" + lines,
        epilog="Exits 0 if both sides of every row gave equal results, 1 if not; never because of a time.",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("rows", nargs="*", metavar="ROW", help="letters of rows; all if none is given")
    made.add_argument("--quick", action="store_true", help="small sizes, once each")
    made.add_argument("--repeat", type=int, metavar="N", help="medians of N measurements (default 3)")
    form = made.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON")
    form.add_argument("--markdown", action="store_true", help="print the table of docs/performance.md")
    return made


def measured(bench: Bench, wanted: Sequence[str]) -> list[Row]:
    """The rows, in the order of the alphabet; a group that breaks is a row that says so."""
    found: list[Row] = []
    functions = {
        function: [key for key in wanted if GROUPS[key][1] is function] for _, function in GROUPS.values()
    }
    for function, keys in functions.items():
        if not keys:
            continue
        print(f"measuring {', '.join(keys)} ...", file=sys.stderr, flush=True)
        try:
            found += function(bench, "".join(keys))
        except Broken as reason:
            found.append(Row(keys[0], GROUPS[keys[0]][0], equal=False, checked=f"broken: {reason}"))
    return found


def main() -> None:
    """Measure, print, and say by the exit code whether results were equal."""
    command = parser()
    given = command.parse_args()
    wanted = given.rows or list(GROUPS)
    if unknown := [key for key in wanted if key not in GROUPS]:
        command.error(f"ROW must be one of {', '.join(GROUPS)}, got {', '.join(unknown)}")
    if given.repeat is not None and given.repeat < 1:
        command.error(f"--repeat must be at least 1, got {given.repeat}")
    repeat = given.repeat or (1 if given.quick else 3)
    with TemporaryDirectory(prefix="rag-sweep-bench-") as folder:
        rows = measured(Bench(repeat, given.quick, Path(folder)), sorted(set(wanted)))
    form = table.as_json if given.json else table.as_markdown if given.markdown else table.as_text
    print(form(rows))
    sys.exit(1 if any(row.equal is False for row in rows) else 0)


if __name__ == "__main__":
    main()
