"""What this machine is called, and how much of it this process may have."""

from __future__ import annotations

import os
import shutil
import socket
import sys
import time
from contextlib import suppress
from pathlib import Path
from resource import RLIMIT_NOFILE, getrlimit, setrlimit

__all__ = [
    "cores",
    "host_name",
    "interpreter",
    "local_fields",
    "take_all_descriptors",
    "terminal_columns",
    "terminal_rows",
    "usable_cores",
    "utc_text",
]

CPU_QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""What a container may take: microseconds of a processor, in each period of microseconds."""


def host_name() -> str:
    """The name under which others may find it, as far as it is configured."""
    return socket.gethostname()


def local_fields(time_s: int) -> tuple[int, int, int, int, int, int]:
    """Year, month, day, hour, minute and second in the zone of this machine."""
    return time.localtime(time_s)[:6]


def utc_text(time_s: int) -> str:
    """As `2030-01-31T12:00:00`."""
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(time_s))


def take_all_descriptors() -> int:
    """As many open files and connections as the machine's owner allows; how many these are.

    Shells hand out few (often 1,024) for the sake of old programs; the hard limit is what counts.
    """
    allowed = getrlimit(RLIMIT_NOFILE)[1]
    with suppress(ValueError, OSError):  # some systems name a limit that they do not grant
        setrlimit(RLIMIT_NOFILE, (allowed, allowed))
    return getrlimit(RLIMIT_NOFILE)[0]


def cores() -> int:
    """How many processors this machine has."""
    return os.cpu_count() or 1


def usable_cores() -> float:
    """How many processors' time this process may take, by its affinity and a container's quota."""
    with suppress(OSError, ValueError):  # there is no quota, or it is "max"
        quota, period = CPU_QUOTA.read_text().split()
        return min(int(quota) / int(period), _own_cores())
    return _own_cores()


def _own_cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)  # Linux has it
    return len(affinity(0)) if affinity is not None else cores()


def terminal_columns() -> int:
    """How long a line may be on the terminal; 80 where it is not known."""
    return shutil.get_terminal_size().columns


def terminal_rows() -> int:
    """How many lines the terminal shows; 24 where it is not known."""
    return shutil.get_terminal_size().lines


def interpreter() -> str:
    """The path of this very Python."""
    return sys.executable
