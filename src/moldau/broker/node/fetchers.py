"""The fetchers of a node, with connections to the brokers that they fetch from."""

from __future__ import annotations

from moldau.broker.node.outgoing import protection_to_brokers
from moldau.broker.node.world import NodeWorld
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.runtime.replication.fetchers import ReplicaFetchers
from moldau.broker.runtime.replication.ports import FollowerWorld
from moldau.broker.server.broker import Broker
from moldau.broker.server.leaders import address_of
from moldau.network.outgoing.backoff import Backoff
from moldau.network.outgoing.channel import Channel
from moldau.network.outgoing.dialer import Dialer
from moldau.platform.ports.network import Address

__all__ = ["replica_fetchers"]

RECONNECT_MS = 50


def replica_fetchers(broker: Broker, world: NodeWorld, upkeep: Upkeep) -> ReplicaFetchers:
    """They reach leaders through the listener that brokers use among themselves."""
    settings = broker.settings
    dialer = Dialer(
        network=world.network,
        tasks=world.tasks,
        client_id=f"broker-{broker.node_id}-fetcher",
        request_timeout_ms=settings.replica_socket_timeout_ms,
        protection=protection_to_brokers(settings, world),
    )
    backoff = Backoff(world.random, RECONNECT_MS, RECONNECT_MS)

    def reach(broker_id: int) -> Channel | None:
        listener = broker.settings.inter_broker_listener
        place = address_of(broker.metadata.image, broker_id, listener)
        if place is None:
            return None
        channel = Channel(Address(place.host, place.port), dialer, world.clock, backoff)
        channel.when_lost = lambda reason: lost(broker_id)
        return channel

    def lost(broker_id: int) -> None:
        if broker.lost_brokers is not None:
            broker.lost_brokers.connection_lost(broker_id)

    return ReplicaFetchers(
        FollowerWorld(
            replicas=broker.replicas,
            tasks=world.tasks,
            clock=world.clock,
            reach=reach,
            settings=lambda: broker.settings,
            broker_epoch=lambda: broker.epoch,
            checkpoint=upkeep.write_recovery_points,
        )
    )
