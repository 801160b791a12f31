"""Where a consumer is."""

from __future__ import annotations

from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.consuming.places import Places
from moldau.client.topic_partition import TopicPartition
from tests.client.answers import TOPIC_ID

PART, OTHER = TopicPartition("t", 0), TopicPartition("t", 1)


def test_only_what_was_consumed_is_committed():
    places = Places()
    places.add([PART, OTHER])
    assert [place.part for place in places.unknown()] == [PART, OTHER]
    places.places[PART].move(5)
    places.places[PART].position = 8
    assert places.uncommitted() == {PART: CommittedOffset(5)}
    places.consume()
    assert places.uncommitted([PART]) == {PART: CommittedOffset(8)}
    places.committed[PART] = 8
    assert places.uncommitted() == {}


def test_an_offset_is_committed_with_the_epoch_of_what_was_read_before_it():
    places = Places()
    places.add([PART])
    place = places.places[PART]
    place.advance(8, 3)
    places.consume()
    place.advance(9, 4)
    assert places.uncommitted() == {PART: CommittedOffset(8, 3)}
    place.move(2)
    assert places.uncommitted() == {PART: CommittedOffset(2)}
    place.move(2, 1)
    assert (place.epoch, places.uncommitted()) == (1, {PART: CommittedOffset(2, 1)})


def test_a_position_belongs_to_the_topic_in_which_it_was_read():
    places = Places()
    places.add([PART, OTHER])
    place = places.places[PART]
    place.move(5)
    assert places.read_in([PART, OTHER]) == {}
    place.begin_reading(1).topic_id = TOPIC_ID
    assert places.read_in([PART, OTHER]) == {PART: TOPIC_ID}
    place.end_reading()
    assert places.read_in([PART]) == {PART: TOPIC_ID}
    place.move(0)
    assert places.read_in([PART]) == {}


def test_what_was_removed_is_forgotten():
    places = Places()
    places.add([PART])
    places.committed[PART] = 3
    assert [place.part for place in places.remove([PART, OTHER])] == [PART]
    assert (places.places, places.committed) == ({}, {})


def test_where_to_begin_has_no_say_once_the_user_has_sought_elsewhere():
    places = Places()
    places.add([PART, OTHER])
    wanted = places.wanted()
    assert wanted == {PART: None, OTHER: None}
    places.places[OTHER].seek(-1)
    places.begin_at(wanted, {PART: CommittedOffset(5, 2), OTHER: CommittedOffset(9)})
    assert (places.places[PART].position, places.places[PART].epoch) == (5, 2)
    assert places.wanted() == {OTHER: -1}
    places.places[OTHER].move(3)
    places.begin_at({OTHER: -1}, {OTHER: CommittedOffset(9)})
    assert places.places[OTHER].position == 3


def test_what_is_paused_is_not_to_be_read():
    places = Places()
    places.add([PART, OTHER])
    places.places[PART].is_paused = True
    assert [place.part for place in places.readable()] == [OTHER]


def test_a_position_stays_one_in_the_topic_that_was_read():
    places = Places()
    places.add([PART])
    place = places.places[PART]
    place.move(5, 2)
    reading = place.begin_reading(1000)
    assert (reading.position, reading.last_epoch, reading.topic_id) == (5, 2, None)
    reading.topic_id = TOPIC_ID
    place.end_reading()
    assert place.begin_reading(1000).topic_id == TOPIC_ID
    place.end_reading()
    place.move(0)
    assert place.begin_reading(1000).topic_id is None
