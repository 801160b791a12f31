"""What another program writes, read so that it can go on writing, and dropped but for the start."""

from __future__ import annotations

import os
import threading

__all__ = ["Drain"]

KEPT_BYTES = 64 * 1024
"""Enough for why a program did not start; what it writes in a month has no place here."""
READ_BYTES = 16 * 1024
END_S = 5
"""How long the end of what is written is waited for."""


class Drain:
    """A pipe to give to a program, and a thread at its other end."""

    def __init__(self) -> None:
        read_end, self._write_end = os.pipe()
        self._kept = bytearray()
        self._thread = threading.Thread(target=self._read, args=(read_end,), daemon=True)
        self._thread.start()

    def fileno(self) -> int:
        """The environment for a program that is started with it."""
        return self._write_end

    def close(self) -> None:
        """Give up our copy of the writing end, once the program has its own."""
        os.close(self._write_end)

    def start_of_all(self) -> str:
        """What came first, when all writers have ended or closed it, or soon."""
        self._thread.join(END_S)
        return self._kept.decode(errors="replace")

    def _read(self, read_end: int) -> None:
        while piece := os.read(read_end, READ_BYTES):
            self._kept += piece[: KEPT_BYTES - len(self._kept)]
        os.close(read_end)
