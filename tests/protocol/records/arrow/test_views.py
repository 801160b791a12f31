"""Views show the bytes where they lie."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from hypothesis import given
from hypothesis import strategies as st

from moldau.protocol.records.arrow.views import Parts, ViewColumn, null_bitmap

PARTS = st.lists(st.none() | st.binary(max_size=20) | st.binary(min_size=100, max_size=120))


def views_of(sources: list[bytes], parts: list[tuple[int, int, int]]) -> pa.Array:
    """Filled in two goes."""
    column = ViewColumn(len(parts))
    octets = [np.frombuffer(source, np.uint8) for source in sources]
    half = len(parts) // 2
    for first, some in ((0, parts[:half]), (half, parts[half:])):
        column.fill(first, octets, Parts(*np.array(some, np.int64).reshape(-1, 3).T))
    return column.finish([pa.py_buffer(source) for source in sources])


@given(PARTS, PARTS)
def test_parts_of_any_length_are_shown(
    first: list[bytes | None], second: list[bytes | None]
) -> None:
    expected: list[bytes | None] = []
    parts: list[tuple[int, int, int]] = []
    sources = []
    for source, values in enumerate((first, second)):
        data = b""
        for value in values:
            parts.append((source, len(data), -1 if value is None else len(value)))
            expected.append(value)
            data += value or b""
        sources.append(data)
    array = views_of(sources, parts)
    array.validate(full=True)
    assert array.to_pylist() == expected


def test_short_parts_are_whole_in_the_view_up_to_the_end_of_the_buffer() -> None:
    data = b"0123456789abcdef"
    parts = [(0, start, min(12, 16 - start)) for start in range(16)]
    assert views_of([data], parts).to_pylist() == [data[start : start + 12] for start in range(16)]


def test_long_parts_are_not_copied() -> None:
    data = b"a value of more than twelve bytes"
    array = views_of([data], [(0, 2, 20)])
    assert array.to_pylist() == [data[2:22]]
    assert array.buffers()[2].address == pa.py_buffer(data).address


def test_nothing_null_needs_no_bitmap() -> None:
    assert null_bitmap(np.array([False, False])) is None
    bitmap = null_bitmap(np.array([False, True, False]))
    assert bitmap is not None
    assert bitmap.to_pybytes() == b"\x05"
