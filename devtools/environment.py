"""Makes `.venv` and installs what a word of `./dev` needs, once per state of pyproject.toml.

There are three levels. `Level.RUN` is the project with the few packages that a node needs, and asks
for no C compiler. `Level.BUILD` adds what compiles the hot modules, and `Level.CHECK` that, every
extra and the tools of developers, to the same `.venv`. None touches what those before it have
installed, so a node runs on while Spark comes in.

A level that is installed leaves a stamp in the folder, so a second call costs a millisecond. The
stamp is a hash, which covers the checkout's own path too: a copied folder installs itself anew
instead of running its original. While something is being installed another file marks it; where an
interrupted installation has left it, the folder is made anew.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum
from importlib.util import find_spec
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
INPUTS = ("pyproject.toml", "setup.py")
PROGRESS = ("Collecting", "Building", "Installing", "Resolved", "Prepared", "Installed")
"""How the lines of pip and uv begin that say how far they are."""
NOTHING_COMPILED = {"MOLDAU_COMPILE": "never"}
"""An editable installation compiles nothing, so the compiler's own compiler need not come in."""
COMPILED_AGAINST = {"kerberos": ("krb5-config", "cc")}
"""Extras of which there are sources alone, and the programs that their compilation asks for."""
LEFT_OUT = (
    "dev: left out: the extra {extra}, whose tests are skipped. It is compiled against the"
    " machine's library (on Debian and Ubuntu: apt install gcc libkrb5-dev) and comes with the"
    " first ./dev check after that."
)
NO_VENV = (
    "Python's venv module is missing: install it (on Debian and Ubuntu: apt install python3-venv)"
    " or install uv, then call ./dev again."
)


class Level(Enum):
    """How much is installed; the value is the name of its stamp."""

    RUN = "installed-to-run"
    BUILD = "installed-to-build"
    CHECK = "installed"

    @property
    def missing(self) -> list[Level]:
        """What has to be installed for this level, in order."""
        if _is_fresh(Level.CHECK) or _is_fresh(self):
            return []
        return [*Level.RUN.missing, self] if self is not Level.RUN else [self]

    @property
    def stamp(self) -> Path:
        return VENV / self.value

    @property
    def summary(self) -> str:
        return SUMMARIES[self]


SUMMARIES = {
    Level.RUN: "the project and what a node needs",
    Level.BUILD: "what compiles the hot modules",
    Level.CHECK: "Spark and the tools that check the project (1.7 GB)",
}


def ensure_environment(level: Level) -> None:
    """Return when `.venv` holds the project at this level, or exit with one sentence."""
    if not level.missing:
        return
    with _lock() as lock:
        if level.missing:
            _install(level, lock)


def _is_fresh(level: Level) -> bool:
    return PYTHON.exists() and level.stamp.exists() and level.stamp.read_text() == _fingerprint()


def _fingerprint() -> str:
    """A library that has come since brings its extra, so it counts too."""
    digest = hashlib.sha256(f"{ROOT}\n{_not_compilable()}\n".encode())
    for name in INPUTS:
        path = ROOT / name
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


def _install(level: Level, lock: int) -> None:
    """What this level lacks, each on top of the one before."""
    uv = shutil.which("uv")
    if not _can_be_built_upon():
        _must(_venv_command(uv), lock)
    for wanted in level.missing:
        for extra in _not_compilable() if wanted is Level.CHECK else ():
            _report(LEFT_OUT.format(extra=extra))
        _install_level(wanted, [*_install_command(uv), *requirements(wanted)], lock)


def _install_level(level: Level, command: list[str], lock: int) -> None:
    started = time.monotonic()
    _report(f"dev: installing into .venv: {level.summary}")
    _unfinished().touch()
    _must(command, lock)
    level.stamp.write_text(_fingerprint())
    _unfinished().unlink()
    _report(f"dev: installed in {time.monotonic() - started:.0f} s")


def _can_be_built_upon() -> bool:
    """An earlier installation went through to its end, and no later one was interrupted."""
    is_installed = any(level.stamp.exists() for level in Level)
    return PYTHON.exists() and is_installed and not _unfinished().exists()


def _unfinished() -> Path:
    return VENV / "unfinished"


def _venv_command(uv: str | None) -> list[str]:
    if uv:
        return [uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV)]
    if not (find_spec("venv") and find_spec("ensurepip")):
        sys.exit(NO_VENV)
    return [sys.executable, "-m", "venv", "--clear", str(VENV)]


def _install_command(uv: str | None) -> list[str]:
    if uv:
        return [uv, "pip", "install", "--python", str(PYTHON)]
    return [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check"]


def requirements(level: Level) -> list[str]:
    """The project, editable; or what the extras and the developers' group name, spelled out.

    pip reads dependency groups only from 25.1 on, and Python 3.11 brings an older one. The
    project's own packages are named again, so that nothing else changes their versions.
    """
    if level is Level.RUN:
        return ["--editable", str(ROOT)]
    settings: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
    developers = settings["dependency-groups"]
    if level is Level.BUILD:
        return list(developers["build"])
    project = settings["project"]
    extras = [
        packages
        for extra, packages in project.get("optional-dependencies", {}).items()
        if extra not in _not_compilable()
    ]
    groups = [project.get("dependencies", []), *extras, developers["build"], developers["dev"]]
    return list(dict.fromkeys(one for group in groups for one in group if isinstance(one, str)))


def _not_compilable() -> list[str]:
    """The extras whose library or compiler this machine lacks."""
    return [
        extra
        for extra, programs in COMPILED_AGAINST.items()
        if not all(shutil.which(program) for program in programs)
    ]


def _must(command: list[str], lock: int) -> None:
    """Run it, naming each package as it comes in; the rest of its output is shown if it fails.

    The command holds the lock too: if this process is killed, nothing else touches `.venv` before
    the command has ended. One that fails has undone what it began.
    """
    output = []
    with subprocess.Popen(
        command,
        cwd=ROOT,
        env=os.environ | NOTHING_COMPILED,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        pass_fds=(lock,),
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            output.append(line)
            if line.startswith(PROGRESS):
                _report(f"  {line.rstrip()}")
    if process.returncode:
        _unfinished().unlink(missing_ok=True)
        sys.exit("".join(output) + f"dev: this failed: {' '.join(command[:4])} …")


def _report(line: str) -> None:
    """On standard error: a program may be reading what the command itself prints."""
    print(line, file=sys.stderr, flush=True)


@contextmanager
def _lock() -> Iterator[int]:
    """Two first calls at once: the second waits for the first."""
    with (ROOT / "pyproject.toml").open() as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            _report("dev: waiting for another ./dev, which is installing into .venv")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield file.fileno()
