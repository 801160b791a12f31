"""Bytes as they are: what records hold need not be text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TextIO

from moldau.programs.tools.command import World

__all__ = ["lines_typed", "write_bytes"]


def write_bytes(out: TextIO, data: bytes) -> None:
    """To where the stream leads, past its encoding."""
    raw = getattr(out, "buffer", None)
    if raw is None:
        out.write(data.decode(errors="backslashreplace"))
    else:
        out.flush()
        raw.write(data)


def lines_typed(world: World) -> Iterator[bytes]:
    """Lines of standard input, without their ends."""
    return (line.rstrip(b"\n").removesuffix(b"\r") for line in world.typed)
