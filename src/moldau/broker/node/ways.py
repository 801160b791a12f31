"""The ways from a node to others, each protected as the listener that it leads to wants it.

Controllers are reached through the controllers' listener, brokers through the one between brokers.
Nothing is opened here: a channel connects when it is first asked.
"""

from __future__ import annotations

from moldau.broker.node.world import NodeWorld
from moldau.config.broker.settings import BrokerSettings
from moldau.network.outgoing.channels import Channels
from moldau.network.outgoing.dialer import Dialer

__all__ = ["ways_to_brokers", "ways_to_controllers"]


def ways_to_controllers(settings: BrokerSettings, world: NodeWorld) -> Channels:
    """A controller that cannot be reached in the time of a question is as good as silent."""
    setup_ms = min(
        settings.socket_connection_setup_timeout_ms, settings.controller_quorum_request_timeout_ms
    )
    return _channels(settings, world, setup_ms)


def ways_to_brokers(settings: BrokerSettings, world: NodeWorld) -> Channels:
    return _channels(settings, world, settings.socket_connection_setup_timeout_ms)


def _channels(settings: BrokerSettings, world: NodeWorld, setup_timeout_ms: int) -> Channels:
    dialer = Dialer(
        network=world.network,
        tasks=world.tasks,
        client_id=f"node-{settings.node_id}",
        setup_timeout_ms=setup_timeout_ms,
        request_timeout_ms=settings.request_timeout_ms,
    )
    return Channels(dialer, world.clock, world.random)
