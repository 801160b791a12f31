"""The blocks of records in a buffer of batches, scanned.

A block is what a batch holds after its header. Plain ones lie in the given buffer; compressed
ones are unfolded, all of them behind one another into a second buffer. Whoever points at a
record's parts says which of the two, and where in it: so Arrow's views can refer to both.

Arrow counts positions in a buffer with 31 bits. Hence both are bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from moldau.buffers import Buffer
from moldau.errors import CorruptRecordError
from moldau.records.arrow.walk import ROW_WIDTH, scan_block
from moldau.records.batch import (
    HEADER_SIZE,
    BatchHeader,
    ensure_checksum,
    iterate_batches,
    read_whole_header,
)
from moldau.records.compression import Codec, decompress

GIVEN, UNFOLDED = 0, 1
"""The two sources: the caller's buffer, and what was compressed in it."""
SOURCE_BYTES_MAX = 0x7FFFFFFF

Integers = npt.NDArray[np.int64]
Choice = Callable[[BatchHeader], bool]


class Block(NamedTuple):
    """The records of one batch."""

    header: BatchHeader
    source: int
    base: int
    """Where in its source the block begins; its rows count from here."""
    rows: bytes
    data: bytes


class Blocks(NamedTuple):
    """All blocks of a buffer, and what they point into."""

    blocks: list[Block]
    sources: tuple[memoryview, memoryview]

    def rows(self) -> Integers:
        joined = b"".join([block.rows for block in self.blocks])
        return np.frombuffer(joined, "<i8").reshape(-1, ROW_WIDTH)

    def per_record(self, of_each_block: list[int]) -> Integers:
        """A number that each block has, repeated for each of its records."""
        counts = [block.header.record_count for block in self.blocks]
        return np.repeat(np.array(of_each_block, np.int64), counts)


def read_blocks(
    buffer: Buffer, keep: Choice | None, check_checksums: bool, output_bytes_max: int
) -> Blocks:
    """Every data batch that `keep` wants; control batches hold no data and are left out."""
    view = memoryview(buffer)
    if len(view) > SOURCE_BYTES_MAX:
        raise CorruptRecordError(
            f"{len(view)} bytes of batches at once: Arrow's views reach {SOURCE_BYTES_MAX}"
        )
    blocks: list[Block] = []
    unfolded: list[bytes] = []
    unfolded_size = batch_start = 0
    for batch in iterate_batches(view):
        header = read_whole_header(batch)
        block_start = batch_start + HEADER_SIZE
        batch_start += header.size
        if header.is_control or (keep is not None and not keep(header)):
            continue
        if check_checksums:
            ensure_checksum(batch, header)
        packed = batch[HEADER_SIZE:]
        if header.codec == Codec.NONE:
            blocks.append(_scan(header, GIVEN, block_start, bytes(packed)))
            continue
        left = min(output_bytes_max, SOURCE_BYTES_MAX) - unfolded_size
        data = decompress(header.codec, packed, output_bytes_max=left)
        blocks.append(_scan(header, UNFOLDED, unfolded_size, data))
        unfolded.append(data)
        unfolded_size += len(data)
    return Blocks(blocks, (view, memoryview(b"".join(unfolded))))


def _scan(header: BatchHeader, source: int, base: int, data: bytes) -> Block:
    return Block(header, source, base, scan_block(data, header.record_count), data)
