"""What events and effects show of themselves in a log or a failed assertion."""

from __future__ import annotations

from moldau.client.core.producing.batch import Identity
from moldau.client.core.producing.events import (
    AddPartitions,
    Broken,
    Identified,
    PartitionsAdded,
    Refreshed,
)
from moldau.client.errors import UnreachableError
from moldau.client.topic_partition import TopicPartition
from tests.client.core.producing.made import Made, record

PARTS = (TopicPartition("t", 0), TopicPartition("t", 1))


def test_events_and_effects_show_what_they_are_about():
    made = Made(linger_ms="0")
    made.add(record())
    (send,) = made.sends()
    shown = [
        Broken(send, UnreachableError("b1", "gone")),
        AddPartitions(PARTS),
        PartitionsAdded(PARTS),
        Refreshed(("t",)),
        Identified(Identity(7, 1)),
    ]
    broken, *others = map(repr, shown)
    assert "to broker 1" in broken
    assert "gone" in broken
    assert others == [
        "<AddPartitions t-0, t-1>",
        "<PartitionsAdded t-0, t-1: all>",
        "<Refreshed t: known>",
        "<Identified Identity(producer_id=7, epoch=1)>",
    ]
