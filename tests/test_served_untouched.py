"""Loading a model runs nothing of it: no file of it is imported or executed, and nothing is unpickled."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from champions import written
from promotions import environment

SCRIPT = """
import json, pickle, sys
from pathlib import Path

model = Path(sys.argv[1]).resolve()
seen = {"opened": [], "executed": [], "imported": [], "unpickled": []}

def inside(name):
    try:
        return Path(str(name)).exists() and Path(str(name)).resolve().is_relative_to(model)
    except (OSError, ValueError):
        return False

def hook(event, args):
    if event == "open" and isinstance(args[0], (str, bytes)) and inside(args[0]):
        seen["opened"].append(Path(str(args[0])).name)
    elif event == "exec" and inside(args[0].co_filename):
        seen["executed"].append(args[0].co_filename)
    elif event == "import" and args[1] and inside(args[1]):
        seen["imported"].append(args[1])
    elif event == "pickle.find_class":
        seen["unpickled"].append(str(args))

if sys.argv[2] == "mlflow":
    import mlflow.pyfunc
import rag_sweep.served
sys.addaudithook(hook)
for name in ("load", "loads", "Unpickler"):
    def refused(*args, name=name, **kwargs):
        seen["unpickled"].append(name)
        raise AssertionError(name)
    setattr(pickle, name, refused)

if sys.argv[2] == "mlflow":
    found = mlflow.pyfunc.load_model(str(model)).predict([{"query": "which card opens the door", "k": 2}])
else:
    served = rag_sweep.served._load_pyfunc(str(model / "data" / "champion"))
    found = served.predict([{"query": "which card opens the door", "k": 2}])
print(json.dumps({"ids": found[0]["ids"], **seen}))
"""

TRAPS = ("numpy.py", "sitecustomize.py", "rag_sweep/__init__.py", "yaml.py", "scipy.py", "conftest.py")
"""Files that would be run if the model's folder were looked into for modules."""


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved MLflow model, with traps beside its data."""
    from rag_sweep.tracking.packaging import LOADER, Entry, save_model

    folder = tmp_path_factory.mktemp("untouched")
    shutil.move(written(folder), folder / "champion")
    entry = Entry(folder / "champion", LOADER, "rag-sweep==0.1.0", {}, "", {"query": "x", "k": 1})
    made = save_model(folder / "model", entry, "m-1")
    for trap in TRAPS:
        for place in (made, made / "data"):
            (place / trap).parent.mkdir(exist_ok=True)
            (place / trap).write_text("raise SystemExit('a trap has sprung')", encoding="utf-8")
    return made


@pytest.mark.parametrize("way", ["ours", pytest.param("mlflow", marks=pytest.mark.full)])
def test_nothing_of_a_model_is_run_when_it_is_loaded_and_asked(model: Path, way: str) -> None:
    """In an isolated interpreter that stands in the model's own folder."""
    done = subprocess.run(
        [sys.executable, "-I", "-c", SCRIPT, str(model), way],
        cwd=model,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["ids"][0] == "door"
    assert (told["executed"], told["imported"], told["unpickled"]) == ([], [], [])
    endings = {Path(name).suffix for name in told["opened"]}
    assert endings <= {"", ".json", ".jsonl", ".npy", ".txt", ".yaml"}, told["opened"]
    assert "manifest.json" in told["opened"]


@pytest.mark.full
def test_mlflow_loads_no_model_that_was_tampered_with(model: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(model, tmp_path / "model"))
    file = copy / "data" / "champion" / "documents.jsonl"
    file.write_bytes(file.read_bytes().replace(b"blue card", b"gold card"))
    done = subprocess.run(
        [sys.executable, "-I", "-c", SCRIPT, str(copy), "mlflow"],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
    )
    assert done.returncode != 0
    assert "documents.jsonl has changed: its SHA-256 is" in done.stderr
