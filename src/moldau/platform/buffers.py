"""The one name for "bytes that another object may own", and whether any does."""

from __future__ import annotations

from typing import TypeAlias

Buffer: TypeAlias = bytes | bytearray | memoryview
"""Anything that the codecs read from and files write from, without a copy."""


def is_free(memory: bytearray) -> bool:
    """Whether no view of it is held: Python does not change the size of what is viewed."""
    try:
        memory.append(memory.pop())
    except BufferError:
        return False
    return True
