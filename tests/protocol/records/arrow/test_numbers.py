"""Numbers of any width, filled run by run."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from moldau.protocol.records.arrow.numbers import NumberColumn


@pytest.mark.parametrize("kind", [pa.int16(), pa.int32(), pa.int64(), pa.timestamp("ms", "UTC")])
def test_a_column_has_what_was_filled_in(kind: pa.DataType) -> None:
    column = NumberColumn(kind, 3)
    column.fill(0, np.array([1, -2]))
    column.fill(2, np.array([300]))
    array = column.finish()
    assert array.type == kind
    assert array.cast(pa.int64()).to_pylist() == [1, -2, 300]


def test_a_column_may_be_empty() -> None:
    assert len(NumberColumn(pa.int64(), 0).finish()) == 0
