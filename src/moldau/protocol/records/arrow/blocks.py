"""The blocks of records in a buffer of batches.

A block is what a batch holds after its header. Plain ones lie in the given buffer; compressed
ones are unfolded, all of them behind one another into a second buffer. What points at a
record's parts has which of the two, and where in it: so Arrow's views can refer to both.

Arrow counts positions in a buffer with 31 bits. Hence both are bounded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from moldau.errors import CorruptRecordError
from moldau.platform.buffers import Buffer
from moldau.protocol.records.batch import (
    HEADER_SIZE,
    BatchHeader,
    ensure_checksum,
    iterate_batches,
    read_whole_header,
)
from moldau.protocol.records.compression import Codec, decompress
from moldau.protocol.records.scan import RECORD_SIZE_MIN

GIVEN, UNFOLDED = 0, 1
"""The two sources: the caller's buffer, and what was compressed in it."""
SOURCE_BYTES_MAX = 0x7FFFFFFF

Choice = Callable[[BatchHeader], bool]


class Block(NamedTuple):
    """The records of one batch."""

    header: BatchHeader
    source: int
    base: int
    """Where in its source the block begins."""
    data: Buffer


class Blocks(NamedTuple):
    """All blocks of a buffer, and what they lie in."""

    blocks: list[Block]
    sources: tuple[memoryview, memoryview]

    @property
    def record_count(self) -> int:
        return sum(block.header.record_count for block in self.blocks)


def read_blocks(
    buffer: Buffer, keep: Choice | None, check_checksums: bool, output_bytes_max: int
) -> Blocks:
    """Every data batch that `keep` accepts; control batches hold no data and are left out."""
    view = memoryview(buffer)
    if len(view) > SOURCE_BYTES_MAX:
        raise CorruptRecordError(
            f"{len(view)} bytes of batches at once: Arrow's views reach {SOURCE_BYTES_MAX}"
        )
    blocks: list[Block] = []
    unfolded: list[bytes] = []
    left = min(output_bytes_max, SOURCE_BYTES_MAX)
    batch_start = unfolded_size = 0
    for batch in iterate_batches(view):
        header = read_whole_header(batch)
        block_start = batch_start + HEADER_SIZE
        batch_start += header.size
        if header.is_control or (keep is not None and not keep(header)):
            continue
        if check_checksums:
            ensure_checksum(batch, header)
        block = Block(header, GIVEN, block_start, batch[HEADER_SIZE:])
        if header.codec != Codec.NONE:
            data = decompress(header.codec, block.data, output_bytes_max=left - unfolded_size)
            block = Block(header, UNFOLDED, unfolded_size, data)
            unfolded.append(data)
            unfolded_size += len(data)
        blocks.append(_with_room(block))
    return Blocks(blocks, (view, memoryview(b"".join(unfolded))))


def _with_room(block: Block) -> Block:
    """The block, if its records can be as many as its header declares: room is made for them."""
    count, size = block.header.record_count, len(block.data)
    if not 0 <= count <= size // RECORD_SIZE_MIN:
        raise CorruptRecordError(f"batch claims {count} records where only {size} bytes are left")
    return block
