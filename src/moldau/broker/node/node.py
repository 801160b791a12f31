"""A node: makes every part, starts them in their order, and stops them in the opposite one.

    start   listeners (held back) ─► directories ─► quorum ─► replicas, coordinators ─► registered
            ─► all logs open ─► unfenced ─► listeners serve
    stop    relieved of what it leads ─► listeners close ─► coordinators ─► logs synced and closed
            ─► quorum resigned ─► directories marked clean

Parts are made here and in `construction`; what a part does is never decided here.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from functools import cache
from typing import TYPE_CHECKING

from moldau.broker.log.directory.directories import LogDirectories
from moldau.broker.log.directory.directory import LogDirectory
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.metadata.settings import BROKER, CLUSTER_DEFAULT, TOPIC
from moldau.broker.metadata.settings import Quotas as QuotaImage
from moldau.broker.node.construction import (
    make_broker,
    make_connections,
    make_lifecycle,
    make_quotas,
    make_replicas,
)
from moldau.broker.node.coordination import Coordination
from moldau.broker.node.following import Following
from moldau.broker.node.guarding import Guarding
from moldau.broker.node.listeners import (
    connection_limits,
    endpoints,
    listener_rates,
    open_listeners,
)
from moldau.broker.node.log_dir_failure import check_log_dirs
from moldau.broker.node.not_yet import refuse_what_is_not_there
from moldau.broker.node.quorum_parts import quorum_parts
from moldau.broker.node.storage import Storage, open_storage
from moldau.broker.node.when_needed import when_needed
from moldau.broker.node.world import NodeWorld
from moldau.broker.replica.cleaning import CleanerLimits
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.runtime.controller_channel import ControllerChannel, HereOnly
from moldau.broker.runtime.quorum_loop import MetadataQuorum
from moldau.broker.server.broker import Broker, ClusterParts
from moldau.broker.server.connections import Connections
from moldau.broker.server.controller.registration import make_controller_known
from moldau.broker.server.controller.replica_reports import ReplicaReports
from moldau.broker.server.dispatch import Dispatcher
from moldau.broker.server.lifecycle import Lifecycle
from moldau.broker.server.monitoring.gauges import register_gauges
from moldau.config.broker.settings import BrokerSettings
from moldau.config.sources import BrokerLayers
from moldau.config.topic import TopicSettings
from moldau.config.topic_defaults import TopicDefaults
from moldau.errors import CorruptRecordError
from moldau.network.connection import FrameHandler
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Task
from moldau.protocol.wire.uuids import new_uuid

if TYPE_CHECKING:
    from moldau.broker.server.other_brokers import OtherBrokers
    from moldau.network.outgoing.channels import Channels
    from moldau.schemas.known import SchemaLookup

__all__ = ["Node"]

log = logging.getLogger(__name__)

NO_QUOTAS = QuotaImage()
NO_EPOCH = -1
"""What a controller has, that is registered as no broker."""
LEAVE_MS_MAX = 30_000
"""How long the controller may take to relieve a broker that stops."""

STARTED_LINES = (
    "[BrokerLifecycleManager id=%d] The broker has been unfenced. "
    "Transitioning from RECOVERY to RUNNING.",
    "[BrokerServer id=%d] Transition from STARTING to STARTED",
    "[KafkaRaftServer nodeId=%d] Kafka Server started",
    "[KafkaServer id=%d] started",
)
"""What programs that start Kafka in a container wait for, each for another of them."""


class Node:
    """One broker and controller in one process."""

    def __init__(
        self,
        settings: BrokerSettings,
        world: NodeWorld,
        *,
        metrics_address: Address | None = None,
        before: Callable[[Dispatcher], FrameHandler] | None = None,
    ) -> None:
        refuse_what_is_not_there(settings)
        self.settings = settings
        """As they are now: some can be changed while the node runs."""
        self._topic_defaults = TopicDefaults(settings)
        self._started_with = settings.all_given
        self.metrics_address = metrics_address
        """Where `/metrics` is read; None for nowhere."""
        self.addresses: dict[str, Address] = {}
        """Where each listener really is, once the node has started."""
        self._world = world
        self._guarding = Guarding(settings, world, before)
        self._channels: list[Channels] = []
        self._storage: Storage | None = None
        self._connections: Connections | None = None
        self._quorum: MetadataQuorum | None = None
        self._quotas = make_quotas(settings, world, self._quota_image)
        self._lifecycle: Lifecycle | None = None
        self.coordination: Coordination | None = None
        self._upkeep: Upkeep | None = None
        self.following: Following | None = None
        self._export: Task | None = None
        self._has_quorum = False
        self._to_controllers = when_needed(cache(self._channels_to_controllers))
        self.broker: Broker
        self._controller_side: Broker
        """The same, as it answers on the listeners of controllers: for itself alone."""
        self.schemas: SchemaLookup | None = None
        """Where schemas are looked up, if not by `confluent.schema.registry.url`."""

    def __repr__(self) -> str:
        places = ", ".join(f"{name} on {place}" for name, place in self.addresses.items())
        return f"Node({self.settings.node_id}: {places or 'not started'})"

    @property
    def address(self) -> Address:
        """The address to which clients connect."""
        settings = self.settings
        listeners = settings.broker_listeners if settings.is_broker else settings.listener_list
        return self.addresses[listeners[0].name]

    @property
    def bugs(self) -> int:
        """Requests that failed by an unexpected error."""
        return sum(dispatcher.bugs for dispatcher in self._guarding.dispatchers.values())

    @property
    def answered(self) -> int:
        """Requests that were taken, since the start."""
        return sum(dispatcher.taken for dispatcher in self._guarding.dispatchers.values())

    @property
    def connection_count(self) -> int:
        return 0 if self._connections is None else len(self._connections)

    # Starting.

    async def start(self) -> None:
        """Return when the node serves; what was begun is stopped again if it cannot, or may not."""
        is_started = False
        try:
            await self._start()
            is_started = True
        finally:
            if not is_started:
                await self.stop()

    async def _start(self) -> None:
        world, settings = self._world, self.settings
        self._storage = storage = open_storage(
            world.files, settings, world.random, self._refuse_loss
        )
        self._connections = connections = make_connections(settings, world, self._quotas)
        self.addresses = await open_listeners(
            settings, connections, self._guarding.handler_for, self._guarding.protect
        )
        parts = quorum_parts(settings, world, storage, self.addresses, self._to_controllers)
        self._quorum = quorum = MetadataQuorum(parts)
        try:
            await quorum.start()
        except CorruptRecordError:
            storage.leave_as_found()
            raise
        self._has_quorum = True
        channel = self._make_controller_channel(quorum)
        others = when_needed(cache(lambda: self._other_brokers(quorum)))
        self.broker = broker = make_broker(
            settings,
            world,
            storage.cluster_id,
            ClusterParts(channel, quorum, others),
            make_replicas(settings, world, storage, quorum.image, self._settings_of),
            quotas=self._quotas,
            shows_metrics=self.metrics_address is not None,
        )
        self.coordination = Coordination(broker, connections)
        self._guarding.serve(broker)
        self._serve_controllers(broker, HereOnly(quorum), connections)
        if settings.is_broker:
            await self._start_broker(storage, quorum, channel)
        register_gauges(broker.metrics, broker, connections, self._upkeep, world.usage)
        await self._report_metrics(broker)
        connections.begin()
        if settings.is_controller:
            world.tasks.spawn(
                "registration of the controller", self._make_controller_known(channel)
            )
        for line in STARTED_LINES if settings.is_broker else STARTED_LINES[2:]:
            log.info(line, settings.node_id)

    async def _start_broker(
        self, storage: Storage, quorum: MetadataQuorum, channel: ControllerChannel
    ) -> None:
        """Return when the cluster has it as a broker that serves."""
        broker = self.broker
        self._lifecycle = lifecycle = make_lifecycle(
            self.settings,
            self._world,
            storage,
            quorum,
            channel,
            endpoints(self.settings.advertised, self.addresses, self._world.host_name),
            when_registered=self._registered,
            cordoned=lambda: self.settings.cordoned_log_dirs or (),
        )
        await lifecycle.register()
        await quorum.wait_until(lambda image: image.offset >= broker.epoch)
        await self._start_replicas(broker, quorum)
        await lifecycle.unfence()
        await quorum.wait_until(lambda image: not image.cluster.brokers[broker.node_id].fenced)
        for listener in self.settings.broker_listeners:
            self._guarding.dispatchers[listener.name].serve(broker)

    def _refuse_loss(self, directories: LogDirectories) -> None:
        if self.settings.own.moldau_refuse_loss:
            from moldau.broker.node.loss import refuse_loss

            refuse_loss(self._world, self.settings, directories)

    async def _make_controller_known(self, channel: ControllerChannel) -> None:
        """Beside what is served already; only requests of the controllers lead there."""
        settings, world = self.settings, self._world
        advertised = endpoints(settings.controller_listeners, self.addresses, world.host_name)
        await make_controller_known(
            channel,
            world.tasks,
            settings.node_id,
            new_uuid(world.random),
            list(advertised.values()),
            runs_unstable=settings.unstable_feature_versions_enable,
        )

    async def _report_metrics(self, broker: Broker) -> None:
        """To those who read a page, and to a collector, where there is one of the two."""
        place = self.metrics_address
        if place is not None or self.settings.own.moldau_otlp_metrics_url:
            from moldau.broker.node.reporting import report

            self.metrics_address, self._export = await report(broker, self._world, place)

    def _quota_image(self) -> QuotaImage:
        return NO_QUOTAS if self._quorum is None else self._quorum.image.quotas

    def _serve_controllers(self, broker: Broker, here: HereOnly, connections: Connections) -> None:
        """The other controllers need this one long before its broker may serve."""
        self._controller_side = broker.beside(here)
        names = [listener.name for listener in self.settings.controller_listeners]
        if names:
            self._watch_brokers(connections)
        for name in names:
            self._guarding.dispatchers[name].serve(self._controller_side)
        connections.begin_on(names)

    def _watch_brokers(self, connections: Connections) -> None:
        """Notice at once when the process of a broker ends."""
        from moldau.broker.server.controller.early_fencing import EarlyFencing

        quorum = self._quorum
        assert quorum is not None
        side, world = self._controller_side, self._world
        side.early_fencing = EarlyFencing(
            world.network, world.tasks, side.node_id, lambda: quorum.image, quorum.end_session
        )
        connections.when_lost.append(side.early_fencing.connection_lost)
        quorum.when_active = side.early_fencing.probe_all

    def _make_controller_channel(self, quorum: MetadataQuorum) -> ControllerChannel:
        settings, world = self.settings, self._world
        quorum.leader_changes.when_lost = self._controller_lost
        return ControllerChannel(
            quorum,
            settings.node_id,
            self._to_controllers,
            world.tasks,
            world.clock,
            timeout_ms=settings.request_timeout_ms,
        )

    def _controller_lost(self, address: Address) -> None:
        """No more requests are sent to it, and the next one gets a heartbeat at once."""
        self._to_controllers.abandon(address, "another node leads the quorum now")
        if self._lifecycle is not None:
            self._lifecycle.send_heartbeat_now()

    def _channels_to_controllers(self) -> Channels:
        from moldau.broker.node.outgoing import channels_to_controllers

        return self._keep(channels_to_controllers(self.settings, self._world))

    def _channels_to_brokers(self) -> Channels:
        from moldau.broker.node.outgoing import channels_to_brokers

        return self._keep(channels_to_brokers(self.settings, self._world))

    def _keep(self, channels: Channels) -> Channels:
        """They are closed when the node stops."""
        self._channels.append(channels)
        return channels

    def _other_brokers(self, quorum: MetadataQuorum) -> OtherBrokers:
        from moldau.broker.server.other_brokers import OtherBrokers

        channels = when_needed(cache(self._channels_to_brokers))
        return OtherBrokers(channels, lambda: quorum.image, self.settings.inter_broker_listener)

    def _settings_of(self, image: object, topic: str) -> TopicSettings:
        assert isinstance(image, Image), image
        if self._topic_defaults.broker is not self.settings:
            self._topic_defaults = TopicDefaults(self.settings)
        return self._topic_defaults.settings(image.configs.of(TOPIC, topic))

    def _registered(self, epoch: int) -> None:
        """Everything that is sent from now on is of this life."""
        self.broker.epoch = epoch

    async def _start_replicas(self, broker: Broker, quorum: MetadataQuorum) -> None:
        """Open the logs, then follow the metadata."""
        replicas: ReplicaManager = broker.replicas
        replicas.image = quorum.image
        self._take_schema_checks(quorum.image, quorum.image.configs.by_resource)
        ReplicaReports(broker).listen()
        await replicas.start()
        if self.coordination is not None:
            self.coordination.follow()
        quorum.subscribe(self._follow)
        await replicas.settled()
        self._upkeep = Upkeep(replicas, self.settings, on_offline=self._directory_failed)
        self._upkeep.start()
        self.following = Following(broker, self._world, self._upkeep)
        self.following.begin()

    def _directory_failed(self, directory: LogDirectory) -> None:
        assert self._storage is not None
        assert self._lifecycle is not None
        check_log_dirs(self._storage, directory)
        self._lifecycle.send_heartbeat_now()

    def _follow(self, delta: Delta, image: Image) -> None:
        """One change of the metadata, in its order."""
        if any(kind == BROKER for kind, _ in delta.changed_configs):
            self._take_settings(image)
        self._watch_others(delta, image)
        if self._lifecycle is not None:
            self._lifecycle.brokers_changed(delta.changed_brokers)
        if self.following is not None and self.broker.node_id in delta.changed_brokers:
            self.following.ask_again()
        self._take_schema_checks(image, delta.changed_configs)
        self.broker.replicas.apply(delta, image)
        if self.coordination is not None:
            self.coordination.metadata_changed(delta, image)
        is_serving = self._connections is not None and self._connections.is_serving
        if is_serving and (delta.changed_topics or delta.deleted_topics):
            from moldau.broker.server.topic.changes import log_topic_changes

            log_topic_changes(delta, image)
        if delta.scram.changed:
            from moldau.broker.server.login.credential_changes import log_credential_changes

            log_credential_changes(delta)

    def _watch_others(self, delta: Delta, image: Image) -> None:
        """What Metadata shows of brokers whose process ends."""
        broker, world = self.broker, self._world
        if broker.lost_brokers is None and len(image.cluster.brokers) > 1:
            from moldau.broker.server.topic.lost_brokers import LostBrokers

            broker.lost_brokers = LostBrokers(
                world.network,
                world.tasks,
                lambda: broker.metadata.image,
                self.settings.broker_session_timeout_ms,
            )
        if broker.lost_brokers is not None:
            broker.lost_brokers.follow(delta, image)

    def _take_schema_checks(self, image: Image, changed: Iterable[tuple[int, str]]) -> None:
        if self.broker.schema_checks is None and image.configs.ask_for_schemas(changed):
            from moldau.broker.node.schema_checks import schema_checks

            self.broker.schema_checks = schema_checks(self, self._world)

    def _take_settings(self, image: Image) -> None:
        """What is set for this broker, and for all, wins over what it was started with."""
        own = str(self.broker.node_id)
        layers = BrokerLayers(
            self._started_with,
            image.configs.of(BROKER, CLUSTER_DEFAULT),
            image.configs.of(BROKER, own),
        )
        self.settings = self.broker.settings = self._controller_side.settings = layers.settings
        verifies = self.settings.transaction_partition_verification_enable
        self.broker.replicas.verify_transactions(verifies)
        self.broker.replicas.throttles.take(self.settings)
        if self._upkeep is not None:
            self._upkeep.cleaner.limits = CleanerLimits.of(self.settings)
        if self._connections is not None:
            self._connections.take_limits(connection_limits(self.settings))
        self._quotas.listener_rates = listener_rates(self.settings)
        if self.following is not None:
            self.following.take_settings()
        self._guarding.take_settings(self.settings)

    # Stopping.

    async def stop(self) -> None:
        """Leave in order; whatever was never started is left out."""
        if self._lifecycle is not None and self.settings.controlled_shutdown_enable:
            await self._lifecycle.leave(LEAVE_MS_MAX)
        if self._connections is not None:
            self._connections.close()
        if self._export is not None:
            self._export.cancel()
        await self._guarding.leave()
        self._guarding.close()
        if self.coordination is not None:
            self.coordination.close()
        await self._leave_logs()
        await self._stop_quorum()
        if self._storage is not None:
            self._mark_clean(self._storage)
            self._storage.close()
        log.info("[KafkaServer id=%d] shut down completed", self.settings.node_id)

    def _mark_clean(self, storage: Storage) -> None:
        """What was opened is closed in order; nothing is marked that was not."""
        if self._upkeep is not None and self._lifecycle is not None:
            storage.mark_clean(self._lifecycle.epoch)
        elif self._has_quorum and not self.settings.is_broker:
            storage.mark_clean(NO_EPOCH)

    async def _leave_logs(self) -> None:
        """Nothing is fetched into them any more; then they are closed."""
        if self.following is not None:
            await self.following.stop()
        if self._upkeep is not None:
            await self._upkeep.stop()

    async def _stop_quorum(self) -> None:
        """Resign from the quorum, then close the connections to other nodes."""
        if self._quorum is not None:
            await self._quorum.stop()
        for channels in self._channels:
            channels.close()
