"""Fixtures that every test may use."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from sweeps import Whole

# Where two workers share two cores, threads of one that wait for each other cost more than all the rest. The
# program computes on one thread anyhow, and tests that ask for more get them.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# An example that takes long says something about the machine's other work, not about the code.
hypothesis.settings.register_profile("no deadline", deadline=None)
hypothesis.settings.load_profile("no deadline")

SHARED = Path(__file__).resolve().parents[2] / "shared"


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of fixtures, references and real collections; skipped where it isn't there."""
    if not SHARED.is_dir():
        if os.environ.get("CI"):
            pytest.fail(f"{SHARED} must be present in CI")
        pytest.skip("the shared fixtures and collections are not beside this checkout")
    return SHARED


@pytest.fixture(scope="session")
def narrow(tmp_path_factory: pytest.TempPathFactory) -> Whole:
    """A small sweep that nobody disturbed, to compare others with: it is only read."""
    from sweeps import NARROW, undisturbed

    return undisturbed(tmp_path_factory.mktemp("undisturbed") / "sweep", NARROW)
