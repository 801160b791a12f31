"""Where a consumer is."""

from __future__ import annotations

from moldau.client.core.consuming.places import Places
from moldau.client.topic_partition import TopicPartition

PART, OTHER = TopicPartition("t", 0), TopicPartition("t", 1)


def test_only_what_was_consumed_is_committed():
    places = Places()
    places.add([PART, OTHER])
    assert [place.part for place in places.unknown()] == [PART, OTHER]
    places.places[PART].move(5)
    places.places[PART].position = 8
    assert places.uncommitted() == {PART: 5}
    places.consume()
    assert places.uncommitted([PART]) == {PART: 8}
    places.committed[PART] = 8
    assert places.uncommitted() == {}


def test_what_was_removed_is_forgotten():
    places = Places()
    places.add([PART])
    places.committed[PART] = 3
    assert [place.part for place in places.remove([PART, OTHER])] == [PART]
    assert (places.places, places.committed) == ({}, {})
