"""Headers as a column: a list of key and value for each record."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from moldau.records.arrow.blocks import Blocks
from moldau.records.arrow.schema import HEADER_TYPE, HEADERS_TYPE
from moldau.records.arrow.views import Parts, view_array
from moldau.records.arrow.walk import HEADER_COUNT, ROW_WIDTH
from moldau.records.scan_headers import scan_headers

Integers = npt.NDArray[np.int64]

HEADER_ROW_WIDTH = 4
KEY_START, KEY_LENGTH, VALUE_START, VALUE_LENGTH = 0, 1, 2, 3
"""The columns of a header row, see `records.scan_headers.HeaderRow`."""


def headers_column(blocks: Blocks, rows: Integers, buffers: list[pa.Buffer]) -> pa.Array:
    """The headers of the records that `rows` describe; without any, an empty list."""
    offsets = np.zeros(len(rows) + 1, np.int32)
    np.cumsum(rows[:, HEADER_COUNT], out=offsets[1:])
    items = _items(blocks, buffers) if offsets[-1] else pa.array([], HEADER_TYPE)
    lists = [None, pa.py_buffer(offsets)]
    return pa.Array.from_buffers(HEADERS_TYPE, len(rows), lists, children=[items])


def _items(blocks: Blocks, buffers: list[pa.Buffer]) -> pa.Array:
    found = [_scan(block.data, block.rows) for block in blocks.blocks]
    counts = [len(header_rows) for header_rows in found]
    header_rows = np.concatenate(found)
    sources = np.repeat([block.source for block in blocks.blocks], counts)
    bases = np.repeat([block.base for block in blocks.blocks], counts)
    key_starts = header_rows[:, KEY_START] + bases
    value_starts = header_rows[:, VALUE_START] + bases
    keys = view_array(buffers, Parts(sources, key_starts, header_rows[:, KEY_LENGTH]))
    values = view_array(buffers, Parts(sources, value_starts, header_rows[:, VALUE_LENGTH]))
    return pa.StructArray.from_arrays([_as_text(keys), values], fields=list(HEADER_TYPE))


def _scan(data: bytes, rows: bytes) -> Integers:
    table = np.frombuffer(rows, "<i8").reshape(-1, ROW_WIDTH)
    with_headers = table[table[:, HEADER_COUNT] > 0]
    header_rows = scan_headers(data, with_headers.tobytes()) if len(with_headers) else b""
    return np.frombuffer(header_rows, "<i8").reshape(-1, HEADER_ROW_WIDTH)


def _as_text(keys: pa.Array) -> pa.Array:
    """Arrow wants UTF-8; what is none gets U+FFFD, as in the Java client."""
    try:
        return keys.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([key.decode(errors="replace") for key in keys.to_pylist()], pa.string())
