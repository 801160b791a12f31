"""From timestamps to offsets."""

from __future__ import annotations

import pytest

from moldau.broker.log.segment.time_index import TimeIndex
from moldau.errors import CorruptRecordError
from moldau.platform.simulated.files import SimulatedFiles


def index_of(*entries: tuple[int, int], room: int = 10) -> TimeIndex:
    index = TimeIndex(SimulatedFiles().open("t.timeindex", create=True), 1000, room * 12)
    for timestamp, offset in entries:
        index.append(timestamp, offset)
    return index


def test_only_a_larger_timestamp_is_an_entry():
    index = index_of((50, 1001), (50, 1003), (49, 1004), (51, 1005))
    assert index.raw_entries() == [(50, 1), (51, 5)]


def test_a_look_up_gives_the_last_entry_that_is_not_younger():
    index = index_of((50, 1001), (60, 1005))
    assert [index.lookup(stamp) for stamp in (49, 50, 59, 60, 99)] == [
        (-1, 1000),
        (50, 1001),
        (50, 1001),
        (60, 1005),
        (60, 1005),
    ]


def test_truncation_goes_by_offset():
    index = index_of((50, 1001), (60, 1005))
    index.truncate_to(1005)
    assert index.last == (50, 1001)


def test_one_entry_is_kept_for_the_roll():
    index = index_of((50, 1001), room=2)
    assert index.is_full
    index.append(51, 1002)
    assert index.entries == 2


def test_a_lone_first_timestamp_of_zero_is_an_entry():
    index = index_of((0, 1000))
    index.trim()
    assert index._count_entries() == 1


def test_an_impossible_last_entry_is_noticed():
    index_of((50, 1001)).check()
    with pytest.raises(CorruptRecordError):
        index_of((50, 990)).check()
