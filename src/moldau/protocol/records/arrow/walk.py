"""Finds the parts of records, by the compiled scanner or, where there is none, with NumPy.

Records follow one another by their lengths, so their beginnings can only be found one by one.
That walk is one short Python loop; after it, each field is read for all records at once. When
anything looks wrong, the plain scanner reads it again and raises.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType

import numpy as np
import numpy.typing as npt

from moldau.errors import CorruptRecordError
from moldau.protocol.records.arrow.varints import (
    VARINT_SIZE_MAX,
    VARLONG_SIZE_MAX,
    Octets,
    read_varints,
)
from moldau.protocol.records.scan import RECORD_SIZE_MIN, read_varint, scan_in_steps, skip_headers

Integers = npt.NDArray[np.int64]

SCANNER_IS_COMPILED = not isinstance(read_varint, FunctionType)
PLAIN_RECORDS_MAX = 64
"""Up to here NumPy's start-up costs more than the plain scanner."""

ROW_WIDTH = 9
TIMESTAMP_DELTA, OFFSET_DELTA, KEY_START, KEY_LENGTH = 0, 1, 2, 3
VALUE_START, VALUE_LENGTH, HEADERS_START, HEADER_COUNT, END = 4, 5, 6, 7, 8
"""The columns of a row, see `records.scan.Row`."""


def scan_block(block: bytes, count: int) -> Iterator[bytes]:
    """The rows of the `count` records that fill `block`, as `scan_in_steps` makes them."""
    if not SCANNER_IS_COMPILED and PLAIN_RECORDS_MAX < count <= len(block) // RECORD_SIZE_MIN:
        rows = walk_block(block, count)
        if rows is not None:
            return iter((rows,))
    return scan_in_steps(block, count)


def walk_block(block: bytes, count: int) -> bytes | None:
    """The same rows, or None where the plain scanner should look."""
    try:
        starts, ends = _find_records(block, count)
        rows = _read_fields(np.frombuffer(block, np.uint8), starts, ends)
        found_ends = _skip_headers(block, rows)
    except (CorruptRecordError, IndexError):
        return None
    return rows.tobytes() if np.array_equal(found_ends, ends) else None


# hot: 0.17 µs per record (bench/arrow.py); the only work that must go from record to record.
def _find_records(block: bytes, count: int) -> tuple[Integers, Integers]:
    starts = []
    ends = []
    position = 0
    for _ in range(count):
        byte = block[position]
        position += 1
        if byte < 128:
            number = byte
        elif (second := block[position]) < 128:
            number = byte & 0x7F | second << 7
            position += 1
        else:
            length, position = read_varint(block, position - 1)
            number = length << 1 if length >= 0 else 1
        if number & 1:
            raise CorruptRecordError("record claims a negative length")
        starts.append(position)
        position += number >> 1
        ends.append(position)
    if position != len(block):
        raise CorruptRecordError("records do not end with their block")
    return np.array(starts, np.int64), np.array(ends, np.int64)


def _read_fields(data: Octets, starts: Integers, ends: Integers) -> Integers:
    rows = np.empty((len(starts), ROW_WIDTH), "<i8")
    rows[:, END] = ends
    rows[:, TIMESTAMP_DELTA], position = read_varints(data, starts + 1, VARLONG_SIZE_MAX)
    rows[:, OFFSET_DELTA], position = read_varints(data, position, VARINT_SIZE_MAX)
    for start, length in ((KEY_START, KEY_LENGTH), (VALUE_START, VALUE_LENGTH)):
        lengths, position = read_varints(data, position, VARINT_SIZE_MAX)
        rows[:, start] = position
        rows[:, length] = np.maximum(lengths, -1)
        position += np.maximum(lengths, 0)
    rows[:, HEADER_COUNT], position = read_varints(data, position, VARINT_SIZE_MAX)
    rows[:, HEADERS_START] = position
    return rows


def _skip_headers(block: bytes, rows: Integers) -> Integers:
    """Where each record's headers end."""
    ends = rows[:, HEADERS_START].copy()
    for index in np.flatnonzero(rows[:, HEADER_COUNT]).tolist():
        start, count, end = rows[index, HEADERS_START:].tolist()
        ends[index] = skip_headers(block, start, count, end)
    return ends
