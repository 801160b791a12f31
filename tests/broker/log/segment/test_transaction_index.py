"""The aborted transactions of a segment."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.log.segment.transaction_index import (
    ENTRY_SIZE,
    AbortedTransaction,
    TransactionIndex,
)
from moldau.errors import CorruptRecordError
from moldau.platform.system.files import SystemFiles

FIRST = AbortedTransaction(7, 10, 14, 12)
SECOND = AbortedTransaction(8, 12, 20, 21)
THIRD = AbortedTransaction(7, 25, 30, 31)


@pytest.fixture
def index(tmp_path: Path) -> TransactionIndex:
    index = TransactionIndex(SystemFiles(), str(tmp_path / "00000000000000000010.txnindex"))
    for aborted in (FIRST, SECOND, THIRD):
        index.append(aborted)
    return index


def test_no_file_is_made_before_the_first_entry(tmp_path):
    index = TransactionIndex(SystemFiles(), str(tmp_path / "none.txnindex"))
    assert index.collect(0, 100) == ([], False)
    index.truncate_to(5)
    index.sanity_check(0)
    index.sync()
    assert list(tmp_path.iterdir()) == []


def test_entries_have_kafkas_34_bytes():
    packed = AbortedTransaction(1, 2, 3, 4).pack()
    assert packed.hex() == "0000" + "".join(f"{number:016x}" for number in (1, 2, 3, 4))
    assert len(packed) == ENTRY_SIZE


def test_a_reader_learns_the_transactions_that_overlap_its_range(index):
    assert index.collect(0, 12) == ([FIRST], True)
    assert index.collect(0, 13) == ([FIRST, SECOND], True)
    assert index.collect(15, 21) == ([SECOND], True)
    assert index.collect(21, 26) == ([THIRD], True)


def test_the_search_goes_on_in_the_next_segment_when_later_aborts_may_matter(index):
    assert index.collect(15, 100) == ([SECOND, THIRD], False)
    assert index.collect(31, 100) == ([], False)


def test_truncation_drops_the_markers_at_and_above_the_offset(index):
    index.truncate_to(20)
    assert list(index.entries()) == [FIRST]
    index.append(THIRD)
    assert list(index.entries()) == [FIRST, THIRD]


def test_the_entries_are_there_after_a_restart(index):
    index.close()
    again = TransactionIndex(SystemFiles(), index.path)
    again.sanity_check(10)
    assert list(again.entries()) == [FIRST, SECOND, THIRD]
    assert again.last_offset == 30


@pytest.mark.parametrize(
    "contents",
    [
        FIRST.pack()[:-1],
        b"\0\1" + FIRST.pack()[2:],
        SECOND.pack() + FIRST.pack(),
        AbortedTransaction(7, 3, 9, 9).pack(),
        AbortedTransaction(7, 15, 14, 9).pack(),
    ],
    ids=["torn", "version", "order", "below the segment", "backwards"],
)
def test_a_damaged_file_is_noticed(tmp_path, contents):
    path = tmp_path / "damaged.txnindex"
    path.write_bytes(contents)
    with pytest.raises(CorruptRecordError, match=r"damaged\.txnindex: "):
        TransactionIndex(SystemFiles(), str(path)).sanity_check(10)


def test_a_deleted_index_has_no_file(index, tmp_path):
    assert list(index.entries()) == [FIRST, SECOND, THIRD]
    index.delete()
    assert list(tmp_path.iterdir()) == []


@given(
    gaps=st.lists(st.tuples(st.integers(1, 4), st.integers(0, 6)), max_size=12),
    fetch_offset=st.integers(0, 60),
    length=st.integers(1, 30),
)
def test_halving_finds_what_a_full_scan_finds(gaps, fetch_offset, length, tmp_path_factory):
    path = tmp_path_factory.mktemp("halving") / "0.txnindex"
    index = TransactionIndex(SystemFiles(), str(path))
    offset = 0
    for gap, span in gaps:
        offset += gap
        index.append(AbortedTransaction(1, max(0, offset - span), offset, offset + 1))
    upper_bound = fetch_offset + length
    found, _ = index.collect(fetch_offset, upper_bound)
    assert found == [
        aborted
        for aborted in _until_stable(index.entries(), upper_bound)
        if aborted.last_offset >= fetch_offset and aborted.first_offset < upper_bound
    ]


def _until_stable(entries, upper_bound):
    for aborted in entries:
        yield aborted
        if aborted.last_stable_offset >= upper_bound:
            return
