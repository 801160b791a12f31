"""Kafka's classes in an archive, so that its nodes start in three fifths of the processor's time.

It is made once on a machine, by a node that starts and stops.
"""

from __future__ import annotations

import fcntl
from collections.abc import Callable
from pathlib import Path

from moldau.platform.system.class_archive import ClassArchive
from moldau.platform.system.java import find_java


def archive_of(libs: Path, run_a_node: Callable[[tuple[str, ...]], None]) -> tuple[str, ...]:
    """Flags for a machine whose class path is that of `libs`; none where Java wrote no archive.

    Several test processes may want it at the same time: one makes it, the others wait.
    """
    java = find_java()
    assert java is not None, "its jars were found, which needs one"
    archive = ClassArchive.of("kafka", java, str(libs))
    with libs.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not archive.is_there:
            with archive.being_made() as flags:
                run_a_node(flags)
    return archive.flags
