"""What came of a batch."""

from __future__ import annotations

from moldau.client.core.producing.outcome import Identity, Outcome, RecordMetadata


def test_nothing_is_known_until_a_broker_has_answered():
    assert Identity() == (-1, -1)
    assert Outcome() == (-1, -1, None)


def test_a_record_is_found_by_its_place():
    topic, partition, offset, timestamp = RecordMetadata("t", 3, 7, 1000)
    assert (topic, partition, offset, timestamp) == ("t", 3, 7, 1000)
