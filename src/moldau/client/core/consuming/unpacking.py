"""Records of a block as Python's objects: the hot part of reading records one by one.

The scanner has found where the parts of every record lie (`records.scan`), and has checked them.
Here one loop copies them out, for the records whose offsets are wanted.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from librt.strings import read_i64_le

from moldau.client.core.consuming.record import NO_HEADERS, ConsumerRecord
from moldau.protocol.records.scan import ROW_SIZE
from moldau.protocol.records.scan_headers import headers_at

if TYPE_CHECKING:
    from mypy_extensions import i64

__all__ = ["Origin"]

SET_BY_PRODUCER: Final = 0


class Origin:
    """What the records of a batch share: where they are from, and which of them are wanted."""

    __slots__ = (
        "base_offset",
        "base_time",
        "end",
        "epoch",
        "first",
        "number",
        "time_type",
        "topic",
    )

    def __init__(
        self,
        topic: str,
        number: i64,
        base_offset: i64,
        base_time: i64,
        time_type: i64,
        epoch: i64,
        first: i64,
        end: i64,
    ) -> None:
        self.topic = topic
        self.number = number
        self.base_offset = base_offset
        self.base_time = base_time
        """That of the batch, where the broker has set the time."""
        self.time_type = time_type
        self.epoch = epoch
        self.first = first
        """Wanted are offset deltas from here up to, but without, `end`."""
        self.end = end

    # hot: measured by bench/clients; its objects are those that the reader gets.
    def unpack(self, block: bytes, rows: bytes, into: list[ConsumerRecord]) -> None:
        """Append the records that these rows of the scanner describe."""
        topic, number, base_time, epoch = self.topic, self.number, self.base_time, self.epoch
        base_offset, time_type, first, end = self.base_offset, self.time_type, self.first, self.end
        has_own_time = time_type == SET_BY_PRODUCER
        row: i64 = 0
        rows_end: i64 = len(rows)
        while row < rows_end:
            delta: i64 = read_i64_le(rows, row + 8)
            if first <= delta < end:
                start: i64 = read_i64_le(rows, row + 16)
                length: i64 = read_i64_le(rows, row + 24)
                key = None if length < 0 else block[start : start + length]
                start = read_i64_le(rows, row + 32)
                length = read_i64_le(rows, row + 40)
                value = None if length < 0 else block[start : start + length]
                start = read_i64_le(rows, row + 48)
                length = read_i64_le(rows, row + 56)
                into.append(
                    ConsumerRecord(
                        topic,
                        number,
                        base_offset + delta,
                        base_time + read_i64_le(rows, row) if has_own_time else base_time,
                        key,
                        value,
                        headers_at(block, start, length) if length else NO_HEADERS,
                        time_type,
                        epoch,
                    )
                )
            row += ROW_SIZE
