"""What a program measures of itself: processor time for each record, and waiting times."""

from __future__ import annotations

import time
from pathlib import Path
from typing import NamedTuple

__all__ = ["Load", "Meter"]

WARM_RECORDS = 5_000
WARM_SENDS = 100
KIB_PER_MIB = 1024


class Load(NamedTuple):
    """What a client is to do, and where."""

    server: str
    topic: str
    records: int
    size: int
    """Of a value, in bytes; records have no keys."""

    @property
    def value(self) -> bytes:
        return b"v" * self.size


class Meter:
    """Counts from `start` to `stop`: what came before warms the client up."""

    def __init__(self) -> None:
        self.found: dict[str, float] = {}
        self.sends_ns: list[int] = []
        self._cpu_ns = self._wall_ns = 0

    def start(self) -> None:
        self._cpu_ns, self._wall_ns = time.process_time_ns(), time.perf_counter_ns()

    def stop(self, records: int) -> None:
        self.found["cpu_ns"] = (time.process_time_ns() - self._cpu_ns) / records
        self.found["wall_ns"] = (time.perf_counter_ns() - self._wall_ns) / records
        self.found["peak_mib"] = peak_mib()
        if self.sends_ns:
            self.sends_ns.sort()
            for name, part in (("p50_us", 0.5), ("p99_us", 0.99)):
                self.found[name] = self.sends_ns[int(len(self.sends_ns) * part)] / 1000


def peak_mib() -> float:
    """The most memory that this program has had at once; not what its parent had."""
    (line,) = (
        line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line
    )
    return int(line.split()[1]) / KIB_PER_MIB
