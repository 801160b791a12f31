"""Kafka's classes as Java keeps them once it has loaded them, in a file that its nodes share.

A node that starts with it takes three fifths of the processor's time of one that reads its jars.
The file is made once on a machine, beside the jars, by a node that starts and stops.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

QUIETLY = ("-Xlog:cds=off", "-Xlog:cds+dynamic=off")
"""A machine that cannot use the file goes on without it, and says nothing about it."""
MADE_AT_EXIT = "-XX:ArchiveClassesAtExit="
USED = "-XX:SharedArchiveFile="
VERSION_TIMEOUT_S = 30


def archive_of(libs: Path, run_a_node: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
    """Flags for a machine whose class path is that of `libs`; none if there can be no archive."""
    archive = libs.with_name(f"{libs.name}-{_java()}.jsa")
    if not archive.exists():
        _make_once(archive, run_a_node)
    return (f"{USED}{archive}", *QUIETLY) if archive.exists() else ()


def _java() -> str:
    """Names the Java that there is: each reads its own archives only."""
    version = ["java", "-version"]
    done = subprocess.run(version, capture_output=True, timeout=VERSION_TIMEOUT_S, check=True)
    return hashlib.sha256(done.stderr).hexdigest()[:12]


def _make_once(archive: Path, run_a_node: Callable[[tuple[str, ...]], None]) -> None:
    """Several test processes may want it at the same time: one makes it, the others wait."""
    with archive.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if archive.exists():
            return
        unfinished = archive.with_suffix(f".{os.getpid()}")
        run_a_node((f"{MADE_AT_EXIT}{unfinished}", *QUIETLY))
        if unfinished.exists():
            unfinished.rename(archive)
