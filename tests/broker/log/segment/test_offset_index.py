"""From offsets to positions."""

from __future__ import annotations

import pytest

from moldau.broker.log.segment.offset_index import OffsetIndex
from moldau.errors import CorruptRecordError
from moldau.platform.simulated.files import SimulatedFiles


def index_of(*entries: tuple[int, int], base: int = 1000, room: int = 10) -> OffsetIndex:
    index = OffsetIndex(SimulatedFiles().open("i.index", create=True), base, room * 8)
    for offset, position in entries:
        index.append(offset, position)
    return index


def test_before_the_first_entry_is_the_beginning_of_the_segment():
    assert index_of().lookup(1500) == (1000, 0)
    assert index_of((1010, 500)).lookup(1009) == (1000, 0)


def test_the_upper_bound_is_the_first_entry_at_or_behind_a_byte():
    index = index_of((1010, 500), (1020, 900))
    bounds = [index.upper_bound(position) for position in (0, 500, 501, 900, 901)]
    assert bounds == [1010, 1010, 1020, 1020, None]


def test_truncation_drops_the_entry_of_the_offset_itself():
    index = index_of((1010, 500), (1020, 900))
    index.truncate_to(1020)
    assert index.last == (1010, 500)
    index.truncate_to(1010)
    assert index.entries == 0


def test_it_is_full_when_no_entry_fits():
    index = index_of((1010, 500), room=2)
    assert not index.is_full
    index.append(1011, 600)
    assert index.is_full


def test_entries_that_cannot_belong_to_the_log_are_noticed():
    index_of((1010, 500)).check(501)
    with pytest.raises(CorruptRecordError, match="behind"):
        index_of((1010, 500)).check(500)
    with pytest.raises(CorruptRecordError, match="before"):
        index_of((999, 500)).check(501)
