"""Columns of numbers in the making."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pyarrow as pa


class NumberColumn:
    """A column of integers or of times that are stored as integers, filled run by run.

    Its memory is Arrow's, for the reason that `ViewColumn` gives.
    """

    __slots__ = ("_kind", "_memory", "_numbers")

    def __init__(self, kind: pa.DataType, count: int) -> None:
        size = kind.bit_width // 8
        self._kind = kind
        self._memory = pa.allocate_buffer(count * size)
        self._numbers = np.frombuffer(self._memory, f"<i{size}")

    def fill(self, first: int, numbers: npt.NDArray[np.int64]) -> None:
        """The rows from `first` on."""
        self._numbers[first : first + len(numbers)] = numbers

    def finish(self) -> pa.Array:
        return pa.Array.from_buffers(self._kind, len(self._numbers), [None, self._memory])
