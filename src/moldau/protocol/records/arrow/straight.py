"""Plain batches into columns in one pass, where that pass is compiled; NumPy only finishes them.

`records.scan_views` writes Arrow's layout, some thousand records at a time, and that is copied
into Arrow's memory while the cache still has it. One record that is not plain (it has headers, or
is unsound), and all batches go the other way, `runs`, which takes everything.
"""

from __future__ import annotations

from types import FunctionType

import numpy as np
import pyarrow as pa

from moldau.protocol.records.arrow.blocks import Block, Blocks
from moldau.protocol.records.arrow.runs import RUN_RECORDS
from moldau.protocol.records.arrow.schema import HEADER_TYPE, HEADERS_TYPE, SCHEMA
from moldau.protocol.records.arrow.views import null_bitmap
from moldau.protocol.records.batch import LOG_APPEND_TIME_BIT
from moldau.protocol.records.scan_views import (
    NOT_PLAIN,
    NULL_KEY,
    NULL_VALUE,
    PLAIN_MAX,
    Place,
    PlainColumns,
    scan_plain,
)

SCANNER_IS_COMPILED = not isinstance(scan_plain, FunctionType)


def read_straight(blocks: Blocks) -> list[pa.Array] | None:
    """The columns of `SCHEMA`; None where a record is not plain."""
    columns = _Columns(blocks)
    for block in blocks.blocks:
        if not columns.fill(block):
            return None
    return columns.finish()


class _Memory:
    """A column's memory; Arrow's, for the reason that `ViewColumn` gives."""

    __slots__ = ("_filled", "_room", "buffer")

    def __init__(self, size: int) -> None:
        self.buffer = pa.allocate_buffer(size)
        self._room = memoryview(self.buffer).cast("B")
        self._filled = 0

    def append(self, octets: bytes) -> None:
        end = self._filled + len(octets)
        self._room[self._filled : end] = octets
        self._filled = end


class _Columns:
    """All columns in the making."""

    def __init__(self, blocks: Blocks) -> None:
        count = blocks.record_count
        self._blocks = blocks
        self._count = count
        self._keys, self._values = _Memory(count * 16), _Memory(count * 16)
        self._offsets, self._timestamps = _Memory(count * 8), _Memory(count * 8)
        self._nulls = _Memory(count)
        self._part = PlainColumns()
        self._part_count = 0

    def fill(self, block: Block) -> bool:
        """The records of the next block; whether all of them are plain."""
        header = block.header
        place, start = _place(block, self._blocks.sources[block.source])
        if not _is_near(place.base_offset) or not _is_near(place.base_timestamp):
            return False
        left = header.record_count
        while left:
            count = min(left, RUN_RECORDS)
            start = scan_plain(self._part, place, count, start, not _is_append_time(block))
            if start == NOT_PLAIN:
                return False
            left -= count
            self._count_part(count)
        return start == place.end

    def finish(self) -> list[pa.Array]:
        self._keep_part()
        nulls = np.frombuffer(self._nulls.buffer, np.uint8)
        return [
            self._views(self._keys, nulls & NULL_KEY),
            self._views(self._values, nulls & NULL_VALUE),
            self._no_headers(),
            self._numbers("offset", self._offsets.buffer),
            self._numbers("timestamp", self._timestamps.buffer),
            self._numbers("timestamp_type", self._timestamp_types()),
        ]

    def _count_part(self, count: int) -> None:
        self._part_count += count
        if self._part_count >= RUN_RECORDS:
            self._keep_part()

    def _keep_part(self) -> None:
        part, self._part, self._part_count = self._part, PlainColumns(), 0
        self._keys.append(part.keys.getvalue())
        self._values.append(part.values.getvalue())
        self._nulls.append(part.nulls.getvalue())
        self._offsets.append(part.offsets.getvalue())
        self._timestamps.append(part.timestamps.getvalue())

    def _views(self, memory: _Memory, is_null: np.ndarray) -> pa.Array:
        sources = [pa.py_buffer(source) for source in self._blocks.sources]
        parts = [null_bitmap(is_null != 0), memory.buffer, *sources]
        return pa.Array.from_buffers(pa.binary_view(), self._count, parts)

    def _no_headers(self) -> pa.Array:
        offsets = pa.py_buffer(np.zeros(self._count + 1, np.int32))
        items = [pa.nulls(0, HEADER_TYPE)]
        return pa.Array.from_buffers(HEADERS_TYPE, self._count, [None, offsets], children=items)

    def _numbers(self, name: str, buffer: pa.Buffer) -> pa.Array:
        return pa.Array.from_buffers(SCHEMA.field(name).type, self._count, [None, buffer])

    def _timestamp_types(self) -> pa.Buffer:
        counts = [block.header.record_count for block in self._blocks.blocks]
        types = np.array([_is_append_time(block) for block in self._blocks.blocks], np.int32)
        return pa.py_buffer(np.repeat(types, counts))


def _place(block: Block, source: memoryview) -> tuple[Place, int]:
    """Where the block is, and where its records begin; bytes are read where they lie."""
    header, data = block.header, source.obj
    time = header.max_timestamp if _is_append_time(block) else header.base_timestamp
    if isinstance(data, bytes) and len(data) == len(source):
        end = block.base + len(block.data)
        return Place(data, end, block.source, 0, header.base_offset, time), block.base
    data = bytes(block.data)
    return Place(data, len(data), block.source, block.base, header.base_offset, time), 0


def _is_append_time(block: Block) -> bool:
    return bool(block.header.attributes & LOG_APPEND_TIME_BIT)


def _is_near(base: int) -> bool:
    return -PLAIN_MAX < base < PLAIN_MAX
