"""Lines of standard input on a loop, for a program that is started by another one."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable

__all__ = ["on_input_line"]

INPUT_BYTES = 4096
"""In one read."""


def on_input_line(take: Callable[[str], None]) -> None:
    """Call `take` on this loop with each line of standard input, which is a pipe, until its end."""
    loop, descriptor, begun = asyncio.get_running_loop(), sys.stdin.fileno(), bytearray()

    def readable() -> None:
        read = os.read(descriptor, INPUT_BYTES)
        if not read:
            loop.remove_reader(descriptor)
        begun.extend(read)
        *lines, rest = begun.split(b"\n")
        begun[:] = rest
        for line in lines:
            take(line.decode())

    loop.add_reader(descriptor, readable)
