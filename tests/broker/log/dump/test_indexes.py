"""Indexes beside their logs."""

from __future__ import annotations

from struct import pack

import pytest

from moldau.broker.log.dump.any_file import DumpOptions
from moldau.broker.log.dump.indexes import IndexOptions
from moldau.errors import CorruptRecordError
from tests.broker.log.batches import batch
from tests.broker.log.dumped_files import Dumped

STEM = "00000000000000000010"
INDEX, TIME_INDEX = f"{STEM}.index", f"{STEM}.timeindex"
SIZE = len(batch(10))
VERIFY = DumpOptions(index=IndexOptions(only_verifies=True))
CHECK = DumpOptions(index=IndexOptions(only_checks=True))


def segment(offset_entries, time_entries=()) -> Dumped:
    """Batches of one record at offsets 10, 11 and 12, with times 1000, 1001 and 1002."""
    files = Dumped()
    log = b"".join(bytes(batch(10 + number, timestamp=1_000 + number)) for number in range(3))
    files.put(f"{STEM}.log", log)
    files.put(INDEX, b"".join(pack(">ii", *entry) for entry in offset_entries))
    files.put(TIME_INDEX, b"".join(pack(">qi", *entry) for entry in time_entries))
    return files


def test_entries_are_shown_with_whole_offsets():
    files = segment([(1, SIZE), (2, 2 * SIZE)], [(1_001, 1), (1_002, 2)])
    assert files.lines(INDEX) == [
        f"offset: 11 position: {SIZE}",
        f"offset: 12 position: {2 * SIZE}",
    ]
    assert files.lines(TIME_INDEX) == [
        "timestamp: 1001 offset: 11",
        "timestamp: 1002 offset: 12",
    ]
    assert files.findings() == []


def test_filler_ends_the_list():
    files = segment([(1, SIZE), (0, 0), (0, 0)], [(1_001, 1), (0, 0)])
    assert len(files.lines(INDEX)) == len(files.lines(TIME_INDEX)) == 1


def test_verifying_and_checking_show_no_entries():
    files = segment([(1, SIZE)], [(1_001, 1)])
    assert files.lines(INDEX, VERIFY) == files.lines(TIME_INDEX, VERIFY) == []
    assert files.lines(INDEX, CHECK) == [f"data/orders-0/{INDEX} passed sanity check."]
    assert files.lines(TIME_INDEX, CHECK) == [f"data/orders-0/{TIME_INDEX} passed sanity check."]


def test_an_empty_offset_index_says_so():
    assert segment([]).lines(INDEX) == [f"data/orders-0/{INDEX} is empty."]


def test_an_entry_that_names_another_batch_is_a_mismatch():
    files = segment([(1, 0), (2, 999)])
    files.lines(INDEX, VERIFY)
    assert files.findings() == [
        f"Mismatches in :{INDEX}",
        "  Index offset: 11, log offset: 10",
        "  Index offset: 12, log offset: -1",
    ]


def test_wrong_times_and_offsets_are_found():
    files = segment([(1, SIZE)], [(1_005, 0), (1_001, 1), (1_009, 9)])
    files.lines(TIME_INDEX, VERIFY)
    assert files.findings() == [
        f"Found timestamp mismatch in :{TIME_INDEX}",
        "  Index timestamp: 1005, log timestamp: 1000",
        f"Found out of order timestamp in :{TIME_INDEX}",
        "  Index timestamp: 1001, Previously indexed timestamp: 1005",
        f"The following indexed offsets are not found in :{TIME_INDEX}",
        "Indexed offset: 19, found log offset: -1",
    ]


@pytest.mark.parametrize("name", [INDEX, TIME_INDEX])
def test_a_check_fails_on_torn_or_impossible_entries(name):
    files = segment([(-5, 0)], [(1_000, -5)])
    with pytest.raises(CorruptRecordError, match="lies before the segment"):
        files.lines(name, CHECK)
    files.put(name, bytes(25))
    with pytest.raises(CorruptRecordError, match="not whole entries"):
        files.lines(name, CHECK)
