"""A node's group coordinator."""

from __future__ import annotations

from tests.broker.node.simulated_node import run


def test_groups_live_in_the_topic_of_offsets():
    async def main(machine):
        node = machine.node()
        await node.start()
        groups = node.broker.groups
        found = groups.topic, groups.partition_for("a group")
        await node.stop()
        return found

    topic, index = run(main)
    assert topic == "__consumer_offsets"
    assert index in range(50)
