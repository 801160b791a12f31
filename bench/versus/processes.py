"""Starts processes that end when we do, however we end.

Each is a session of its own, so that a key pressed here does not reach it and its whole group can
be ended. An orderly end goes through `end_all`, which also stands at the interpreter's exit and
behind SIGINT and SIGTERM. For the end that cannot be caught, SIGKILL, the kernel is asked: a
process gets PR_SET_PDEATHSIG before it becomes what it will be, and is killed when its parent dies.
The kernel means the thread that started it, so processes are started by the main thread alone.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import IO, Any

PR_SET_PDEATHSIG = 1
ENDED_BY = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
LIBC = ctypes.CDLL(None, use_errno=True)
_running: list[subprocess.Popen[str]] = []


class SetupError(Exception):
    """What is missing on this machine, in one sentence."""


def spawn(
    command: Sequence[str | Path],
    *,
    stdin: int | IO[Any] = subprocess.DEVNULL,
    stdout: int | IO[Any] = subprocess.DEVNULL,
    stderr: int | IO[Any] | None = subprocess.DEVNULL,
    environment: Mapping[str, str] | None = None,
) -> subprocess.Popen[str]:
    """Start it; it will not outlive us."""
    assert threading.current_thread() is threading.main_thread()
    process = subprocess.Popen(
        [str(word) for word in command],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        text=True,
        env=None if environment is None else {**os.environ, **environment},
        start_new_session=True,
        preexec_fn=leash(os.getpid()),
    )
    _running.append(process)
    return process


def leash(parent: int) -> Callable[[], None]:
    """What a new process does before its program: bind its life to its parent's."""

    def bind() -> None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os.kill(os.getpid(), signal.SIGKILL)  # the parent died in between

    return bind


def end(process: subprocess.Popen[str]) -> None:
    """At once, with all of its group; nothing happens to one that has ended."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
    with suppress(ValueError):
        _running.remove(process)


def end_all() -> None:
    while _running:
        end(_running[-1])


def end_all_however_we_end() -> None:
    """Call it once, before the first process."""
    atexit.register(end_all)
    for number in ENDED_BY:
        signal.signal(number, _leave)


def _leave(number: int, _frame: FrameType | None) -> None:
    for one in ENDED_BY:
        signal.signal(one, signal.SIG_IGN)
    end_all()
    sys.exit(128 + number)
