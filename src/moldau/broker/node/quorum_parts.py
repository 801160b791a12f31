"""What the quorum of a node is made of: its replica id, its voters, and where its log is."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from moldau.broker.controller.controller import Controller
from moldau.broker.metadata.image import Image
from moldau.broker.node.listeners import endpoints
from moldau.broker.node.storage import Storage
from moldau.broker.node.world import NodeWorld
from moldau.broker.runtime.quorum.membership import Identity, bootstrap_addresses, configured_voters
from moldau.broker.runtime.quorum.parts import QuorumLoopSettings, QuorumParts
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.ports.network import Address

if TYPE_CHECKING:
    from moldau.network.outgoing.channels import Channels

__all__ = ["quorum_parts"]


def quorum_parts(
    settings: BrokerSettings,
    world: NodeWorld,
    storage: Storage,
    addresses: dict[str, Address],
    peers: Channels,
) -> QuorumParts:
    """Where each listener really is, is known by now; `peers` are the channels to other voters."""
    listener = settings.controller_listener_names[0]
    voters = configured_voters(settings.controller_quorum_voters, listener)
    return QuorumParts(
        identity=_identity(settings, world, storage, addresses),
        log_directory=storage.metadata_directory,
        world=world.for_logs,
        tasks=world.tasks,
        settings=QuorumLoopSettings.of(settings),
        voters=voters,
        listener=listener,
        peers=peers,
        make_controller=_maker(settings, world, storage.cluster_id),
        bootstrap=bootstrap_addresses(settings.controller_quorum_bootstrap_servers),
        clean=storage.was_clean,
        known_offset=storage.known_offset(votes_alone=voters.ids == {settings.node_id}),
        alone_offset=storage.known_offset(votes_alone=True),
        finds_voters=bool(settings.controller_quorum_bootstrap_servers),
    )


def _identity(
    settings: BrokerSettings, world: NodeWorld, storage: Storage, addresses: dict[str, Address]
) -> Identity:
    advertised = endpoints(settings.controller_listeners, addresses, world.host_name)
    places = {
        name: Address(advertised[name].host, advertised[name].port)
        for name in settings.controller_listener_names
        if name in advertised
    }
    return Identity(settings.node_id, storage.metadata_directory_id, storage.cluster_id, places)


def _maker(
    settings: BrokerSettings, world: NodeWorld, cluster_id: str
) -> Callable[[Image], Controller] | None:
    if not settings.is_controller:
        return None
    return partial(_controller, settings, world, cluster_id)


def _controller(
    settings: BrokerSettings, world: NodeWorld, cluster_id: str, image: Image
) -> Controller:
    return Controller(settings, world.random, image, cluster_id)
