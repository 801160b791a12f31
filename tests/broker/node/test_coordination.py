"""Coordinators are there when they are needed, and not before."""

from __future__ import annotations

from moldau.broker.node.coordination import IMPORTS
from moldau.broker.server.topic.creation import OFFSETS_TOPIC
from moldau.protocol.messages.group.find_coordinator import FindCoordinatorRequest
from tests.broker.node.simulated_node import run


def test_a_node_that_has_just_been_made_has_no_coordinator():
    async def main(machine):
        node = machine.node()
        await node.start()
        made = node.coordination.made
        await node.stop()
        return made

    assert run(main) == frozenset()


def test_a_coordinator_is_made_when_its_topic_is_led_here():
    async def main(machine):
        node = machine.node(offsets_topic_num_partitions=2)
        await node.start()
        find = FindCoordinatorRequest(key="", key_type=0, coordinator_keys=["g"])
        client = await machine.connect(node)
        while (await machine.ask(client, find, 4)).coordinators[0].error_code:
            await machine.tasks.sleep(10)
        await machine.tasks.sleep(100)
        found = node.coordination.made, node.broker.groups.indexes
        await node.stop()
        again = machine.node()
        await again.start()
        await machine.tasks.sleep(100)
        loaded = again.coordination.made, again.broker.groups.indexes
        await again.stop()
        return found, loaded

    expected = frozenset({OFFSETS_TOPIC}), [0, 1]
    assert run(main) == (expected, expected)


def test_its_modules_are_imported_beside_the_loop_when_its_topic_comes_into_being():
    async def main(machine):
        node = machine.node(offsets_topic_num_partitions=1)
        await node.start()
        offloaded: list[object] = []
        usual = machine.tasks.offload

        async def offload(call, *arguments):
            offloaded.append(call)
            return await usual(call, *arguments)

        machine.tasks.offload = offload
        find = FindCoordinatorRequest(key="", key_type=0, coordinator_keys=["g"])
        client = await machine.connect(node)
        while (await machine.ask(client, find, 4)).coordinators[0].error_code:
            await machine.tasks.sleep(10)
        await node.stop()
        return offloaded

    assert IMPORTS[OFFSETS_TOPIC] in run(main)
