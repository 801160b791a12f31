"""Many varints at once are what one varint after another is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import CorruptRecordError
from moldau.protocol.records.arrow.varints import read_varints, varint_array, varint_sizes
from tests.protocol.records.drawn_records import INT32, INT64
from tests.protocol.records.plain_block import zigzag_varint

EDGES = [0, -1, 1, 63, 64, -64, -65, 8191, 8192, -8193, 2**31 - 1, -(2**31)]


@given(st.lists(INT64 | st.sampled_from(EDGES)))
def test_numbers_are_written_as_one_by_one(numbers: list[int]) -> None:
    column = np.array(numbers, np.int64)
    expected = [zigzag_varint(number) for number in numbers]
    assert varint_array(column).to_pylist() == expected
    assert varint_sizes(column).tolist() == [len(varint) for varint in expected]


@pytest.mark.parametrize(("drawn", "size_max"), [(INT32, 5), (INT64, 10)])
@given(data=st.data())
def test_numbers_are_read_as_they_were_written(
    drawn: st.SearchStrategy[int], size_max: int, data: st.DataObject
) -> None:
    numbers = data.draw(st.lists(drawn | st.sampled_from(EDGES), min_size=1))
    varints = [zigzag_varint(number) for number in numbers]
    ends = np.cumsum([len(varint) for varint in varints])
    starts = np.concatenate(([0], ends[:-1]))
    octets = np.frombuffer(b"".join(varints), np.uint8)
    found, found_ends = read_varints(octets, starts, size_max)
    assert found.tolist() == numbers
    assert found_ends.tolist() == ends.tolist()


@pytest.mark.parametrize("size_max", [5, 10])
def test_a_varint_that_does_not_end_is_refused(size_max: int) -> None:
    octets = np.frombuffer(b"\x80" * size_max + b"\x00", np.uint8)
    with pytest.raises(CorruptRecordError, match=f"longer than {size_max} bytes"):
        read_varints(octets, np.array([0]), size_max)


def test_positions_beyond_the_data_are_not_followed() -> None:
    octets = np.frombuffer(b"\x02\x04", np.uint8)
    numbers, ends = read_varints(octets, np.array([0, 10_000, 2**40]), 5)
    assert numbers.tolist() == [1, 2, 2]
    assert ends.tolist() == [1, 10_001, 2**40 + 1]
