"""What this process takes of its machine: processor, memory, descriptors, the disk, and collection.

The numbers come from Linux's `/proc`; elsewhere those that only it has are left out.
"""

from __future__ import annotations

import gc
import os
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit

__all__ = ["ProcessUsage"]

OWN = Path("/proc/self")
UNITS = {"VmRSS:": "resident_bytes", "VmSize:": "virtual_bytes", "Threads:": "threads"}
IO = {"read_bytes:": "disk_read_bytes", "write_bytes:": "disk_write_bytes"}
KIB = 1024
NS_PER_SECOND = 1_000_000_000


class ProcessUsage:
    """Made once in a process: from then on it measures how long collections of garbage take."""

    def __init__(self) -> None:
        self._started_s = time.time()
        self._collecting_ns = 0
        self._collections = 0
        self._began_ns = 0
        gc.callbacks.append(self._collected)

    def __repr__(self) -> str:
        return f"ProcessUsage({self._collections} collections)"

    def read(self) -> dict[str, float]:
        """As it is now, by short names."""
        found: dict[str, float] = {
            "cpu_seconds": time.process_time(),
            "start_time_seconds": self._started_s,
            "max_fds": getrlimit(RLIMIT_NOFILE)[0],
            "threads": threading.active_count(),
            "collections": self._collections,
            "collecting_seconds": self._collecting_ns / NS_PER_SECOND,
        }
        with suppress(OSError):  # there is no /proc, or it may not be read
            found |= _numbers(OWN / "status", UNITS)
            found |= _numbers(OWN / "io", IO)
            found["open_fds"] = _open_fds()
        return found

    def _collected(self, phase: str, _: Mapping[str, int]) -> None:
        now_ns = time.perf_counter_ns()
        if phase == "start":
            self._began_ns = now_ns
        else:
            self._collections += 1
            self._collecting_ns += now_ns - self._began_ns


def _open_fds() -> int:
    """Linux says it since 6.2; before that they are listed, 2 ms for a thousand partitions."""
    return os.stat(OWN / "fd").st_size or len(os.listdir(OWN / "fd"))


def _numbers(file: Path, wanted: Mapping[str, str]) -> dict[str, float]:
    """Of its lines, `name: number` or `name: number kB`."""
    found: dict[str, float] = {}
    for line in file.read_text().splitlines():
        name, *rest = line.split()
        if name in wanted:
            found[wanted[name]] = int(rest[0]) * (KIB if rest[1:] == ["kB"] else 1)
    return found
