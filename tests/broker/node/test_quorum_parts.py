"""What the quorum of a node is made of, by its settings."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.node.defaults import alone
from moldau.broker.node.quorum_parts import quorum_parts
from moldau.broker.node.server_properties import node_settings
from moldau.broker.node.storage import format_alone, open_storage
from moldau.platform.ports.network import Address
from tests.broker.node.simulated_node import run

PEERS: Any = object()
LISTENING = (("CONTROLLER", Address("broker", 4711)),)


def parts(addresses=LISTENING, **settings):
    async def main(machine):
        world = machine.world()
        given = {key.replace("_", "."): value for key, value in settings.items()}
        chosen = node_settings(alone("data", host="broker"), given)
        format_alone(world, chosen)
        storage = open_storage(world.files, chosen, world.random, lambda directories: None)
        try:
            return quorum_parts(chosen, world, storage, dict(addresses), PEERS), storage
        finally:
            storage.close()

    return run(main)


def test_a_node_alone_knows_itself_and_where_it_listens():
    found, storage = parts()
    assert found.voters.ids == set()
    assert found.identity.directory_id == storage.metadata_directory_id
    assert found.identity.cluster_id == storage.cluster_id
    assert {place.port for place in found.identity.endpoints.values()} == {4711}
    assert found.make_controller is not None
    assert found.peers is PEERS
    assert not found.finds_voters


def test_a_broker_has_no_controller():
    found, _ = parts(
        addresses=(),
        process_roles="broker",
        listeners="PLAINTEXT://broker:9092",
        controller_quorum_voters="7@elsewhere:9093",
    )
    assert found.make_controller is None
    assert found.voters.ids == {7}
    assert found.identity.endpoints == {}


@pytest.mark.parametrize("addresses", ["a:1", "a:1,b:2"])
def test_voters_are_found_where_only_servers_are_named(addresses):
    found, _ = parts(controller_quorum_voters="", controller_quorum_bootstrap_servers=addresses)
    assert found.finds_voters
    assert len(found.bootstrap) == len(addresses.split(","))
