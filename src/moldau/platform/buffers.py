"""The one name for "bytes that another object may own"."""

from __future__ import annotations

from typing import TypeAlias

Buffer: TypeAlias = bytes | bytearray | memoryview
"""Anything that the codecs read from and files write from, without a copy."""
