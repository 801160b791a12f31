"""What came with a fetch, as far as headers tell."""

from __future__ import annotations

import pytest

from moldau.client.core.fetching.contents import Aborted, Contents, OldFormat, look_through
from moldau.errors import CorruptRecordError
from tests.client.batches import data_batch, marker


def look(records: bytes, *aborted: tuple[int, int]) -> Contents:
    found = look_through(memoryview(records), [Aborted(*transaction) for transaction in aborted])
    assert isinstance(found, Contents)
    return found


def transactional(base_offset: int, producer_id: int) -> bytes:
    return data_batch(base_offset, producer_id=producer_id, transactional=True)


def test_the_next_offset_comes_from_the_last_header():
    found = look(data_batch(0) + data_batch(3, leader_epoch=4))
    assert (found.next_offset, found.last_epoch) == (6, 4)


def test_holes_at_the_end_of_a_compacted_batch_are_stepped_over():
    assert look(data_batch(0, 2, last_offset_delta=9)).next_offset == 10


def test_a_batch_that_is_cut_off_is_not_there():
    assert look(data_batch(0) + data_batch(3)[:-1]).next_offset == 3
    assert look(data_batch(0)[:50]).next_offset is None
    assert look(b"").next_offset is None


def test_batches_of_an_aborted_transaction_are_void_up_to_its_marker():
    records = (
        transactional(0, 7) + transactional(3, 8) + marker(6, 7, is_commit=False)
        + transactional(7, 7)
    )  # fmt: skip
    assert look(records, (7, 0)).void == {0}


def test_what_the_producer_wrote_before_the_transaction_counts():
    records = transactional(0, 7) + marker(3, 7, is_commit=True) + transactional(4, 7)
    assert look(records, (7, 4)).void == {4}


def test_the_commit_of_another_producer_ends_nothing():
    records = transactional(0, 7) + marker(3, 8, is_commit=True) + transactional(4, 7)
    assert look(records, (7, 0)).void == {0, 4}


def test_what_is_not_transactional_is_never_void():
    assert look(data_batch(0, producer_id=7), (7, 0)).void == frozenset()


def test_two_aborted_transactions_of_one_producer_are_kept_apart():
    records = (
        transactional(0, 7) + marker(3, 7, is_commit=False)
        + transactional(4, 7) + marker(7, 7, is_commit=True)
        + transactional(8, 7) + marker(11, 7, is_commit=False)
    )  # fmt: skip
    assert look(records, (7, 8), (7, 0)).void == {0, 8}


@pytest.mark.parametrize("size", [30, 80])
def test_messages_of_an_old_format_are_recognized_however_short(size):
    old = (5).to_bytes(8, "big") + bytes(8) + b"\x01" + bytes(size)
    assert look_through(old) == OldFormat(5, 1)


def test_an_old_message_behind_batches_is_recognized():
    old = (5).to_bytes(8, "big") + (80).to_bytes(4, "big") + bytes(4) + b"\x01" + bytes(75)
    assert look_through(data_batch(0) + old) == OldFormat(5, 1)


def test_sizes_that_no_batch_can_have_are_corrupt():
    broken = bytearray(data_batch(0))
    broken[8:12] = (3).to_bytes(4, "big")
    with pytest.raises(CorruptRecordError):
        look(bytes(broken))
