"""A tracking server that goes away in the middle of a sweep: nothing is lost, and nothing is there twice."""

from __future__ import annotations

import json
import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from journals import wait_for
from servers import Server
from sweeps import DOCUMENTS, LONGEST, NARROW, Sweep, Whole, assert_same_state, state_of

pytestmark = [pytest.mark.full, pytest.mark.skipif(os.name == "nt", reason="kills by signals of POSIX")]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    server = Server(tmp_path / "server")
    try:
        yield server
    finally:
        server.kill()


def cut_off(sweep: Sweep, server: Server) -> subprocess.Popen[bytes]:
    """A sweep whose server is killed when it has got some of the results and has others to come."""
    server.start()
    process = sweep.held_at(3)
    wait_for(lambda: server.configurations() >= 4, "results at the server", LONGEST)
    server.kill()
    return process


def test_a_sweep_outlives_its_tracking_server_and_sync_completes_it(
    tmp_path: Path, server: Server, narrow: Whole
) -> None:
    sweep = Sweep(tmp_path / "sweep", NARROW, f"tracking.uri={server.uri}")
    process = cut_off(sweep, server)
    sweep.let_go()
    code, out, err = sweep.ended(process)
    assert (code, out) == (1, narrow.out)
    assert "Traceback" not in err
    assert f"can't be written to {server.uri}" in err or f"can't be used at {server.uri}" in err
    assert "All results are kept: `rag-sweep sync` sends what is missing." in err
    server.start()
    code, _, err = sweep.run(command=["sync"])
    assert code == 0, err
    assert_same_state(state_of(server.database, server.artifacts), narrow.state)
    code, out, _ = sweep.run(command=["sync", "--json"])
    assert (code, [one["sent"] for one in json.loads(out)]) == (0, [0])
    assert_same_state(state_of(server.database, server.artifacts), narrow.state)


def test_a_tracking_server_that_comes_back_is_used_again(
    tmp_path: Path, server: Server, narrow: Whole
) -> None:
    sweep = Sweep(tmp_path / "sweep", NARROW, f"tracking.uri={server.uri}")
    process = cut_off(sweep, server)
    sweep.let_go()
    server.start()
    code, out, err = sweep.ended(process)
    assert out == narrow.out, err
    if code != 0:  # this machine was too slow to start a server within its patience
        assert (code, "`rag-sweep sync` sends what is missing" in err) == (1, True)
        code, out, err = sweep.run()
    assert (code, out) == (0, narrow.out), err
    assert_same_state(state_of(server.database, server.artifacts), narrow.state)
    assert sweep.calls() == dict.fromkeys((1, 2, 3, 4), DOCUMENTS)


def test_a_tracking_server_that_is_away_from_the_start_is_one_error_within_seconds(
    tmp_path: Path, server: Server
) -> None:
    sweep = Sweep(tmp_path / "sweep", NARROW, f"tracking.uri={server.uri}")
    started = time.monotonic()
    code, out, err = sweep.run()
    assert time.monotonic() - started < 100  # MLflow alone would ask for many minutes
    assert (code, out) == (2, "")
    assert err.startswith(f"rag-sweep: MLflow can't be used at {server.uri}: ")
    assert "Traceback" not in err
