"""A node's telemetry is made when a client asks for it."""

from __future__ import annotations

from moldau.broker.server.telemetry.telemetry import Telemetry
from moldau.protocol.messages.config.get_telemetry_subscriptions import (
    GetTelemetrySubscriptionsRequest,
)
from tests.broker.node.simulated_node import run


def test_the_first_who_asks_has_it_made():
    async def main(machine):
        node = machine.node(telemetry_max_bytes=4321)
        await node.start()
        before = isinstance(node.broker.telemetry, Telemetry)
        client = await machine.connect(node)
        answer = await machine.ask(
            client, GetTelemetrySubscriptionsRequest(client_instance_id=bytes(16)), 0
        )
        after = isinstance(node.broker.telemetry, Telemetry)
        await node.stop()
        return before, after, answer.telemetry_max_bytes

    assert run(main) == (False, True, 4321)
