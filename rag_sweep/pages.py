"""`rag-sweep ui`: starts MLflow's server on the store that the configuration names."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Sequence

from rag_sweep.config import build
from rag_sweep.config.program import compose_once
from rag_sweep.errors import ConfigError


def serve(overrides: Sequence[str], port: int | None, say: Callable[[str], None]) -> int:
    """Run the server until it ends; its exit code."""
    from rag_sweep.tracking.mlflow import MLflow
    from rag_sweep.tracking.ui import ui_command

    tracking = build.component(compose_once(overrides), "tracking")
    if not isinstance(tracking, MLflow):
        raise ConfigError("tracking must be mlflow: there is no store to look at otherwise")
    command, environment, url = ui_command(tracking, port)
    say(f"MLflow UI: {url}\n[+] before a sweep's name opens its configurations. Ctrl-C ends.")
    if not command:
        return 0
    server = subprocess.Popen(command, env=environment, start_new_session=True)
    try:
        return server.wait()
    except KeyboardInterrupt:
        return 0
    finally:
        _end(server)


def _end(server: subprocess.Popen[bytes]) -> None:
    """End the server with all processes that it has started."""
    if server.poll() is not None:
        return
    if hasattr(os, "killpg"):
        os.killpg(server.pid, signal.SIGTERM)
    else:
        server.terminate()
    server.wait()
