"""A full page cache, as any machine has that has been up for some days.

On a virtual machine whose host takes back what is free, the first touch of a page costs ten times
what writing to it does, and files that are just written touch nothing but new pages. Both sides pay
alike, so it hides what they differ in. Pages that held another file are there already: so the
memory that is free is filled with an empty file's before the first case, and the file stays until
the run is over. Who needs memory gets it, for these pages are clean.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path

LEFT_FREE_BYTES = 512 * 1024 * 1024
"""The kernel begins to take pages back by itself somewhat below it."""
STEP_BYTES = 8 * 1024 * 1024
LONGEST_S = 120.0


def free_bytes() -> int:
    lines = Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("MemFree:"))


def fill(path: Path, free: Callable[[], int] = free_bytes, longest_s: float = LONGEST_S) -> int:
    """Fill free memory with the pages of a new file at `path` that takes no disk; how many bytes.

    No more than what is free at the beginning: where memory is rationed, it never ends up in use.
    """
    size, buffer = free() - LEFT_FREE_BYTES, bytearray(STEP_BYTES)
    until_s = time.monotonic() + longest_s
    with path.open("w+b") as file:
        file.truncate(max(size, 0))
        position = 0
        while position < size and free() > LEFT_FREE_BYTES and time.monotonic() < until_s:
            position += os.preadv(file.fileno(), [buffer], position)
    return position
