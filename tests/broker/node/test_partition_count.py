"""How many partitions the topics of coordinators have."""

from __future__ import annotations

from moldau.broker.metadata.image import EMPTY_IMAGE, Image
from moldau.broker.metadata.topics import PartitionState, Topics, TopicState
from moldau.broker.node.partition_count import partition_count


def test_a_topic_that_is_not_there_counts_as_it_will_be():
    state = PartitionState((1,), (bytes(16),), (1,))
    topic = TopicState("t", bytes(16), dict.fromkeys(range(3), state))
    assert partition_count(EMPTY_IMAGE, "t", 50) == 50
    assert partition_count(Image(topics=Topics({"t": topic})), "t", 50) == 3
