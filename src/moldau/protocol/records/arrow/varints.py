"""Zig-zag varints, read and written for many records at once.

Nearly all varints in records have one byte, the rest nearly always two: each further byte is one
more round for those few records that have it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from moldau.errors import CorruptRecordError

Integers = npt.NDArray[np.int64]
Unsigned = npt.NDArray[np.uint64]
Octets = npt.NDArray[np.uint8]

VARINT_SIZE_MAX = 5
VARLONG_SIZE_MAX = 10
_BITS_PER_BYTE = np.uint64(7)
_LOW_BITS = np.uint64(0x7F)
_MORE_BIT = np.uint64(0x80)
_VARINT_MASK = np.uint64(0xFFFFFFFF)


def read_varints(data: Octets, positions: Integers, size_max: int) -> tuple[Integers, Integers]:
    """The numbers at `positions`, and where they end; positions beyond the data read its end."""
    first = data.take(positions, mode="clip").astype(np.uint64)
    if np.max(first, initial=0) < _MORE_BIT:
        return _from_zigzag(first), positions + 1
    value = first & _LOW_BITS
    ends = positions + 1
    more = np.flatnonzero(first >= _MORE_BIT)
    shift = np.uint64(0)
    for _ in range(1, size_max):
        shift += _BITS_PER_BYTE
        byte = data.take(ends[more], mode="clip").astype(np.uint64)
        value[more] |= (byte & _LOW_BITS) << shift
        ends[more] += 1
        more = more[byte >= _MORE_BIT]
        if not more.size:
            return _from_zigzag(value & _VARINT_MASK if size_max <= 5 else value), ends
    raise CorruptRecordError(f"varint longer than {size_max} bytes")


def zigzag(numbers: Integers) -> Unsigned:
    """Small magnitudes to small unsigned numbers: 0, -1, 1, -2 to 0, 1, 2, 3."""
    return ((numbers << 1) ^ (numbers >> 63)).view(np.uint64)


def varint_sizes(numbers: Integers) -> Integers:
    """How many bytes each number takes."""
    return zigzag_sizes(zigzag(numbers))


def zigzag_sizes(rest: Unsigned) -> Integers:
    """As `varint_sizes`, of numbers that are zig-zag already."""
    largest = int(np.max(rest, initial=0))
    sizes = np.ones(len(rest), np.int64)
    bound = 0x80
    while bound <= largest:
        sizes += rest >= np.uint64(bound)
        bound <<= 7
    return sizes


def fill_varints(out: Octets, positions: Integers, rest: Unsigned) -> None:
    """Write each zig-zag number at its position; `zigzag_sizes` is how much room it must have."""
    at = positions
    while True:
        more = rest >= _MORE_BIT
        if not more.any():
            out[at] = rest
            return
        out[at] = (rest & _LOW_BITS) | (more * _MORE_BIT)
        rest = rest[more] >> _BITS_PER_BYTE
        at = at[more] + 1


def _from_zigzag(value: Unsigned) -> Integers:
    magnitude = (value >> np.uint64(1)).view(np.int64)
    return magnitude ^ -(value & np.uint64(1)).view(np.int64)


def varint_array(numbers: Integers) -> pa.Array:
    """An Arrow array with each number as a varint."""
    rest = zigzag(numbers)
    sizes = zigzag_sizes(rest)
    ends = np.cumsum(sizes)
    data = np.empty(int(ends[-1]) if len(ends) else 0, np.uint8)
    fill_varints(data, ends - sizes, rest)
    return binary_array(ends, data)


def binary_array(ends: Integers, data: Octets) -> pa.Array:
    """An Arrow array whose values lie behind one another in `data`."""
    offsets = np.zeros(len(ends) + 1, np.int64)
    offsets[1:] = ends
    buffers = [None, pa.py_buffer(offsets), pa.py_buffer(data)]
    return pa.Array.from_buffers(pa.large_binary(), len(ends), buffers)
