"""What both indexes share: entries, filler, truncation."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.errors import CorruptRecordError
from moldau.log.segment.offset_index import OffsetIndex
from moldau.log.segment.sparse_index import PAGE_ENTRIES
from moldau.simulated.files import SimulatedFiles

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
