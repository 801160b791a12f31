"""What one chunk has for a consumer."""

from __future__ import annotations

import pytest

from moldau.client.core.consuming.unread import Unread
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.errors import UnreadableRecordError
from moldau.client.topic_partition import TopicPartition
from tests.client.batches import data_batch, marker

PART = TopicPartition("t", 3)


def unread(
    *batches: bytes, start: int = 0, end: int = 100, last_epoch: int = -1, epoch: int = -1
) -> Unread:
    records = memoryview(b"".join(batches))
    chunk = Chunk(PART, records, start, end, last_epoch=last_epoch)
    return Unread(chunk, check_checksums=True, epoch=epoch)


def take(one: Unread, count: int = 10) -> list[int]:
    return [record.offset for record in one.take(count)]


def spoiled(base: int, count: int) -> bytes:
    batch = bytearray(data_batch(base, count))
    batch[-1] ^= 1
    return bytes(batch)


def test_records_are_taken_in_order_and_the_position_is_behind_them():
    one = unread(data_batch(0, 4), data_batch(4, 4), marker(8, 7, is_commit=True), end=9)
    assert (take(one, 3), one.position) == ([0, 1, 2], 3)
    assert (take(one, 3), one.position) == ([3, 4, 5], 6)
    assert (take(one, 3), one.position, one.is_over) == ([6, 7], 9, True)


def test_what_was_returned_last_comes_again_from_where_it_is_put_back():
    one = unread(data_batch(0, 4), data_batch(4, 4), end=8)
    take(one, 1)
    take(one, 5)
    one.put_back(3)
    assert (one.position, one.is_over) == (3, False)
    assert take(one, 2) == [3, 4]
    assert (take(one), one.is_over) == ([5, 6, 7], True)
    one.put_back(7)
    assert take(one) == [7]


def test_the_rest_is_a_chunk_that_can_be_put_back_too():
    one = unread(data_batch(0, 4), data_batch(4, 4), end=8)
    take(one, 3)
    rest = one.take_all()
    assert (rest.start, rest.end, one.position, one.is_over) == (3, 8, 8, True)
    one.put_back(5)
    assert (one.position, take(one)) == (5, [5, 6, 7])


def test_the_epoch_is_that_of_the_record_before_the_position():
    batches = (data_batch(0, 2, leader_epoch=3), data_batch(2, 2, leader_epoch=4))
    one = unread(*batches, end=5, last_epoch=6, epoch=2)
    assert one.epoch == 2
    take(one, 2)
    assert one.epoch == 3
    one.put_back(0)
    assert one.epoch == 2
    take(one, 3)
    assert one.epoch == 4
    one.put_back(2)
    assert one.epoch == 3
    take(one)
    assert one.epoch == 6  # of a marker, or a batch without records
    one.put_back(3)
    assert one.epoch == 4
    one.take_all()
    assert one.epoch == 6


def test_a_spoiled_batch_stays_in_front_until_the_consumer_goes_on_elsewhere():
    one = unread(data_batch(0, 2), spoiled(2, 3), data_batch(5, 2), end=7)
    assert (take(one), one.is_over, one.position) == ([0, 1], False, 2)
    for _ in range(2):
        with pytest.raises(UnreadableRecordError, match="t-3 cannot be read from offset 2") as seen:
            take(one)
        assert one.position == 2
    assert (seen.value.part, seen.value.offset, seen.value.next_offset) == (PART, 2, 5)
