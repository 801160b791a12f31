"""Inside of a worker (`workers`): its bounds, and the messages of the process that started it.

The bound of memory is of what the process may write to (RLIMIT_DATA), and not of its addresses
(RLIMIT_AS): allocators set aside far more addresses than they use.
"""

from __future__ import annotations

import json
import os
import resource
import struct
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from threading import Lock, Thread
from typing import Any, Final

from moldau.platform.buffers import Buffer

__all__ = ["BODY_BYTES_MAX", "SIZES", "Caller", "bind_this_process", "encoded"]

SIZES: Final = struct.Struct(">II")
"""Of the JSON object and of the bytes behind it."""
BODY_BYTES_MAX: Final = 16 * 1024 * 1024
"""Of a message from a worker; the process that started it refuses more."""
NICENESS: Final = 10
FIRST_TO_END: Final = "1000"
"""What the kernel adds to the badness of a process when a machine is out of memory."""
MB: Final = 1024 * 1024
OUTPUT: Final = 1


def encoded(head: Mapping[str, Any], body: Buffer) -> bytes:
    """A message as it is sent, but for its body."""
    text = json.dumps(head).encode()
    return SIZES.pack(len(text), len(body)) + text


def bind_this_process(memory_mb: int, cpu_s: int) -> None:
    """Bounds that the kernel holds and that cannot be widened again; no file grows by a byte."""
    memory = memory_mb * MB
    for kind, most in (
        (resource.RLIMIT_DATA, memory),
        (resource.RLIMIT_CPU, cpu_s),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(kind, (most, most))
    os.nice(NICENESS)
    with suppress(OSError):  # where /proc cannot be written, the kernel chooses without it
        Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END)


class Caller:
    """The process that started this one: made first of all, with the arguments it gave."""

    def __init__(self) -> None:
        memory_mb, cpu_s = sys.argv[1:]
        bind_this_process(int(memory_mb), int(cpu_s))
        self._output = os.fdopen(os.dup(OUTPUT), "wb")
        os.dup2(sys.stderr.fileno(), OUTPUT)  # what a library prints is no message
        self._lock = Lock()

    def follow(self, take: Callable[[Mapping[str, Any], bytes], None]) -> None:
        """Call `take` in a thread with each message; at their end this process ends at once."""
        Thread(target=_follow, args=(take,), daemon=True).start()

    def send(self, head: Mapping[str, Any], body: bytes = b"") -> None:
        with self._lock:
            self._output.write(encoded(head, body))
            self._output.write(body)
            self._output.flush()

    def leave(self) -> None:
        """End this process, whose reading thread cannot be ended otherwise."""
        os._exit(0)


def _follow(take: Callable[[Mapping[str, Any], bytes], None]) -> None:
    try:
        read = sys.stdin.buffer.read
        while len(begun := read(SIZES.size)) == SIZES.size:
            head_bytes, body_bytes = SIZES.unpack(begun)
            head = json.loads(read(head_bytes))
            take(head, read(body_bytes))
    finally:
        os._exit(1)  # the caller has ended, or there is no memory for what it sends
