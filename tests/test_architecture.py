"""The house: who may import whom, what only one room may do, and how large things may grow."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[1]

FLOORS = (
    # 0: what everything stands on
    "version errors arrays fingerprint",
    "records checks files",
    # 1: pure functions
    "measures ranking statistics terms memory",
    "kinds tiles",
    "order_keys accumulate",
    "cells",
    "pruning",
    "pooling",
    # 2: the content-addressed store, the components, and what they work on
    "store",
    "analyzer chunker lexical embedder fusion reranker dataset passages judgements",
    # answers: cases and rules on them, calls of models and what they judge
    "cases llm",
    "rules",
    "judges generator",
    "agreement",
    # 3: the chain of stages with their keys; rankings and gold to values
    "evaluation evidence testing remembered",
    "stages",
    "pipeline",
    "index",
    # 4: the graph of a whole sweep, running it, the record of it
    "configuration plan compute cached",
    "planned",
    "jobs",
    "execute tracking",
    "result",
    "journal",
    "matrix",
    "scorecard",
    "comparison",
    # 5: configurations from words, results as pages
    "config selection",
    "single champion",
    "report",
    # 6: one use case each
    "sweep goldcheck scoring pages storekeeping comparing",
    "syncing goldlife gate",
    "promotion verifying drill answers searching",
    # 7: what Python code imports, and the command line
    "__init__ cli served",
    "__main__",
)
"""Rooms (a module or a package) from the ground up: imports go strictly down, inside a room in no circle."""

HEIGHT = {room: height for height, floor in enumerate(FLOORS) for room in floor.split()}

ROOMS_OF = {
    "mlflow": {"tracking"},
    "hydra": {"config", "hydra_plugins"},
    "omegaconf": {"config", "hydra_plugins"},
    "typer": {"cli"},
    "rich": {"cli", "report"},
    "sklearn": {"embedder"},
}
"""The only rooms that may import these, wherever in a file."""

HEAVY = ("mlflow", "sklearn", "pandas", "matplotlib", "hydra", "omegaconf")
"""Never imported while a module loads, unless it lies in the room of Hydra."""

DISTRIBUTIONS = {"sklearn": "scikit-learn", "yaml": "PyYAML", "hydra": "hydra-core"}
"""Names on the package index that differ from the import's."""

OPTIONAL = {"distributed", "ray", "requests"}
"""What only an extra brings, or the user."""

MAX_FUNCTION, MAX_FILE = 45, 350


class Import(NamedTuple):
    """One imported name, as a dotted path, and whether loading the importing module imports it."""

    target: str
    line: int
    on_load: bool


class Module(NamedTuple):
    """A file of the package or of the plugin shim."""

    path: Path

    @property
    def name(self) -> str:
        """Dotted, without ``rag_sweep.``; a package is its own name: ``tracking.names``, ``tracking``."""
        parts = self.path.relative_to(ROOT).with_suffix("").parts
        if parts[0] == "hydra_plugins":
            return ".".join(parts)
        inner = parts[1:-1] if parts[-1] == "__init__" and len(parts) > 2 else parts[1:]
        return ".".join(inner)

    @property
    def room(self) -> str:
        """The part of the house that the module belongs to."""
        return self.name.split(".")[0]

    @property
    def tree(self) -> ast.Module:
        """The parsed file."""
        return parse(self.path)

    def at(self, line: int) -> str:
        """Where a finding is."""
        return f"{self.path.relative_to(ROOT)}:{line}"


@cache
def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


MODULES = [
    Module(path)
    for folder in ("rag_sweep", "hydra_plugins")
    for path in sorted((ROOT / folder).rglob("*.py"))
    if "__pycache__" not in path.parts
]
NAMES = {module.name for module in MODULES}
PACKAGE = [module for module in MODULES if module.room != "hydra_plugins"]


def imports(module: Module) -> Iterator[Import]:
    """Every import of a file, also those inside functions and under TYPE_CHECKING."""
    yield from _imports(module.tree, on_load=True)


def _imports(node: ast.AST, on_load: bool) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Import):
            yield from (Import(alias.name, child.lineno, on_load) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"relative import in line {child.lineno}"
            yield from (
                Import(f"{child.module}.{alias.name}", child.lineno, on_load) for alias in child.names
            )
        else:
            inside = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
            typing_only = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
            yield from _imports(child, on_load and not inside and not typing_only)


def ours(target: str) -> str | None:
    """The module of ours that an import names: ``rag_sweep.errors.DataError`` is ``errors``."""
    if target.split(".")[0] != "rag_sweep":
        return None
    parts = target.split(".")[1:]
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in NAMES:
            return ".".join(parts[:end])
    return "__init__" if len(parts) < 2 else target


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    return (node for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)))


def tracked() -> list[Path]:
    """The files that belong to the project: known to git, or new and not ignored."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return [path for name in found.split("\0") if name and (path := ROOT / name).is_file()]


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""  # a picture


# Who imports whom


def test_every_module_has_a_place_in_the_house() -> None:
    rooms = {module.room for module in PACKAGE}
    assert rooms - HEIGHT.keys() == set(), "not in FLOORS"
    assert HEIGHT.keys() - rooms == set(), "in FLOORS, but not in the package"
    assert sum(len(floor.split()) for floor in FLOORS) == len(HEIGHT), "a room stands twice in FLOORS"


def test_the_tour_shows_every_room_on_its_floor() -> None:
    tour = (ROOT / "docs" / "tour.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \d \| (.*) \|$", tour, re.MULTILINE)
    shown = [re.findall(r"`([\w/]+)`", re.sub(r"\([^()]*\)", "", row)) for row in rows]
    names = [name for row in shown for name in row]
    assert sorted(name.removesuffix("/") for name in names) == sorted(HEIGHT)
    assert [name for name in names if name.endswith("/") != (ROOT / "rag_sweep" / name).is_dir()] == []
    heights = [[HEIGHT[name.removesuffix("/")] for name in row] for row in shown]
    assert all(max(lower) < min(upper) for lower, upper in pairwise(heights)), "a room stands too high or low"


def test_imports_go_strictly_down() -> None:
    upward = [
        f"{module.at(found.line)}: {module.name} imports {target}"
        for module in PACKAGE
        for found in imports(module)
        if (target := ours(found.target)) is not None
        if (room := target.split(".")[0]) != module.room
        if HEIGHT.get(room, len(FLOORS)) >= HEIGHT.get(module.room, 0)
    ]
    assert upward == []


def test_imports_within_a_room_have_no_cycle() -> None:
    graph = {
        module.name: {target for found in imports(module) if (target := ours(found.target)) is not None}
        for module in PACKAGE
    }
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(f"imports go in a circle: {' -> '.join(error.args[1])}")


def test_the_package_never_imports_the_plugin_shim() -> None:
    assert [m.at(i.line) for m in PACKAGE for i in imports(m) if i.target.startswith("hydra_plugins")] == []


@pytest.mark.parametrize("library", ROOMS_OF)
def test_a_library_is_imported_in_its_room_only(library: str) -> None:
    users = {m.room for m in MODULES for found in imports(m) if found.target.split(".")[0] == library}
    assert users - ROOMS_OF[library] == set()
    assert users != set(), f"nobody imports {library}: the table is out of date"


@pytest.mark.parametrize("library", HEAVY)
def test_a_heavy_library_is_imported_where_it_is_used(library: str) -> None:
    on_load = [
        module.at(found.line)
        for module in MODULES
        for found in imports(module)
        if found.on_load and found.target.split(".")[0] == library
        if not (module.room in ROOMS_OF.get(library, ()) and library in ("hydra", "omegaconf"))
    ]
    assert on_load == []


def loaded_by(statement: str) -> set[str]:
    """Top-level names of the modules that a fresh interpreter has after a statement."""
    code = f"{statement}; import sys; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return {name for name in found.split() if name.startswith("rag_sweep.")} | {
        name.split(".")[0] for name in found.split()
    }


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import rag_sweep", {"numpy", "rag_sweep.errors"}),
        ("import rag_sweep.cli.app", {"numpy", "scipy", "yaml"}),
        ("import hydra_plugins.rag_sweep_hydra.plugin", {"numpy", "scipy", "rag_sweep"}),
        ("import rag_sweep.config.build", {"scipy.sparse.linalg"}),
    ],
)
def test_loading_it_loads_nothing_heavy(statement: str, absent: set[str]) -> None:
    room_of_hydra = {"hydra", "omegaconf"} if "hydra_plugins" in statement else set()
    assert loaded_by(statement) & (set(HEAVY) - room_of_hydra | absent) == set()


def test_what_is_imported_is_declared_and_what_is_declared_is_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {re.split(r"[<>=~! \[;]", line)[0] for line in project["dependencies"]}
    imported = {
        name
        for module in MODULES
        for found in imports(module)
        if (name := found.target.split(".")[0])
        not in {"rag_sweep", "hydra_plugins", *sys.stdlib_module_names}
    }
    assert {DISTRIBUTIONS.get(name, name) for name in imported} - OPTIONAL == declared


def test_the_package_exports_what_is_meant() -> None:
    import rag_sweep

    assert rag_sweep.__all__ == ["__version__", "load_sweep"]
    assert re.fullmatch(r"\d+\.\d+\.\d+", rag_sweep.__version__)


def test_every_name_that_a_module_exports_exists() -> None:
    exporting = [
        module
        for module in PACKAGE
        for node in module.tree.body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    ]
    assert exporting
    for module in exporting:
        loaded = import_module("rag_sweep" if module.name == "__init__" else f"rag_sweep.{module.name}")
        assert [name for name in loaded.__all__ if not hasattr(loaded, name)] == [], module.name
        assert len(set(loaded.__all__)) == len(loaded.__all__), module.name


# What only one room may do, and what none may


def test_only_the_command_line_writes_to_the_terminal() -> None:
    writing = [
        module.at(node.lineno)
        for module in MODULES
        if module.room != "cli"
        for node in ast.walk(module.tree)
        if (isinstance(node, ast.Call) and ast.unparse(node.func) in ("print", "pprint"))
        or (isinstance(node, ast.Attribute) and ast.unparse(node) in ("sys.stdout", "sys.stderr"))
    ]
    assert writing == []


def test_no_assert_stands_where_a_check_should() -> None:
    found = [m.at(node.lineno) for m in MODULES for node in ast.walk(m.tree) if isinstance(node, ast.Assert)]
    assert found == []


def test_no_error_is_swallowed_without_a_look() -> None:
    found = [
        module.at(node.lineno)
        for module in MODULES
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ExceptHandler)
        if node.type is None or (_is_broad(node.type) and all(_does_nothing(line) for line in node.body))
    ]
    assert found == []


def _is_broad(caught: ast.expr) -> bool:
    return bool({"Exception", "BaseException"} & {ast.unparse(node) for node in ast.walk(caught)})


def _does_nothing(line: ast.stmt) -> bool:
    return isinstance(line, (ast.Pass, ast.Continue)) or (
        isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)
    )


def test_no_module_is_called_utils() -> None:
    unnamed = {"utils", "util", "helpers", "common", "misc"}
    assert [name for name in sorted(NAMES) if unnamed & set(name.split("."))] == []


# How large, how described


def test_functions_stay_short() -> None:
    long = [
        f"{module.at(node.lineno)}: {node.name} has {length} lines"
        for module in MODULES
        for node in functions(module.tree)
        if node.end_lineno is not None and (length := node.end_lineno - node.lineno + 1) > MAX_FUNCTION
    ]
    assert long == []


def test_files_stay_short() -> None:
    lengths = {m.at(1): len(m.path.read_text(encoding="utf-8").splitlines()) for m in MODULES}
    assert {name: length for name, length in lengths.items() if length > MAX_FILE} == {}


def test_everything_public_says_what_it_is() -> None:
    silent = [
        f"{module.at(node.lineno)}: {node.name}"
        for module in MODULES
        for node in _public(module.tree)
        if ast.get_docstring(node) is None
    ]
    silent += [f"{m.at(1)}: the module" for m in MODULES if ast.get_docstring(m.tree) is None]
    assert silent == []


def _public(
    scope: ast.Module | ast.ClassDef,
) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
    """Public functions and classes of a module, with the public methods of those classes."""
    for node in scope.body:
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            continue
        decorators = [ast.unparse(decorator) for decorator in node.decorator_list]
        if node.name.startswith("_") or "overload" in decorators or f"{node.name}.setter" in decorators:
            continue
        yield node
        if isinstance(node, ast.ClassDef):
            yield from _public(node)


# What no file of the project may hold

REGISTRY = re.compile(
    r"https?://[\w.-]*(?:pypi|pythonhosted|npmjs|anaconda|crates|debian|proxy\.golang)\.", re.I
)
MACHINE_PATH = re.compile(r"(?<![\w.~/}-])/(?:work|root|home)/\w")


def test_no_file_names_a_package_registry() -> None:
    assert _holding(REGISTRY) == []


def test_no_file_holds_a_path_of_one_machine() -> None:
    assert _holding(MACHINE_PATH) == []


def _holding(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120]}"
        for path in tracked()
        for number, line in enumerate(text_of(path).splitlines(), start=1)
        if pattern.search(line)
    ]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        (REGISTRY, "see https://" + "pypi.org/simple"),
        (REGISTRY, "http://files." + "pythonhosted.org/x"),
        (MACHINE_PATH, '"/' + 'work/main"'),
        (MACHINE_PATH, "cd /" + "home/someone"),
    ],
)
def test_the_forbidden_is_recognised(pattern: re.Pattern[str], text: str) -> None:
    assert pattern.search(text)


def test_the_package_says_that_it_is_typed() -> None:
    assert (ROOT / "rag_sweep" / "py.typed").is_file()
