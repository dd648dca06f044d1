"""The pages are true: their commands run, their links lead somewhere, the knobs and files they name exist.

Every ``sh`` and ``console`` block of a page runs, in order, in one empty directory. An HTML comment above a
block says otherwise: ``<!-- not run: reason -->`` or ``<!-- exits 2 -->``. Of a ``console`` block the lines
behind ``$`` run, with the lines behind ``>`` that continue them.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import typer.main
from trackers import fresh_store

from rag_sweep.cli.app import app
from rag_sweep.config.folder import options

ROOT = Path(__file__).resolve().parents[1]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "rag_sweep" / "bundled" / "README.md"]
)
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]

SHELLS = ("sh", "bash", "shell", "console")
FENCE = re.compile(r"^(?P<indent> *)(?P<fence>`{3,}|~{3,})(?P<language>[\w-]*)[^`]*$")
NOT_RUN = re.compile(r"<!--\s*not run\b:?\s*(?P<reason>.*?)\s*-->")
EXITS = re.compile(r"<!--\s*exits (?P<code>\d+)\s*-->")
TIMEOUT = 600
"""Seconds for one block."""
FROM_NOTHING = ("README.md", "docs/quickstart-ru.md", "docs/mlflow.md")
"""Pages that make MLflow's tables themselves, as a user does; it takes seconds, so others get them made."""


class Block(NamedTuple):
    """A fenced block of a page; ``line`` counts from 1, ``above`` is the last line of text before it."""

    line: int
    language: str
    above: str
    text: str

    @property
    def runs(self) -> bool:
        """Whether it is a shell's, and no comment takes it out."""
        return self.language in SHELLS and not NOT_RUN.search(self.above)

    @property
    def exit_code(self) -> int:
        """What the block must end with."""
        found = EXITS.search(self.above)
        return int(found["code"]) if found else 0

    @property
    def script(self) -> str:
        """What a shell is given."""
        if self.language != "console":
            return self.text
        lines = [line for line in self.text.splitlines() if line.startswith(("$ ", "> ", ">"))]
        return "".join(f"{line[2:]}\n" for line in lines)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a page, in order."""
    found, above, lines = [], "", enumerate(text.splitlines(), start=1)
    for number, line in lines:
        opened = FENCE.match(line)
        if opened is None:
            above = line if line.strip() else above
            continue
        body = []
        for _, inner in lines:
            if inner.strip() == opened["fence"]:
                break
            body.append(inner.removeprefix(opened["indent"]))
        else:
            pytest.fail(f"the block that opens in line {number} is never closed")
        found.append(Block(number, opened["language"], above, "".join(f"{inner}\n" for inner in body)))
        above = ""
    return found


def prose(text: str) -> str:
    """A page without its blocks: the lines stay where they are."""
    lines, fence = [], None
    for line in text.splitlines():
        opened = FENCE.match(line)
        if fence is None and opened is not None:
            fence = opened["fence"]
        elif fence is not None:
            fence = None if line.strip() == fence else fence
        else:
            lines.append(line)
            continue
        lines.append("")
    return "\n".join(lines)


def code(text: str) -> Iterator[str]:
    """What a page sets as code: its blocks, and the spans between backticks."""
    yield from (block.text for block in blocks(text))
    yield from re.findall(r"`([^`\n]+)`", prose(text))


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


# Commands


def clean_environment() -> dict[str, str]:
    """The console script of this environment first, and no setting of the developer's."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MLFLOW_", "HYDRA_", "RAG_SWEEP_", "PYTHONPATH", "COLUMNS"))
    }
    return kept | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{kept.get('PATH', '')}"}


def run_page(text: str, folder: Path) -> list[str]:
    """Run the blocks of a page in a folder; what went wrong, one line of report a block."""
    faults = []
    for block in blocks(text):
        if not block.runs:
            continue
        done = subprocess.run(
            ["sh", "-e", "-c", block.script],
            cwd=folder,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            errors="replace",
            timeout=TIMEOUT,
        )
        if done.returncode != block.exit_code:
            ending = "\n".join(done.stdout.splitlines()[-25:])
            faults.append(
                f"line {block.line}: exit code {done.returncode}, expected {block.exit_code}\n"
                f"{block.script}-- printed:\n{ending}"
            )
    return faults


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in NAMES if any(b.runs for b in blocks(read(name)))])
def test_the_commands_of_a_page_run(name: str, tmp_path: Path) -> None:
    if name not in FROM_NOTHING:
        fresh_store(tmp_path)
    faults = run_page(read(name), tmp_path)
    assert not faults, f"{name}, " + "\n".join(faults)


@pytest.mark.parametrize("name", NAMES)
def test_a_block_that_is_not_run_says_why(name: str) -> None:
    silent = [b.line for b in blocks(read(name)) if (mark := NOT_RUN.search(b.above)) and not mark["reason"]]
    assert silent == []


# Links, lengths, names

LINK = re.compile(r"\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|(?:src|href)=\"([^\"]+)\"")


def links(text: str) -> list[str]:
    """Targets of links and pictures within the project."""
    found = [one or other for one, other in LINK.findall(re.sub(r"`[^`\n]+`", "code", prose(text)))]
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def anchors(text: str) -> set[str]:
    """The names that headings get on the project's page."""
    titles = re.findall(r"^#+ +(.+?)\s*$", prose(text), re.M)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def broken_links(page: Path) -> list[str]:
    faults = []
    for target in links(page.read_text(encoding="utf-8")):
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        if not file.exists():
            faults.append(f"{target}: no such file")
        elif anchor and anchor not in anchors(file.read_text(encoding="utf-8")):
            faults.append(f"{target}: no such heading")
    return faults


@pytest.mark.parametrize("name", NAMES)
def test_links_and_pictures_lead_somewhere(name: str) -> None:
    assert broken_links(ROOT / name) == []


def test_the_readme_is_short() -> None:
    assert len(read("README.md").splitlines()) < 120


def unknown_names(text: str) -> list[str]:
    """Options and knobs of the config groups that a page sets as code, and that don't exist.

    Groups for which the page makes a component of its own (``my-conf/chunker/lines.yaml``) are left out.
    """
    known, groups = options(), "|".join(options())
    own = {
        group
        for part in code(text)
        for group, option in re.findall(rf"({groups})/(\w+)\.yaml", part)
        if option not in known[group]
    }
    faults = []
    for part in code(text):
        for group, key in re.findall(rf"(?<![\w./-])({groups})\.([a-z]\w*)", part):
            fields = {field for names in known[group].values() for field in names}
            if group not in own and key not in fields | {"py", "yaml", "md"}:
                faults.append(f"{group}.{key}")
        for group, values in re.findall(rf"(?<![\w./-])({groups})=(\w+(?:,\w+)*)", part):
            if group not in own:
                faults += [f"{group}={value}" for value in values.split(",") if value not in known[group]]
    return faults


@pytest.mark.parametrize("name", NAMES)
def test_options_and_knobs_that_a_page_names_exist(name: str) -> None:
    assert unknown_names(read(name)) == []


@pytest.mark.parametrize("group", options())
def test_every_option_and_knob_stands_in_the_reference(group: str) -> None:
    page = read("docs/configuration.md")
    knobs = {f"{group}.{field}" for names in options()[group].values() for field in names}
    assert [option for option in options()[group] if f"`{option}`" not in page] == []
    assert [knob for knob in sorted(knobs) if f"`{knob}`" not in page] == []


def unknown_commands(text: str) -> list[str]:
    """Commands of the program that a page names and that don't exist."""
    commands = set(typer.main.get_command(app).commands)
    named = {found for part in code(text) for found in re.findall(r"\brag-sweep ([a-z]+)\b", part)}
    return sorted(named - commands)


@pytest.mark.parametrize("name", NAMES)
def test_commands_that_a_page_names_exist(name: str) -> None:
    assert unknown_commands(read(name)) == []


def missing_files(text: str) -> list[str]:
    """Files of the checkout that a page names in code spans and that don't exist, or end before that line."""
    faults = []
    for span in re.findall(r"`([^`\n]+)`", prose(text)):
        found = re.fullmatch(
            r"((?:rag_sweep|hydra_plugins|conf|tests|scripts|docs)/[\w./-]*)(?::(\d+))?", span
        )
        if found is None:
            continue
        path = ROOT / found[1]
        if not path.exists() or (found[2] and int(found[2]) > len(read(found[1]).splitlines())):
            faults.append(span)
    return faults


@pytest.mark.parametrize("name", NAMES)
def test_files_that_a_page_names_exist(name: str) -> None:
    assert missing_files(read(name)) == []


# The reading itself

PAGE = """
# A page: `one`, two

```sh
cat > made.txt <<'END'
$ kept as it is
END
test "$(cat made.txt)" = '$ kept as it is'
```

<!-- exits 2 -->

```console
$ test -f made.txt || exit 7
$ sh -c \\
>   'exit 2'
an output that would fail: exit 9
```

<!-- not run: it waits -->
```sh
exit 8
```

[here](#a-page-one-two) ![gone](gone.png) [out](https://example.org) `[code](x)`
"""


def test_a_page_is_run_block_by_block_in_one_folder(tmp_path: Path) -> None:
    assert run_page(PAGE, tmp_path) == []
    assert [path.name for path in tmp_path.iterdir()] == ["made.txt"]


def test_a_command_that_fails_is_told_with_its_line(tmp_path: Path) -> None:
    (fault,) = run_page("text\n\n```sh\nfalse\ntrue\n```\n", tmp_path)
    assert fault.startswith("line 3: exit code 1, expected 0")
    (fault,) = run_page("<!-- exits 2 -->\n```sh\ntrue\n```\n", tmp_path)
    assert fault.startswith("line 2: exit code 0, expected 2")


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(PAGE + "[there](#nowhere)", encoding="utf-8")
    assert broken_links(page) == ["gone.png: no such file", "#nowhere: no such heading"]


def test_a_wrong_name_is_found() -> None:
    assert unknown_names("`lexical.k2=1` `chunker=fixed,fixt`, lexical.k3") == ["lexical.k2", "chunker=fixt"]
    assert unknown_names("`my/chunker/lines.yaml` `chunker.lines` `chunker=lines`") == []
    assert unknown_commands("```sh\nrag-sweep run\nrag-sweep runn -m\n```") == ["runn"]
    assert missing_files(
        "`rag_sweep/lexical.py:1` `rag_sweep/no.py` `conf/<group>` `rag_sweep/lexical.py:9999`"
    ) == [
        "rag_sweep/no.py",
        "rag_sweep/lexical.py:9999",
    ]
