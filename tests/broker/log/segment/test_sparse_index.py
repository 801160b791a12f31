"""What both indexes share: entries, filler, truncation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.segment.offset_index import OffsetIndex
from moldau.broker.log.segment.sparse_index import PAGE_ENTRIES, WAITING_ENTRIES_MAX
from moldau.errors import CorruptRecordError
from moldau.platform.simulated.files import SimulatedFiles

FILES = SimulatedFiles()


def opened(contents: bytes = b"", max_bytes: int = 8 * 4000) -> OffsetIndex:
    file = FILES.open("index", create=True)
    file.truncate(0)
    file.append(contents)
    return OffsetIndex(file, 0, max_bytes)


def test_filler_of_any_length_is_no_entry():
    entries = b"".join(OffsetIndex.ENTRY.pack(n, n * 9) for n in range(1, 200))
    for filler in (0, 8, 8 * 3000, 8 * 30_000):
        index = opened(entries + bytes(filler))
        assert (index.entries, index.last) == (199, (199, 199 * 9))
    assert opened(bytes(80)).entries == 0


def test_a_size_that_is_no_number_of_entries_is_refused():
    with pytest.raises(CorruptRecordError, match="whole number"):
        opened(b"123456789")


def test_room_is_made_and_given_back():
    index = opened(max_bytes=1001)
    index.preallocate()
    assert FILES.open("index").size() == 1000
    index.append(3, 100)
    index.trim()
    assert FILES.open("index").size() == 8
    assert index.raw_entries() == [(3, 100)]


@given(st.integers(1, 5 * PAGE_ENTRIES), st.data())
def test_a_look_up_finds_the_last_entry_that_is_not_larger(count, data):
    gap = data.draw(st.integers(1, 5))
    entries = b"".join(OffsetIndex.ENTRY.pack(n * gap, n * 7) for n in range(1, count + 1))
    index = opened(entries)
    offset = data.draw(st.integers(0, (count + 2) * gap))
    expected = min(offset // gap, count)
    assert index.lookup(offset) == (expected * gap, expected * 7)


def test_cut_entries_become_zeros():
    index = opened(max_bytes=80)
    index.preallocate()
    for number in range(1, 6):
        index.append(number, number * 10)
    index.truncate_to(3)
    assert index.raw_entries() == [(1, 10), (2, 20)]
    assert FILES.open("index").read_at(16, 64) == bytes(64)
    index.clear()
    assert (index.entries, index.last) == (0, (0, 0))


def test_entries_wait_in_memory_until_there_are_enough_for_one_write():
    index = opened()
    index.preallocate()
    for number in range(1, WAITING_ENTRIES_MAX):
        index.append(number, number * 9)
    assert FILES.open("index").read_at(0, 8) == bytes(8)
    assert index.raw_entries()[-1] == (WAITING_ENTRIES_MAX - 1, (WAITING_ENTRIES_MAX - 1) * 9)
    index.append(WAITING_ENTRIES_MAX, WAITING_ENTRIES_MAX * 9)
    assert FILES.open("index").read_at(0, 8) == OffsetIndex.ENTRY.pack(1, 9)


@pytest.mark.parametrize("ends", ["sync", "trim", "close"])
def test_after_sync_trim_or_close_there_are_all_entries_in_the_file(ends):
    index = opened()
    index.append(3, 100)
    getattr(index, ends)()
    assert FILES.open("index").read_at(0, 8) == OffsetIndex.ENTRY.pack(3, 100)


@given(st.integers(0, 3 * PAGE_ENTRIES), st.integers(1, WAITING_ENTRIES_MAX - 1), st.data())
def test_a_look_up_finds_entries_that_wait_as_it_finds_those_in_the_file(written, waiting, data):
    index = opened(max_bytes=8 * 4 * PAGE_ENTRIES)
    for number in range(1, written + waiting + 1):
        if number == written + 1:
            index.sync()
        index.append(number * 2, number * 7)
    asked = data.draw(st.integers(0, 2 * (written + waiting) + 5))
    found = min(asked // 2, written + waiting)
    assert index.lookup(asked) == (found * 2, found * 7)
    cut = data.draw(st.integers(1, written + waiting))
    index.truncate_to(cut * 2)
    assert index.entries == cut - 1
    assert [first for first, _ in index.raw_entries()] == [2 * one for one in range(1, cut)]
