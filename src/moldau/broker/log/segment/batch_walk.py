"""Walking over the batches of a `.log` file, header by header.

Nothing is trusted: a header must be format v2, the batch must end within the file, and offsets
must ascend. What breaks a rule raises `UnsoundBatchError` with the position, and the walk has
yielded every batch before it. Checksums are not looked at here; recovery does that.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from typing import Final, Protocol, cast

from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import File
from moldau.protocol.records.batch import HEADER_SIZE, MAGIC, BatchHeader, read_header

Found = tuple[int, BatchHeader]
"""A batch's position and header."""
SALVAGE: Final = "moldau.broker.log.segment.salvage"
WINDOW_BYTES: Final = 8 * 1024
"""Read at once: dozens of small batches, and not much too much before a large one."""


class UnsoundBatchError(CorruptRecordError):
    """Bytes in a `.log` that are no sound batch."""

    def __init__(self, path: str, position: int, reason: str) -> None:
        super().__init__(f"{path}: at byte {position} {reason}")
        self.position = position
        self.reason = reason


def walk(file: File, position: int, end: int) -> Iterator[Found]:
    """Position and header of each batch from `position`, where one begins, up to `end`."""
    window, window_start = b"", position
    next_offset = 0
    while position < end:
        at = position - window_start
        if at + HEADER_SIZE > len(window):
            window = file.read_at(position, min(WINDOW_BYTES, end - position))
            window_start, at = position, 0
        header = _checked_header(file, window, at, position, end, next_offset)
        yield position, header
        next_offset = header.next_offset
        position += header.size


class Salvage(Protocol):
    """What goes on behind damage: the module `salvage`."""

    def walk_past_damage(self, file: File, position: int, end: int) -> Iterator[Found]: ...

    def locate_past_damage(
        self, file: File, damage: UnsoundBatchError, end: int, offset: int
    ) -> Found: ...


def salvage() -> Salvage:
    """Imported when damage is found."""
    return cast("Salvage", import_module(SALVAGE))


def _checked_header(
    file: File, window: bytes, at: int, position: int, end: int, next_offset: int
) -> BatchHeader:
    if len(window) - at < HEADER_SIZE:
        raise UnsoundBatchError(file.path, position, "the header of a batch is cut off")
    header = read_header(window, at)
    if reason := header_fault(header, end - position, next_offset):
        raise UnsoundBatchError(file.path, position, reason)
    return header


def header_fault(header: BatchHeader, room: int, next_offset: int) -> str | None:
    """What makes this header impossible where so much room is left and this offset is next."""
    if header.magic != MAGIC:
        return f"there is batch format {header.magic} where {MAGIC} was expected"
    if not HEADER_SIZE <= header.size <= room:
        return f"a batch claims {header.size} bytes where {room} are left"
    if header.base_offset < next_offset or header.last_offset_delta < 0:
        return f"a batch of offsets {header.base_offset} to {header.last_offset} goes back"
    return None
