"""Runs a generator in a process of its own, and hands back what it printed."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bench.versus.load import LoadFailedError
from bench.versus.processes import end, spawn

TIMEOUT_S = 180.0
PACKAGE = "bench.versus.generators"


def generate(program: str, *arguments: object, timeout_s: float = TIMEOUT_S) -> Any:  # noqa: ANN401  # JSON
    """The JSON that `PACKAGE.program` prints."""
    process = spawn(_command(program, arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        printed, complained = process.communicate(timeout=timeout_s)
    except subprocess.TimeoutExpired as error:
        raise LoadFailedError(f"{program} took more than {timeout_s:g} s.") from error
    finally:
        end(process)
    if process.returncode:
        raise LoadFailedError(f"{program} left with {process.returncode}: {complained[-500:]}")
    return json.loads(printed)


@contextmanager
def echo_server() -> Iterator[tuple[int, int]]:
    """Its process id and its port, for as long as the block lasts."""
    process = spawn(_command("echo_server", ()), stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        yield process.pid, int(process.stdout.readline())
    finally:
        end(process)


def _command(program: str, arguments: tuple[object, ...]) -> list[str]:
    return [sys.executable, "-m", f"{PACKAGE}.{program}", *map(str, arguments)]
