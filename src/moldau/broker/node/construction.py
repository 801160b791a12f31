"""How the parts of a node are made of its settings and its world; `node` starts and stops them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from moldau.broker.metadata.cluster import Endpoint
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.node.listeners import connection_limits, listener_rates
from moldau.broker.node.storage import Storage
from moldau.broker.node.world import NodeWorld
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.throttle import Throttles
from moldau.broker.runtime.controller_channel import ControllerChannel
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.broker.server.broker import Broker, BrokerWorld, ClusterParts
from moldau.broker.server.connections import Connections
from moldau.broker.server.fetch.sessions import FetchSessions
from moldau.broker.server.lifecycle import Incarnation, Lifecycle
from moldau.broker.server.probing import count_refusing
from moldau.broker.server.quota.quotas import Quotas
from moldau.broker.server.quota.windows import Windows
from moldau.broker.server.topic.creation import TopicCreation
from moldau.config.broker.settings import BrokerSettings
from moldau.config.topic import TopicSettings
from moldau.network.budget import FrameBudget
from moldau.network.receiving import UNFINISHED_BYTES_MAX, Receiving
from moldau.protocol.wire.uuids import new_uuid

if TYPE_CHECKING:
    from moldau.broker.log.world import World

__all__ = ["make_broker", "make_connections", "make_lifecycle", "make_quotas", "make_replicas"]


def make_quotas(
    settings: BrokerSettings, world: NodeWorld, image: Callable[[], QuotaImage]
) -> Quotas:
    """What clients are throttled by."""
    return Quotas(
        world.clock,
        image,
        listener_rates(settings),
        windows=Windows(settings.quota_window_num, settings.quota_window_size_seconds),
        mutation_windows=Windows(
            settings.controller_quota_window_num, settings.controller_quota_window_size_seconds
        ),
        controller_listeners=settings.controller_listener_names,
    )


def make_connections(settings: BrokerSettings, world: NodeWorld, rates: Quotas) -> Connections:
    """All that clients and other nodes hold to this one."""
    budget = settings.queued_max_request_bytes
    receiving = Receiving(
        world.clock,
        world.tasks,
        settings.socket_request_max_bytes,
        FrameBudget(budget if budget > 0 else UNFINISHED_BYTES_MAX),
    )
    return Connections(
        world.network,
        receiving,
        connection_limits(settings),
        idle_ms=settings.connections_max_idle_ms,
        rates=rates,
    )


def make_replicas(
    settings: BrokerSettings,
    world: NodeWorld,
    storage: Storage,
    image: Image,
    settings_of: Callable[[object, str], TopicSettings],
) -> ReplicaManager:
    """The partitions of this broker; the settings of a topic are those of an image."""
    return ReplicaManager(
        settings.node_id,
        storage.directories,
        _world_of_logs(settings, world),
        world.tasks,
        image,
        settings_of,
        producer_id_expiration_ms=settings.producer_id_expiration_ms,
        verify_transactions=settings.transaction_partition_verification_enable,
        throttles=Throttles(world.clock, settings),
    )


def _world_of_logs(settings: BrokerSettings, world: NodeWorld) -> World:
    """The world of the topics' logs, with the keys that this node was given."""
    own = settings.own
    manager = own.moldau_encryption_at_rest_key_manager_class
    if not manager and not own.moldau_encryption_at_rest_key_file:
        return world.for_logs
    from moldau.broker.node.encryption import make_encryption

    return world.for_encrypted_logs(make_encryption(settings, world.for_logs))


def make_broker(
    settings: BrokerSettings,
    world: NodeWorld,
    cluster_id: str,
    cluster: ClusterParts,
    replicas: ReplicaManager,
    *,
    quotas: Quotas,
    shows_metrics: bool,
) -> Broker:
    """What the handlers of requests share."""
    sessions = FetchSessions(
        world.clock,
        world.random,
        settings.max_incremental_fetch_session_cache_slots,
        bytes_max=settings.max_incremental_fetch_session_cache_bytes,
    )
    broker = Broker(
        settings,
        cluster_id,
        BrokerWorld(world.clock, world.random, world.tasks),
        cluster,
        replicas,
        sessions,
        quotas=quotas,
        shows_metrics=shows_metrics,
    )
    broker.topic_creation = TopicCreation()
    if settings.authorizer_class_name:
        from moldau.broker.security.acls import AclAuthorizer

        broker.authorizer = AclAuthorizer(
            lambda: broker.metadata.image.acls.by_id,
            settings.super_users,
            allows_without_rules=settings.allows_without_rules,
        )
    return broker


def make_lifecycle(
    settings: BrokerSettings,
    world: NodeWorld,
    storage: Storage,
    quorum: MetadataQuorum,
    metadata: ControllerChannel,
    advertised: Mapping[str, Endpoint],
    *,
    when_registered: Callable[[int], None],
    cordoned: Callable[[], Collection[str]],
) -> Lifecycle:
    """The broker's way into the cluster and out of it."""
    incarnation = Incarnation(
        broker_id=settings.node_id,
        cluster_id=storage.cluster_id,
        incarnation_id=new_uuid(world.random),
        endpoints=list(advertised.values()),
        log_dirs=storage.directory_ids,
        rack=settings.broker_rack,
        previous_epoch=storage.previous_epoch,
        runs_unstable=settings.unstable_feature_versions_enable,
    )
    return Lifecycle(
        incarnation,
        metadata,
        world.tasks,
        heartbeat_ms=min(
            settings.broker_heartbeat_interval_ms,
            settings.own.moldau_broker_heartbeat_interval_ms,
        ),
        session_ms=settings.broker_session_timeout_ms,
        registration_timeout_ms=settings.initial_broker_registration_timeout_ms,
        when_registered=when_registered,
        offline_directories=lambda: storage.offline_ids,
        cordoned_directories=lambda: storage.ids_of(cordoned()),
        majority_has_ended=lambda: _majority_has_ended(world, quorum),
    )


async def _majority_has_ended(world: NodeWorld, quorum: MetadataQuorum) -> bool:
    """Whether the voters whose processes are there are too few to decide."""
    voters = quorum.node.voters
    refusing = await count_refusing(world.network, world.tasks, quorum.other_voters)
    return refusing > len(voters) - voters.majority
