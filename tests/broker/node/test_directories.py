"""A node with several disks: the controller knows where replicas are, and what happens to them."""

from __future__ import annotations

import pytest

from moldau.broker.node.log_dir_failure import LogDirFailureError
from moldau.protocol.messages.topic.metadata import MetadataRequest
from tests.broker.node.simulated_node import run

Topic = MetadataRequest.MetadataRequestTopic
SETTINGS = {"log_dirs": "data,more", "metadata_log_dir": "data", "num_partitions": 4}
LONG_MS = 3_000


async def begin(machine):
    """A node that has a topic."""
    node = machine.node(**SETTINGS)
    await node.start()
    client = await machine.connect(node)
    request = MetadataRequest(topics=[Topic(name="orders")])
    while (await machine.ask(client, request, 12)).topics[0].error_code:
        await machine.tasks.sleep(10)
    await machine.tasks.sleep(1000)
    return node


def directory(node, path):
    (found,) = (one for one in node.broker.replicas.directories.opened if one.path == path)
    return found


def test_the_controller_learns_where_replicas_lie():
    async def main(machine):
        node = await begin(machine)
        topic = node.broker.metadata.image.topics.by_name["orders"]
        reported = {index: state.directories[0] for index, state in topic.partitions.items()}
        lie = {one.index: one.directory.properties.directory_id for one in node.broker.replicas}
        await node.stop()
        return reported, lie

    reported, lie = run(main)
    assert reported == lie
    assert len(set(reported.values())) == 2


def test_a_disk_that_fails_is_struck_off_and_the_node_goes_on():
    async def main(machine):
        node = await begin(machine)
        directory(node, "more").take_offline("it is broken")
        await machine.tasks.sleep(LONG_MS)
        state = node.broker.metadata.image.cluster.brokers[1]
        left = directory(node, "data").properties.directory_id
        topic = node.broker.metadata.image.topics.by_name["orders"]
        leaders = sorted(one.leader for one in topic.partitions.values())
        await node.stop()
        return state.log_dirs, left, leaders

    log_dirs, left, leaders = run(main)
    assert tuple(log_dirs) == (left,)
    assert leaders == [-1, -1, 1, 1]


def test_a_node_whose_metadata_disk_fails_halts():
    async def main(machine):
        node = await begin(machine)
        directory(node, "data").take_offline("it is broken")
        await machine.tasks.sleep(LONG_MS)

    with pytest.raises(
        LogDirFailureError, match=r"log directory data has failed \(it is broken\), and"
    ):
        run(main)


def test_a_controller_is_known_to_who_asks_controllers():
    async def main(machine):
        node = machine.node()
        await node.start()
        await machine.tasks.sleep(100)
        known = node.broker.metadata.image.cluster.controllers
        place = known[1].endpoints["CONTROLLER"].port, node.addresses["CONTROLLER"].port
        await node.stop()
        return list(known), place

    known, (reported, real) = run(main)
    assert known == [1]
    assert reported == real
