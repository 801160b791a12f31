"""Events get into a topic, each in the partition of its key."""

from __future__ import annotations

from collections import defaultdict

import pytest

from moldau.client.aio.world import ClientWorld
from moldau.client.sync.connection import Connection
from moldau.client.topic_partition import TopicPartition
from moldau.platform.system.background import Background
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.network import SystemNetwork
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.events import orders
from moldau.programs.pipelines.producing import TopicWriter
from moldau.testing import Node

NOW_MS = 1_795_000_000_000


@pytest.fixture
def node(tmp_path):
    background = Background("test")
    made = Node(str(tmp_path))
    background.call(made.__aenter__)
    yield made.bootstrap, background
    background.call(lambda: made.__aexit__(None, None, None))
    background.close()


def write(node, topic, partitions, events):
    bootstrap, background = node

    async def work():
        network = SystemNetwork()
        world = ClientWorld(network, SystemClock(), SystemRandom(), background.tasks)
        writer = TopicWriter(bootstrap, world)
        try:
            return await writer.write(topic, partitions, events)
        finally:
            writer.close()
            network.close()

    return background.call(work)


def test_all_events_are_there_in_the_partitions_of_their_keys(node):
    events = list(orders(3_000, 1, NOW_MS))
    assert write(node, "orders", 3, events) == 3_000
    places = defaultdict(set)
    found = []
    with Connection({"bootstrap.servers": node[0]}) as connection:
        for part, end in connection.latest(TopicPartition("orders", n) for n in range(3)).items():
            for batch in connection.read(part, 0, end):
                for row in batch.to_pylist():
                    places[row["key"]].add(part)
                    found.append((row["key"], row["value"]))
    assert sorted(found, key=repr) == sorted(((e.key, e.value) for e in events), key=repr)
    assert all(len(parts) == 1 for parts in places.values())


def test_a_topic_that_is_there_is_refused(node):
    write(node, "orders", 1, [])
    with pytest.raises(PipelineError, match="topic orders cannot be made: "):
        write(node, "orders", 1, [])
