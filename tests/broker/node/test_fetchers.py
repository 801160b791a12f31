"""The fetchers of a node reach leaders where the metadata say that they listen."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.metadata.cluster import BrokerState, Endpoint
from moldau.broker.node.fetchers import replica_fetchers
from moldau.platform.ports.network import Address
from moldau.platform.simulated.clock import SimulatedClock
from tests.broker.node.simulated_node import world_of


def reached(broker_id, **state):
    """Where a broker with these traits is reached."""
    settings = SimpleNamespace(
        inter_broker_listener="INSIDE",
        protocols={"INSIDE": "PLAINTEXT"},
        sasl_mechanism_inter_broker_protocol="GSSAPI",
        num_replica_fetchers=1,
        replica_socket_timeout_ms=30_000,
    )
    endpoints = {
        "INSIDE": Endpoint("INSIDE", "inside", 9093, 0),
        "OUTSIDE": Endpoint("OUTSIDE", "outside", 9092, 0),
    }
    known = BrokerState(
        broker_id=2, epoch=8, incarnation_id=bytes(16), endpoints=endpoints, **state
    )
    image = SimpleNamespace(cluster=SimpleNamespace(brokers={2: known}))
    broker: Any = SimpleNamespace(
        node_id=1, epoch=5, settings=settings, replicas=None, metadata=SimpleNamespace(image=image)
    )
    upkeep: Any = SimpleNamespace(write_recovery_points=None)
    world = world_of(files=None, clock=SimulatedClock())
    channel: Any = replica_fetchers(broker, world, upkeep)._world.reach(broker_id)
    return None if channel is None else channel.address


def test_a_leader_is_reached_through_the_listener_of_brokers():
    assert reached(2, fenced=False) == Address("inside", 9093)


@pytest.mark.parametrize(("broker_id", "fenced"), [(2, True), (9, False)])
def test_who_is_fenced_or_unknown_is_not_reached(broker_id, fenced):
    assert reached(broker_id, fenced=fenced) is None
