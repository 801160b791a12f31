"""What is found once for one reading of the metrics."""

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.topics import PartitionState, Topics, TopicState
from moldau.broker.server.monitoring.figures.scrape import partition_counts


def image_of(*partitions):
    topic = TopicState("t", bytes(16), dict(enumerate(partitions)))
    return Image(topics=Topics({"t": topic}, {bytes(16): topic}))


def state(replicas, isr, leader, **more):
    return PartitionState(replicas, (bytes(16),) * len(replicas), isr, leader=leader, **more)


def test_partitions_are_counted_for_the_broker_and_for_all():
    image = image_of(
        state((1, 2), (1,), 1),
        state((2, 1), (2, 1), 2),
        state((3,), (3,), -1),
        state((2, 1), (2, 1), 1, adding_replicas=(4,)),
    )
    assert partition_counts(image, 1) == {
        "PartitionCount": 3,
        "LeaderCount": 2,
        "UnderReplicatedPartitions": 1,
        "ReassigningPartitions": 1,
        "GlobalPartitionCount": 4,
        "OfflinePartitionsCount": 1,
        "PreferredReplicaImbalanceCount": 2,
    }
