"""Packs the columns of many records at once: no loop over records, compiled or not.

NumPy makes the few bytes before each key (the record's length, attributes, deltas and the key's
length) and before each value. One Arrow kernel joins them with the payload, row by row; it puts
row behind row, so that its result is the finished block. Where `records.pack` is compiled and there
are no headers, its one loop over records does the same in less time.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from moldau.protocol.records.arrow.columns import NO_HEADERS, Columns, join
from moldau.protocol.records.arrow.varints import (
    Integers,
    binary_array,
    fill_varints,
    varint_array,
    varint_sizes,
    zigzag,
    zigzag_sizes,
)
from moldau.protocol.records.pack import Part, pack_columns

PACKER_IS_COMPILED = not isinstance(pack_columns, FunctionType)

ATTRIBUTES_SIZE = 1


Bounds = list[tuple[int, int]]
"""For each batch, its first record and the one after its last."""


class Packed(NamedTuple):
    """Records behind one another, and where each begins and the last ends."""

    data: memoryview
    offsets: Integers


def pack_blocks(columns: Columns, bounds: Bounds) -> Iterator[bytes]:
    """The blocks of batches that follow one another, by the faster way."""
    if PACKER_IS_COMPILED and columns.headers is NO_HEADERS:
        for start, end in bounds:
            yield pack_straight(columns.part(start, end))
        return
    first, last = bounds[0][0], bounds[-1][1]
    packed = pack(columns.part(first, last), [start - first for start, _ in bounds])
    for start, end in bounds:
        yield bytes(packed.data[packed.offsets[start - first] : packed.offsets[end - first]])


def pack_straight(columns: Columns) -> bytes:
    """The block of one batch of records without headers, in one loop over them."""
    return pack_columns(
        columns.timestamps.tobytes(),
        _part(columns.keys, columns.key_lengths),
        _part(columns.values, columns.value_lengths),
    )


def _part(payload: pa.Array, lengths: Integers) -> Part:
    _, offsets_buffer, data = payload.buffers()
    offsets = np.frombuffer(offsets_buffer, np.int64)[payload.offset :][: len(payload) + 1]
    start, end = int(offsets[0]), int(offsets[-1])
    octets = data[start:end].to_pybytes() if end > start else b""
    return Part(octets, start, offsets.tobytes(), lengths.tobytes())


def payload_sizes(columns: Columns) -> Integers:
    """What a record takes beside its length and deltas: attributes, key, value, headers."""
    sizes = columns.headers_sizes + ATTRIBUTES_SIZE
    for lengths in (columns.key_lengths, columns.value_lengths):
        sizes += varint_sizes(lengths) + np.maximum(lengths, 0)
    return sizes


# hot: 0.15 µs per record, a third of it in the join (bench/arrow.py).
def pack(columns: Columns, starts: list[int]) -> Packed:
    """All records; those at `starts` are the first of their batches."""
    count = len(columns)
    batch_start = np.repeat(starts, np.diff([*starts, count]))
    numbers = [
        zigzag(columns.timestamps - columns.timestamps[batch_start]),
        zigzag(np.arange(count) - batch_start),
        zigzag(columns.key_lengths),
    ]
    sizes = [zigzag_sizes(number) for number in numbers]
    bodies = zigzag(payload_sizes(columns) + sizes[0] + sizes[1])
    body_sizes = zigzag_sizes(bodies)
    ends = np.cumsum(body_sizes + ATTRIBUTES_SIZE + sizes[0] + sizes[1] + sizes[2])
    before_key = np.zeros(int(ends[-1]), np.uint8)
    position = np.concatenate(([0], ends[:-1]))
    fill_varints(before_key, position, bodies)
    position += body_sizes + ATTRIBUTES_SIZE
    for number, size in zip(numbers, sizes, strict=True):
        fill_varints(before_key, position, number)
        position += size
    joined = join(
        binary_array(ends, before_key),
        columns.keys,
        varint_array(columns.value_lengths),
        columns.values,
        columns.headers,
    )
    _, offsets, data = joined.buffers()
    return Packed(memoryview(data), np.frombuffer(offsets, np.int64))
