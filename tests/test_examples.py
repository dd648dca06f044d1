"""The workflow of examples/: every ``run:`` step is executed, in order, in a checkout as GitHub makes it.

Steps that use an action are played: a cache and an artifact are folders that are copied.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[1]
PROJECT = ROOT / "examples" / "project"
WORKFLOW = PROJECT / ".github" / "workflows" / "retrieval-gate.yml"
PLAYED = {"actions/checkout", "actions/setup-python", "actions/upload-artifact"}


def workflow() -> dict[Any, Any]:
    found: dict[Any, Any] = yaml.safe_load(WORKFLOW.read_text(encoding="utf-8"))
    return found


def git(folder: Path, *words: str) -> None:
    names = ["-c", "user.name=somebody", "-c", "user.email=somebody@example.org"]
    subprocess.run(["git", *names, *words], cwd=folder, check=True, capture_output=True)


@dataclass
class Server:
    """What GitHub keeps between runs: the repository, caches by their key, and artifacts."""

    home: Path
    caches: dict[str, Path] = field(default_factory=dict)
    runs: int = 0

    @property
    def origin(self) -> Path:
        return self.home / "origin"

    def commit(self, branch: str, changes: Mapping[str, str]) -> None:
        """Put changes on a branch."""
        work = self.home / f"work-{branch}"
        if not work.exists():
            git(self.home, "clone", "-q", str(self.origin), str(work))
            git(work, "switch", "-q", "-C", branch)
        for name, text in changes.items():
            (work / name).write_text(text, encoding="utf-8")
        git(work, "add", "-A")
        git(work, "commit", "-q", "-m", "a change")
        git(work, "push", "-q", "origin", branch)

    def run(self, job: str, branch: str) -> Run:
        """Run a job on a branch, as the server would."""
        self.runs += 1
        checkout = self.home / f"run-{self.runs}"
        git(self.home, "clone", "-q", "--branch", branch, str(self.origin), str(checkout))
        return Run(self, checkout).execute(workflow()["jobs"][job]["steps"])


@dataclass
class Run:
    """One run of a job: the step that failed, with what it said, and the job's summary."""

    server: Server
    checkout: Path
    codes: dict[str, int] = field(default_factory=dict)
    said: str = ""
    artifact: Path | None = None

    @property
    def summary(self) -> str:
        file = self.checkout.with_suffix(".summary")
        return file.read_text(encoding="utf-8") if file.exists() else ""

    @property
    def failed(self) -> dict[str, int]:
        return {name: code for name, code in self.codes.items() if code}

    def execute(self, steps: list[dict[str, Any]]) -> Run:
        for step in steps:
            if self.failed and step.get("if") != "always()":
                continue
            if "run" in step:
                self._shell(step["name"], step["run"])
            else:
                self._play(step["uses"].split("@")[0], step.get("with", {}))
        return self

    def _shell(self, name: str, script: str) -> None:
        assert "${{" not in script, "an expression in a script can be an injection"
        found = {
            **{
                key: value for key, value in os.environ.items() if not key.startswith(("MLFLOW", "RAG_SWEEP"))
            },
            **{key: str(value) for key, value in workflow()["env"].items()},
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "GITHUB_STEP_SUMMARY": str(self.checkout.with_suffix(".summary")),
            "GITHUB_BASE_REF": "main",
            "PIP_NO_INDEX": "1",
            "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        }
        command = ["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", script]
        done = subprocess.run(command, cwd=self.checkout, env=found, capture_output=True, text=True)
        self.codes[name] = done.returncode
        self.said += done.stdout + done.stderr

    def _play(self, action: str, given: Mapping[str, Any]) -> None:
        caches, runs = self.server.caches, self.server.runs
        if action == "actions/cache/save":
            key = re.sub(r"\$\{\{ github\.run_id \}\}", str(runs), given["key"])
            assert key not in caches, "a cache is never overwritten"
            kept = self.server.home / f"cache-{runs}"
            shutil.copytree(self.checkout / given["path"], kept)
            caches[key] = kept
        elif action == "actions/cache/restore":
            fitting = [key for key in caches if key.startswith(given["restore-keys"].strip())]
            if fitting:
                shutil.copytree(caches[fitting[-1]], self.checkout / given["path"])
        elif action == "actions/upload-artifact":
            here = self.checkout / given["path"]
            self.artifact = here if here.exists() else None
        else:
            assert action in PLAYED, action


@pytest.fixture
def server(tmp_path: Path) -> Server:
    """A repository with the example on its main branch."""
    found = Server(tmp_path)
    git(tmp_path, "init", "-q", "--bare", "--initial-branch=main", str(found.origin))
    work = tmp_path / "work-main"
    ignored = shutil.ignore_patterns("mlruns", "baseline", "report")
    shutil.copytree(PROJECT, work, ignore=ignored)
    git(work, "init", "-q", "--initial-branch=main")
    git(work, "remote", "add", "origin", str(found.origin))
    found.commit("main", {})
    return found


def thresholds(**changes: str) -> str:
    text = (PROJECT / "thresholds.yaml").read_text(encoding="utf-8")
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.mark.full
def test_the_workflow_does_what_it_says_step_by_step(server: Server) -> None:
    early = server.run("pull-request", "main")
    assert early.failed == {"Gate": 2}  # there is no baseline yet, and it is said
    assert "baseline" in early.said

    main = server.run("main-branch", "main")
    assert main.failed == {}
    assert list(server.caches) == ["retrieval-baseline-2"]
    assert "### ✅ Retrieval gate: PASSED" in main.summary

    server.commit(
        "harmless", {"docs/borrowing.md": (PROJECT / "docs/borrowing.md").read_text() + "\nThanks!\n"}
    )
    harmless = server.run("pull-request", "harmless")
    assert harmless.failed == {}, harmless.said
    assert "### ✅ Retrieval gate: PASSED: 3 checks" in harmless.summary
    assert "The documents have changed" in harmless.summary

    server.commit("breaking", {"docs/damage.md": "# Moved\n\nSee the notice board.\n"})
    breaking = server.run("pull-request", "breaking")
    assert breaking.failed == {"Gate": 1}
    assert "### ❌ Retrieval gate: FAILED" in breaking.summary
    assert "snapped" in breaking.summary
    assert breaking.artifact is not None
    assert {file.name for file in breaking.artifact.iterdir()} == {"report.json", "report.md", "junit.xml"}

    gold = (PROJECT / "gold.jsonl").read_text().replace("How many tools", "How many things")
    server.commit("gold", {"gold.jsonl": gold})
    other = server.run("pull-request", "gold")
    assert other.failed == {"Gate": 3}
    assert "the gold differs" in other.summary

    server.commit("lower", {"thresholds.yaml": thresholds(**{"value: 0.9": "value: 0.5"})})
    lower = server.run("pull-request", "lower")
    assert lower.failed == {"Gate": 1}
    assert "a lowered threshold needs a new one" in lower.said

    assert server.run("every-night", "main").failed == {}


def test_the_workflow_asks_for_nothing_but_reading() -> None:
    text = WORKFLOW.read_text(encoding="utf-8")
    found = workflow()
    assert found["permissions"] == {"contents": "read"}
    assert all("permissions" not in job for job in found["jobs"].values())
    assert "secrets" not in text
    assert "pull_request_target" not in text
    assert found[True].keys() == {"pull_request", "push", "schedule"}  # YAML reads the key `on` as true
    assert all(
        step["uses"].count("@") == 1
        for job in found["jobs"].values()
        for step in job["steps"]
        if "uses" in step
    )
