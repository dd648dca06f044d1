"""What a user installs: the wheel, built from the sdist, run from an empty directory without the checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

pytestmark = pytest.mark.full

ROOT = Path(__file__).resolve().parents[2]


def environment() -> dict[str, str]:
    """The developer's, without what would lead back to the checkout or to another store."""
    leading = ("PYTHON", "MLFLOW_", "HYDRA_", "RAG_SWEEP_", "VIRTUAL_ENV")
    return {name: value for name, value in os.environ.items() if not name.startswith(leading)}


def execute(command: Sequence[str | Path], cwd: Path) -> str:
    """Standard output of a command that must succeed."""
    done = subprocess.run(
        command, cwd=cwd, env=environment(), stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8"
    )
    assert done.returncode == 0, (
        f"{command} exits {done.returncode}:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    )
    return done.stdout


def build(source: Path, folder: Path, *options: str) -> Path:
    """Build offline, with the hatchling of this environment; the one file that comes out."""
    execute([sys.executable, "-m", "build", "--no-isolation", *options, "--outdir", folder, source], folder)
    (made,) = folder.iterdir()
    return made


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(ROOT, tmp_path_factory.mktemp("sdist"), "--sdist")


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that an index would carry: made from the sdist, where the checkout is out of reach."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(sdist) as archive:
        archive.extractall(unpacked, filter="data")
    (source,) = unpacked.iterdir()
    return build(source, tmp_path_factory.mktemp("wheel"), "--wheel")


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scripts of a new environment that holds the wheel, and sees this environment's other packages."""
    home = tmp_path_factory.mktemp("environment")
    execute([sys.executable, "-m", "venv", "--without-pip", home], home)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    python = scripts / Path(sys.executable).name
    options = ["--no-deps", "--no-index", "--disable-pip-version-check", "-q"]
    execute([sys.executable, "-m", "pip", "--python", python, "install", *options, wheel], home)
    # a plain path: the .pth files that lie there, such as the one to the checkout, are not read
    site_packages = execute(
        [python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"], home
    ).strip()
    others = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(site_packages) / "others.pth").write_text("\n".join(sorted(others)) + "\n", encoding="utf-8")
    return scripts


@pytest.fixture
def empty(tmp_path: Path) -> Path:
    folder = tmp_path / "an empty directory"
    folder.mkdir()
    return folder


def members(wheel: Path) -> dict[str, int]:
    """Names and checksums."""
    with zipfile.ZipFile(wheel) as archive:
        return {entry.filename: entry.CRC for entry in archive.infolist()}


def files_below(folder: str, ending: str = "") -> set[str]:
    """Files of the checkout, as paths from its root."""
    found = (path for path in (ROOT / folder).rglob(f"*{ending}") if path.is_file())
    return {path.relative_to(ROOT).as_posix() for path in found if "__pycache__" not in path.parts}


def test_the_wheel_holds_the_package_with_its_configs_and_its_collection(wheel: Path) -> None:
    expected = files_below("rag_sweep") | files_below("hydra_plugins")
    expected |= {f"rag_sweep/{name}" for name in files_below("conf")}
    assert {
        "rag_sweep/py.typed",
        "rag_sweep/conf/config.yaml",
        "rag_sweep/conf/sweep/handbook.yaml",
    } <= expected
    assert "rag_sweep/bundled/handbook-ru/gold.jsonl" in expected
    assert {name for name in members(wheel) if ".dist-info/" not in name} == expected


def test_the_wheel_carries_its_licence_and_its_command(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        (info,) = {name.split("/")[0] for name in archive.namelist() if ".dist-info/" in name}
        licence = archive.read(f"{info}/licenses/LICENSE")
        commands = archive.read(f"{info}/entry_points.txt").decode("utf-8")
    assert licence == (ROOT / "LICENSE").read_bytes()
    assert commands.split() == ["[console_scripts]", "rag-sweep", "=", "rag_sweep.cli.app:main"]


def test_the_wheel_of_the_sdist_is_the_wheel_of_the_checkout(wheel: Path, tmp_path: Path) -> None:
    assert members(build(ROOT, tmp_path, "--wheel")) == members(wheel)


def test_the_sdist_holds_tests_and_docs_but_no_results(sdist: Path) -> None:
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert {"tests/install/test_wheel.py", "docs/measures.md", "constraints.txt", "scripts/test"} <= names
    leftovers = ("mlruns", ".venv", "dist", ".git/", ".hypothesis", ".mypy_cache")
    found = {name for name in names if name.startswith(leftovers) or "__pycache__" in name}
    assert found <= {"mlruns", "mlruns/.gitkeep"}


def test_the_package_in_use_is_the_wheel(installed: Path, empty: Path) -> None:
    python = installed / Path(sys.executable).name
    code = (
        "import rag_sweep, rag_sweep.config.folder as f, hydra_plugins.rag_sweep_hydra as h;"
        "print(rag_sweep.__file__, f.conf_dir(), h.__file__, sep='\\n')"
    )
    for line in execute([python, "-c", code], empty).splitlines():
        assert Path(line).is_relative_to(installed.parent), line


def test_the_command_tells_its_version(installed: Path, empty: Path) -> None:
    from rag_sweep import __version__

    assert execute([installed / "rag-sweep", "--version"], empty).strip() == __version__
    assert list(empty.iterdir()) == []


def test_without_tracking_and_store_nothing_is_left_behind(installed: Path, empty: Path) -> None:
    found = json.loads(
        execute(
            [installed / "rag-sweep", "run", "tracking=none", "store=none", "journal=null", "--json"], empty
        )
    )
    assert (found["dataset"], found["params"]["lexical"]) == ("handbook-ru", "bm25")
    assert 0 < found["metrics"]["ndcg@10"] < 1
    assert list(empty.iterdir()) == []


def test_a_sweep_leaves_mlruns_alone(installed: Path, empty: Path) -> None:
    found = json.loads(execute([installed / "rag-sweep", "run", "-m", "lexical.k1=0.9,1.2", "--json"], empty))
    assert {row["params"]["lexical.k1"] for row in found["configurations"]} == {0.9, 1.2}
    assert [path.name for path in empty.iterdir()] == ["mlruns"]
    assert (empty / "mlruns" / "mlflow.db").is_file()


def test_the_gold_of_the_bundled_handbook_is_checked_by_the_module(installed: Path, empty: Path) -> None:
    python = installed / Path(sys.executable).name
    assert "question" in execute([python, "-m", "rag_sweep", "gold", "check"], empty)
    assert list(empty.iterdir()) == []


def test_rankings_of_another_system_are_measured(installed: Path, empty: Path, tmp_path: Path) -> None:
    rankings = tmp_path / "rankings.jsonl"
    line = {"id": "a", "expected_doc_ids": ["d1"], "retrieved_doc_ids": ["d2", "d1"]}
    rankings.write_text(json.dumps(line) + "\n", encoding="utf-8")
    found = execute([installed / "rag-sweep", "score", rankings, "k=2", "cutoffs=[1,2]", "--json"], empty)
    assert json.loads(found)["means"]["mrr@2"] == 0.5
    assert list(empty.iterdir()) == []


def test_the_script_for_courses_works_with_the_wheel(installed: Path, empty: Path) -> None:
    script = empty / "eval_runner.py"
    script.write_bytes((ROOT / "scripts" / "eval_runner.py").read_bytes())
    told = execute([installed / Path(sys.executable).name, script, "--out", "report.json"], empty)
    assert "ok: the best, bm25: recall@5 at least 0.6" in told
    assert sorted(path.name for path in empty.iterdir()) == ["eval_runner.py", "report.json"]
