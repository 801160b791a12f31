"""Processor time and memory of a process and all of its children, from /proc.

Processor time is user and system time in clock ticks (10 ms on Linux), children that were waited
for included, so a measured part should take some tenths of a second of it. Memory is the
proportional set size: pages shared with others count by their share, and what a heap has reserved
but never touched does not count.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
TICKS_PER_S = os.sysconf("SC_CLK_TCK")
FIELDS_OF_TIME = slice(11, 15)
"""utime, stime, cutime, cstime, counted from after the command's name."""


@dataclass(slots=True)
class Spent:
    """What a measured part took; filled in at its end."""

    cpu_s: float = 0.0
    seconds: float = 0.0


def cpu_s(process_id: int) -> float:
    """Of the whole tree, since its processes began."""
    return sum(_ticks(one) for one in tree(process_id)) / TICKS_PER_S


def memory_mb(process_id: int) -> float:
    """Proportional set size of the whole tree."""
    return sum(_pss_kb(one) for one in tree(process_id)) / 1000 * 1.024


def tree(process_id: int) -> Iterator[int]:
    """The process and all below it, but for those that end meanwhile."""
    yield process_id
    try:
        lists = list(PROC.glob(f"{process_id}/task/*/children"))
    except FileNotFoundError:
        return  # it has just gone
    for children in lists:
        for child in _text(children).split():
            yield from tree(int(child))


def _ticks(process_id: int) -> int:
    fields = _text(PROC / str(process_id) / "stat").rpartition(")")[2].split()
    return sum(map(int, fields[FIELDS_OF_TIME]))


def _pss_kb(process_id: int) -> int:
    lines = _text(PROC / str(process_id) / "smaps_rollup").splitlines()
    return next((int(line.split()[1]) for line in lines if line.startswith("Pss:")), 0)


def _text(path: Path) -> str:
    """Nothing for a process that has just gone."""
    try:
        return path.read_text()
    except (FileNotFoundError, ProcessLookupError):
        return ""
