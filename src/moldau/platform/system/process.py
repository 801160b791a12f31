"""This process: its environment, and becoming another program."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

__all__ = [
    "become",
    "environment",
    "exit_at_once",
    "is_program",
    "put_interpreter_first",
    "put_variable",
    "set_default",
]


def environment() -> dict[str, str]:
    """The environment of this process."""
    return dict(os.environ)


def set_default(name: str, value: str) -> None:
    """Put a variable into the environment of this process, unless it is there."""
    os.environ.setdefault(name, value)


def put_variable(name: str, value: str) -> None:
    """Put a variable into the environment of this process, whatever it was."""
    os.environ[name] = value


def is_program(path: str) -> bool:
    """Whether this user may run that file."""
    return os.access(path, os.X_OK)


def become(command: Sequence[str], variables: Mapping[str, str]) -> NoReturn:
    """Go on as that program, under this process's id, so that signals reach it.

    Raises `OSError` where there is no such program.
    """
    program = shutil.which(command[0], path=variables.get("PATH"))
    if program is None:
        raise FileNotFoundError(f"there is no program {command[0]!r} on the PATH")
    sys.stdout.flush()
    sys.stderr.flush()
    os.execve(program, list(command), dict(variables))  # noqa: S606 - to run it is what this is for


def exit_at_once(code: int) -> NoReturn:
    """End, with what was written, and without waiting for threads or running what is at exit."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed, or not read any more
            if stream is not None:
                stream.flush()
    os._exit(code)


def put_interpreter_first() -> None:
    """Let `python3` mean this very Python in programs that are started from here."""
    folder = str(Path(sys.executable).parent)
    paths = os.environ.get("PATH", os.defpath).split(os.pathsep)
    os.environ["PATH"] = os.pathsep.join([folder, *(path for path in paths if path != folder)])
