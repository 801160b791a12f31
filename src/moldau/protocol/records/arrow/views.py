"""Arrow's `binary_view` arrays on bytes that lie elsewhere, their payload never copied.

A view is 16 bytes (Arrow columnar format, variable-size binary view layout):

    up to 12 bytes    int32 length, the bytes themselves, zeros
    longer            int32 length, the first 4 bytes, int32 buffer, int32 position in it

So short keys are complete in the view, and comparing long ones mostly ends at their beginnings.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Integers = npt.NDArray[np.int64]
Octets = npt.NDArray[np.uint8]
Words = npt.NDArray[np.uint32]
Pieces = npt.NDArray[np.void]
Mask = npt.NDArray[np.bool_]

VIEW_SIZE = 16
WORDS_PER_VIEW = 4
INLINE_SIZE = 12
PREFIX_SIZE = 4


class Parts(NamedTuple):
    """Where keys or values lie: in which source, from which position, and how many bytes."""

    sources: Integers
    starts: Integers
    lengths: Integers
    """-1 is null."""


_KEPT_OCTETS = np.zeros((INLINE_SIZE + 1, INLINE_SIZE), np.uint8)
for _length in range(INLINE_SIZE + 1):
    _KEPT_OCTETS[_length, :_length] = 0xFF
_KEPT_WORDS = _KEPT_OCTETS.view("<u4")
"""For each length, which bits of twelve bytes belong to it."""


class ViewColumn:
    """A column of views in the making, filled run by run.

    Its memory is Arrow's: that pool keeps what is given back, where NumPy's would be taken from
    the system anew, and zeroed page by page, for every column.
    """

    __slots__ = ("_is_null", "_memory", "_views")

    def __init__(self, count: int) -> None:
        self._memory = pa.allocate_buffer(count * VIEW_SIZE)
        self._views = np.frombuffer(self._memory, "<u4").reshape(-1, WORDS_PER_VIEW)
        self._is_null = np.zeros(count, np.bool_)

    # hot: 24 ns per record for short and 16 ns for long parts (bench/arrow.py).
    def fill(self, first: int, sources: list[Octets], parts: Parts) -> None:
        """The rows from `first` on; a part's source is an index in `sources`."""
        views = self._views[first : first + len(parts.lengths)]
        lengths = np.maximum(parts.lengths, 0)
        views[:, 0] = lengths
        views[:, 1:] = 0
        np.less(parts.lengths, 0, out=self._is_null[first : first + len(lengths)])
        is_long = lengths > INLINE_SIZE
        for source, octets in enumerate(sources):
            is_here = parts.sources == source
            if is_here.any():
                _fill_long(views, octets, source, parts.starts, is_here & is_long)
                _fill_short(views, octets, parts, is_here & ~is_long & (lengths > 0))

    def finish(self, buffers: list[pa.Buffer]) -> pa.Array:
        """The column; `buffers` are the sources, in their order."""
        parts = [null_bitmap(self._is_null), self._memory, *buffers]
        return pa.Array.from_buffers(pa.binary_view(), len(self._is_null), parts)


def null_bitmap(is_null: Mask) -> pa.Buffer | None:
    """Arrow's validity bits, one where there is a value; None where nothing is null."""
    if not is_null.any():
        return None
    return pa.py_buffer(np.packbits(~is_null, bitorder="little"))


def _fill_long(views: Words, octets: Octets, source: int, starts: Integers, chosen: Mask) -> None:
    rows = _rows(chosen)
    if rows is None:
        return
    at = starts[rows]
    views[rows, 1] = _pieces(octets, PREFIX_SIZE)[at].view("<u4")
    views[rows, 2] = source
    views[rows, 3] = at


def _fill_short(views: Words, octets: Octets, parts: Parts, chosen: Mask) -> None:
    has_room = parts.starts <= len(octets) - INLINE_SIZE
    rows = _rows(chosen & has_room)
    if rows is not None:
        pieces = _pieces(octets, INLINE_SIZE)[parts.starts[rows]].view("<u4").reshape(-1, 3)
        views[rows, 1:] = pieces & _KEPT_WORDS[parts.lengths[rows]]
    if has_room.all():
        return
    inline = views.view(np.uint8)
    for row in np.flatnonzero(chosen & ~has_room).tolist():  # at the very end of the buffer
        start, length = int(parts.starts[row]), int(parts.lengths[row])
        inline[row, PREFIX_SIZE : PREFIX_SIZE + length] = octets[start : start + length]


def _rows(chosen: Mask) -> slice | Integers | None:
    """Which rows to fill; all of them is the most frequent case, and the cheapest."""
    if chosen.all():
        return slice(None)
    return np.flatnonzero(chosen) if chosen.any() else None


def _pieces(octets: Octets, size: int) -> Pieces:
    """What begins at each position: overlapping pieces of `size` bytes, none of them copied."""
    return np.ndarray((len(octets) - size + 1,), f"V{size}", octets, strides=(1,))
