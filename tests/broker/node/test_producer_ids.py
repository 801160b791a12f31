"""A node's producer ids."""

from __future__ import annotations

from tests.broker.node.simulated_node import run


def test_ids_come_from_the_controller_in_a_row():
    async def main(machine):
        node = machine.node()
        await node.start()
        await node.broker.producer_ids.ready()
        ids = [node.broker.producer_ids.take() for _ in range(2)]
        await node.stop()
        return ids

    assert run(main) == [0, 1]
