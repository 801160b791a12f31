"""What the C library does with memory that is free again: it keeps some, and does not clear it.

A batch that is decompressed for a look, or copied for one, needs some hundred kilobytes for a
moment. glibc gives so large a piece back to the kernel at once, or leaves it, by thresholds that
move with what was freed before; each new page then costs a fault, and the kernel clears it: in
one regime a node that took in lz4 used a third more processor time than in the other. So the
thresholds are set, which also stops them from moving.
"""

from __future__ import annotations

import ctypes
from typing import Final

__all__ = ["keep_freed_memory"]

OWN_PIECE_BYTES: Final = 4 * 1024 * 1024
"""From here on a piece is mapped by itself, and gone when it is freed: more than the largest
request of Java's client by default, and than zstd works with at its default level (2.3 MiB)."""
KEPT_BYTES: Final = 8 * 1024 * 1024
"""What may stay free at the end of the heap."""
M_TRIM_THRESHOLD: Final = -1
M_MMAP_THRESHOLD: Final = -3
"""Of malloc.h."""


def keep_freed_memory() -> bool:
    """For the whole process; False where the C library has no such settings, as musl has not."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (AttributeError, OSError):
        return False
    return bool(
        mallopt(M_MMAP_THRESHOLD, OWN_PIECE_BYTES) and mallopt(M_TRIM_THRESHOLD, KEPT_BYTES)
    )
