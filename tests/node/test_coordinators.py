"""Which partition a coordinator's key belongs to."""

from typing import Any

from moldau.metadata.image import EMPTY_IMAGE, Image
from moldau.metadata.topics import PartitionState, Topics, TopicState
from moldau.node.coordinators import group_coordinator, partition_count
from moldau.node.defaults import alone
from moldau.node.server_properties import node_settings
from moldau.simulated.files import SimulatedFiles
from tests.node.simulated_node import world_of


def test_a_topic_that_is_not_there_counts_as_it_will_be():
    state = PartitionState((1,), (bytes(16),), (1,))
    topic = TopicState("t", bytes(16), dict.fromkeys(range(3), state))
    assert partition_count(EMPTY_IMAGE, "t", 50) == 50
    assert partition_count(Image(topics=Topics({"t": topic})), "t", 50) == 3


def test_groups_live_in_the_topic_of_offsets():
    world: Any = world_of(SimulatedFiles())
    replicas: Any = None
    runtime = group_coordinator(world, node_settings(alone()), replicas, lambda: EMPTY_IMAGE)
    assert runtime.topic == "__consumer_offsets"
    assert runtime.partition_for("a group") in range(50)
