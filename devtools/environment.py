"""Makes `.venv` and installs the project in it, once per state of pyproject.toml.

What was installed is remembered as a hash in the folder itself, so a second call costs a
millisecond, and an interrupted one is begun again. The hash covers the checkout's own path too: a
copied folder installs itself anew instead of running its original.
"""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
STAMP = VENV / "installed"
INPUTS = ("pyproject.toml", "setup.py")
NEWS = ("Collecting", "Building", "Installing", "Resolved", "Prepared", "Installed")
"""How the lines of pip and uv begin that say how far they are."""
NO_VENV = (
    "Python's venv module is missing: install it (on Debian and Ubuntu: apt install python3-venv)"
    " or install uv, then call ./dev again."
)


def ensure_environment() -> None:
    """Return when `.venv` holds the project and its tools, or exit with one sentence."""
    if _is_ready():
        return
    with _alone():
        if not _is_ready():
            _install()


def _install() -> None:
    started = time.monotonic()
    _tell("dev: installing the project and its tools into .venv (a minute or two)")
    uv = shutil.which("uv")
    for command in _uv_commands(uv) if uv else _pip_commands():
        _must(command)
    STAMP.write_text(_fingerprint())
    _tell(f"dev: installed in {time.monotonic() - started:.0f} s")


def _tell(line: str) -> None:
    """Beside what the command itself has to say, which a program may be reading."""
    print(line, file=sys.stderr, flush=True)


def _uv_commands(uv: str) -> Iterator[list[str]]:
    if not _was_finished():
        yield [uv, "venv", "--quiet", "--clear", "--python", sys.executable, str(VENV)]
    yield [uv, "pip", "install", "--python", str(PYTHON), *requirements()]


def _pip_commands() -> Iterator[list[str]]:
    if not (find_spec("venv") and find_spec("ensurepip")):
        sys.exit(NO_VENV)
    if not _was_finished():
        yield [sys.executable, "-m", "venv", "--clear", str(VENV)]
    yield [str(PYTHON), "-m", "pip", "install", "--disable-pip-version-check", *requirements()]


def _was_finished() -> bool:
    """An earlier call went through to its end: what it made can be built upon."""
    return PYTHON.exists() and STAMP.exists()


def requirements() -> list[str]:
    """The project, editable, with every extra, and the developers' group spelled out.

    pip reads dependency groups only from 25.1 on, and Python 3.11 brings an older one.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = ",".join(project["project"].get("optional-dependencies", {}))
    return ["--editable", f"{ROOT}[{extras}]", *project["dependency-groups"]["dev"]]


def _must(command: list[str]) -> None:
    """Run it, naming each package as it comes in; what else it says is shown if it fails."""
    said = []
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            said.append(line)
            if line.startswith(NEWS):
                _tell(f"  {line.rstrip()}")
    if process.returncode:
        sys.exit("".join(said) + f"dev: this failed: {' '.join(command[:4])} …")


def _is_ready() -> bool:
    return _was_finished() and STAMP.read_text() == _fingerprint()


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{ROOT}\n".encode())
    for name in INPUTS:
        path = ROOT / name
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()


@contextmanager
def _alone() -> Iterator[None]:
    """Two first calls at once: the second waits for the first."""
    with (ROOT / "pyproject.toml").open() as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
