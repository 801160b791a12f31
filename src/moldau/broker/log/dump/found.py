"""What lies in a `.log`: batches of format 2, and messages of formats 0 and 1, as they are.

Kafka 4 still reads logs that older versions wrote, and a log may hold all formats one after
another. Only what cannot be read at all, a length or a format that makes no sense, is an
error; a checksum that fails is reported.
"""

from __future__ import annotations

from collections.abc import Iterator

from moldau.errors import CorruptRecordError
from moldau.platform.ports.files import File
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    LENGTH_END,
    MAGIC,
    BatchHeader,
    checksum_of,
    read_header,
)
from moldau.protocol.records.legacy import MAGIC_MAX, SIZE_MIN, Message, iterate_messages, opened
from moldau.protocol.records.record import iterate_records

_MAGIC_END = 17
"""A shorter header cannot be read."""


@dataclass(frozen=True, slots=True)
class FoundBatch:
    """A batch and where it begins."""

    position: int
    header: BatchHeader
    contents: bytes

    @property
    def size(self) -> int:
        return self.header.size

    @property
    def last_offset(self) -> int:
        return self.header.last_offset

    @property
    def is_valid(self) -> bool:
        return checksum_of(self.contents, self.header) == self.header.crc

    def timestamps(self) -> Iterator[int]:
        if self.header.is_encrypted:
            return iter((self.header.max_timestamp,))  # which stands in the clear
        return (record.timestamp for record in iterate_records(self.contents))


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """A message, which may be a wrapper, and where it begins."""

    position: int
    message: Message

    @property
    def size(self) -> int:
        return self.message.size

    @property
    def last_offset(self) -> int:
        return self.message.offset

    def timestamps(self) -> Iterator[int]:
        return (message.timestamp for message in opened(self.message))


Found = FoundBatch | FoundMessage


def batches_in(file: File, position: int, end: int) -> Iterator[Found]:
    """What lies from `position` on, as far as it is whole."""
    while position + _MAGIC_END <= end:
        prefix = file.read_at(position, HEADER_SIZE)
        length = int.from_bytes(prefix[8:LENGTH_END], "big", signed=True)
        if length < SIZE_MIN:
            raise CorruptRecordError(f"{file.path}: at byte {position} a batch of {length} bytes")
        if position + LENGTH_END + length > end:
            return
        magic = prefix[_MAGIC_END - 1]
        if magic > MAGIC or (magic == MAGIC and length < HEADER_SIZE - LENGTH_END):
            raise CorruptRecordError(
                f"{file.path}: at byte {position} a batch of {length} bytes has format {magic}, "
                f"which is none"
            )
        contents = file.read_at(position, LENGTH_END + length)
        yield _found(position, magic, contents)
        position += LENGTH_END + length


def _found(position: int, magic: int, contents: bytes) -> Found:
    if magic <= MAGIC_MAX:
        return FoundMessage(position, next(iterate_messages(contents)))
    return FoundBatch(position, read_header(contents), contents)
