"""Compiles the scenarios of the clients for Go once for each text they have, into the user's cache.

Go itself fetches the modules that `go.mod` pins, and checks them against `go.sum`.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
from pathlib import Path

from tests.judges.kafka_jars import MissingJudge

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "moldau-go"
SOURCES = Path(__file__).parents[1] / "interop" / "golang"
TIMEOUT_S = 300


def find_go_program() -> Path:
    """The program; or `MissingJudge`."""
    if shutil.which("go") is None:
        raise MissingJudge("The clients for Go cannot be asked: this machine has no go.")
    CACHE.mkdir(parents=True, exist_ok=True)
    program, built_from = CACHE / "clients", CACHE / "clients_built_from"
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not built_from.exists() or built_from.read_text() != _fingerprint():
            _build(program)
            built_from.write_text(_fingerprint())
    return program


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for path in sorted(SOURCES.iterdir()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _build(program: Path) -> None:
    try:
        _go("mod", "download")
    except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
        raise MissingJudge(
            "The clients for Go cannot be fetched: go reached no registry."
        ) from error
    _go("build", "-buildvcs=false", "-ldflags=-s", "-o", str(program), ".")


def _go(*words: str) -> None:
    subprocess.run(["go", *words], cwd=SOURCES, check=True, capture_output=True, timeout=TIMEOUT_S)
