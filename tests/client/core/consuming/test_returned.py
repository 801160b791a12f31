"""Which records a consumer returns next, and where that leaves it."""

from __future__ import annotations

from moldau.client.core.consuming.places import Place, Places
from moldau.client.core.consuming.returned import Returned
from moldau.client.core.fetching.chunk import Chunk
from moldau.client.topic_partition import TopicPartition
from tests.client.batches import data_batch

PART, OTHER = TopicPartition("t", 3), TopicPartition("other", 0)


def reading(count: int) -> tuple[Returned, Place]:
    """That many records of a partition, from 0 on."""
    places = Places()
    places.add([PART])
    returned = Returned(places, check_checksums=True)
    returned.begin(Chunk(PART, memoryview(data_batch(0, count)), 0, count, last_epoch=-1))
    return returned, places.places[PART]


def test_the_position_is_behind_what_was_returned():
    returned, place = reading(5)
    assert [one.offset for one in returned.take(2)] == [0, 1]
    assert (place.position, returned.has_more) == (2, True)
    assert [one.offset for one in returned.take(9)] == [2, 3, 4]
    assert (place.position, returned.has_more) == (5, False)


def test_what_was_put_back_comes_again():
    returned, place = reading(5)
    returned.take(4)
    returned.put_back(1)
    assert place.position == 1
    assert [one.offset for one in returned.take(9)] == [1, 2, 3, 4]


def test_what_was_forgotten_is_not_returned_and_others_are():
    returned, _ = reading(5)
    returned.forget([OTHER])
    assert len(returned.take(1)) == 1
    returned.forget([PART])
    returned.put_back(0)
    assert (returned.take(9), returned.take_all(), returned.has_more) == ([], None, False)


def test_all_that_is_left_is_a_chunk():
    returned, place = reading(5)
    returned.take(2)
    rest = returned.take_all()
    assert rest is not None
    assert (rest.start, place.position) == (2, 5)
