"""Headers as a column: a list of key and value for each record."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from moldau.protocol.records.arrow.runs import Piece, Run
from moldau.protocol.records.arrow.schema import HEADER_TYPE, HEADERS_TYPE
from moldau.protocol.records.arrow.views import Octets, Parts, ViewColumn
from moldau.protocol.records.arrow.walk import HEADER_COUNT, ROW_WIDTH
from moldau.protocol.records.scan_headers import scan_headers

Integers = npt.NDArray[np.int64]

HEADER_ROW_WIDTH = 4
KEY_START, KEY_LENGTH, VALUE_START, VALUE_LENGTH = 0, 1, 2, 3
"""The columns of a header row, see `records.scan_headers.HeaderRow`."""


class HeadersColumn:
    """The column in the making, filled run by run; a record without headers has an empty list."""

    def __init__(self, count: int) -> None:
        self._memory = pa.allocate_buffer((count + 1) * np.int32().itemsize)
        self._offsets = np.frombuffer(self._memory, np.int32)
        self._offsets[0] = 0
        self._found: list[tuple[Piece, Integers]] = []

    def fill(self, run: Run) -> None:
        counts = run.rows[:, HEADER_COUNT]
        offsets = self._offsets[run.first : run.first + len(counts) + 1]
        np.cumsum(counts, out=offsets[1:], dtype=np.int32)
        offsets[1:] += offsets[0]
        if counts.any():
            self._found += [(piece, _scan(piece)) for piece in run.pieces]

    def finish(self, buffers: list[pa.Buffer], sources: list[Octets]) -> pa.Array:
        items = self._items(buffers, sources) if self._found else pa.nulls(0, HEADER_TYPE)
        lists = [None, self._memory]
        count = len(self._offsets) - 1
        return pa.Array.from_buffers(HEADERS_TYPE, count, lists, children=[items])

    def _items(self, buffers: list[pa.Buffer], sources: list[Octets]) -> pa.Array:
        counts = [len(rows) for _, rows in self._found]
        rows = np.concatenate([rows for _, rows in self._found])
        source = np.repeat([piece.block.source for piece, _ in self._found], counts)
        base = np.repeat([piece.block.base for piece, _ in self._found], counts)
        columns = []
        for start, length in ((KEY_START, KEY_LENGTH), (VALUE_START, VALUE_LENGTH)):
            column = ViewColumn(len(rows))
            column.fill(0, sources, Parts(source, rows[:, start] + base, rows[:, length]))
            columns.append(column.finish(buffers))
        keys, values = columns
        return pa.StructArray.from_arrays([_as_text(keys), values], fields=list(HEADER_TYPE))


def _scan(piece: Piece) -> Integers:
    rows = np.frombuffer(piece.rows, "<i8").reshape(-1, ROW_WIDTH)
    with_headers = rows[rows[:, HEADER_COUNT] > 0]
    found = scan_headers(piece.data, with_headers.tobytes()) if len(with_headers) else b""
    return np.frombuffer(found, "<i8").reshape(-1, HEADER_ROW_WIDTH)


def _as_text(keys: pa.Array) -> pa.Array:
    """Arrow needs UTF-8; what is none gets U+FFFD, as in the Java client."""
    try:
        return keys.cast(pa.string())
    except pa.ArrowInvalid:
        return pa.array([key.decode(errors="replace") for key in keys.to_pylist()], pa.string())
