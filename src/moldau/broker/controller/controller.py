"""The active controller: every request about the cluster's metadata goes through one table.

    request ──► decide ──► records, reply ──► the quorum appends ──► apply ──► … committed: reply
    time    ──► tick   ──► records

`decide` and `tick` look; `apply` is the only place where durable state is assigned. Records are
applied as soon as they are appended, so the next decision builds on them although they are not
committed yet. If they never are, the quorum has another leader, and this whole object is dropped.

The runtime keeps `next_offset` true: after `apply` it is what follows the records, and when the
quorum appends something of its own (a leader change, voters), `skip_to` is called.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from moldau.broker.controller.brokers.sessions import Sessions
from moldau.broker.controller.decision import Call, Deciding, Decision
from moldau.broker.controller.partitions.replica_index import ReplicaIndex
from moldau.broker.controller.periodic import Periodic
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.features import KRAFT_VERSION
from moldau.broker.metadata.image import Image
from moldau.config.broker.settings import BrokerSettings
from moldau.platform.ports.randomness import Random
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.wire.schema import Message

Decider = Callable[[Any, Situation, Call], Decision | Deciding]

DECIDERS: Mapping[int, str] = {
    ApiKey.CREATE_TOPICS: "topics.create.create_topics",
    ApiKey.DELETE_TOPICS: "topics.delete.delete_topics",
    ApiKey.CREATE_ACLS: "security.acls.create_acls",
    ApiKey.DELETE_ACLS: "security.acls.delete_acls",
    ApiKey.ALTER_CONFIGS: "configs.alter.alter_all",
    ApiKey.CREATE_PARTITIONS: "topics.grow.create_partitions",
    ApiKey.CREATE_DELEGATION_TOKEN: "security.tokens.create_token",
    ApiKey.RENEW_DELEGATION_TOKEN: "security.tokens.renew_token",
    ApiKey.EXPIRE_DELEGATION_TOKEN: "security.tokens.expire_token",
    ApiKey.ELECT_LEADERS: "partitions.elections.elect_leaders",
    ApiKey.INCREMENTAL_ALTER_CONFIGS: "configs.alter.alter_some",
    ApiKey.ALTER_PARTITION_REASSIGNMENTS: "partitions.moves.alter_moves",
    ApiKey.LIST_PARTITION_REASSIGNMENTS: "partitions.moves.list_moves",
    ApiKey.ALTER_CLIENT_QUOTAS: "cluster.quotas.alter_quotas",
    ApiKey.ALTER_USER_SCRAM_CREDENTIALS: "security.scram.alter_scram",
    ApiKey.ALTER_PARTITION: "partitions.alter_partition.alter_partitions",
    ApiKey.UPDATE_FEATURES: "cluster.features.update_features",
    ApiKey.BROKER_REGISTRATION: "brokers.registration.register_broker",
    ApiKey.BROKER_HEARTBEAT: "brokers.heartbeat.heartbeat",
    ApiKey.UNREGISTER_BROKER: "brokers.unregistration.unregister_broker",
    ApiKey.ALLOCATE_PRODUCER_IDS: "cluster.producer_ids.allocate_producer_ids",
    ApiKey.CONTROLLER_REGISTRATION: "brokers.controllers.register_controller",
    ApiKey.ASSIGN_REPLICAS_TO_DIRS: "brokers.directories.assign_replicas",
}
"""The deciding functions by API key: imported with the first request of their API."""


@cache
def decider_of(api_key: int) -> Decider:
    """The function that decides about requests of this API."""
    module, _, name = DECIDERS[api_key].rpartition(".")
    decide: Decider = getattr(import_module(f"moldau.broker.controller.{module}"), name)
    return decide


class Controller:
    """Decides about brokers, topics, partitions, settings, features and rights."""

    def __init__(
        self, settings: BrokerSettings, random: Random, image: Image, cluster_id: str = ""
    ) -> None:
        self.image = image
        """The metadata, with records that may not be committed yet."""
        self.next_offset = image.offset + 1
        self._settings = settings
        self._random = random
        self._cluster_id = cluster_id
        self._sessions = Sessions(
            settings.broker_session_timeout_ms, settings.own.moldau_broker_session_timeout_ms
        )
        self._periodic = Periodic(settings)
        self._replicas = ReplicaIndex(image.topics)

    def __repr__(self) -> str:
        return f"Controller(next offset {self.next_offset}, {self._sessions!r})"

    def activate(self, now_ms: int, former_leader: tuple[int, int] | None = None) -> None:
        """This node has become the leader: from now on it waits for heartbeats.

        Of the leader before it there are the id, and the time of the last answer to this node.
        """
        self._sessions.begin(self.image.cluster.brokers, now_ms)
        if former_leader is not None:
            self._sessions.doubt(*former_leader, now_ms)
        if self._settings.is_broker:
            # The broker of this process lives or dies with it, and the lock on its directories
            # shows that no other process is it: after a kill it need not wait for its own session
            # to end.
            self._sessions.drop(self._settings.node_id)
        self._periodic.begin(now_ms)

    def end_session(self, broker_id: int, broker_epoch: int) -> None:
        """The process of that broker, in that life, has ended: the next `tick` fences it."""
        broker = self.image.cluster.brokers.get(broker_id)
        if broker is not None and broker.epoch == broker_epoch:
            self._sessions.end(broker_id)

    def silences_ms(self, now_ms: int) -> dict[int, int]:
        """How long ago each live broker's last heartbeat came."""
        return self._sessions.silences_ms(now_ms)

    def note_fetch(self, node_id: int, now_ms: int) -> None:
        """The process of that node has fetched the metadata, so it lives."""
        self._sessions.note_fetch(node_id, now_ms)

    def skip_to(self, next_offset: int) -> None:
        """The quorum has appended records that are not metadata."""
        self.next_offset = max(self.next_offset, next_offset)

    def set_kraft_version(self, level: int) -> None:
        """The quorum has written down its own level."""
        delta = Delta(self.image)
        delta.features.set_level(KRAFT_VERSION, level)
        self.image = delta.build()

    def decide(
        self, request: Message, call: Call, now_ms: int, wall_ms: int
    ) -> Decision | Deciding:
        """The records and the reply for this request, or `KafkaError`; or the way to them."""
        return decider_of(type(request).KEY)(request, self._situation(now_ms, wall_ms), call)

    def apply(self, records: Sequence[Message], last_offset: int, epoch: int, now_ms: int) -> None:
        """These records are in the log, the last one at this offset."""
        if records:
            delta = Delta(self.image)
            for record in records:
                delta.apply(record)
            delta.advance(last_offset, epoch)
            self.image = delta.build()
            self._replicas.follow(delta.topics, self.image.topics)
        self.skip_to(last_offset + 1)
        self._periodic.applied(now_ms)

    def tick(self, now_ms: int, wall_ms: int) -> Decision:
        """What has become due."""
        return self._periodic.tick(self._situation(now_ms, wall_ms))

    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted next."""
        return self._periodic.wake_at_ms(self._sessions)

    def _situation(self, now_ms: int, wall_ms: int) -> Situation:
        return Situation(
            image=self.image,
            settings=self._settings,
            sessions=self._sessions,
            replicas=self._replicas,
            random=self._random,
            now_ms=now_ms,
            wall_ms=wall_ms,
            next_offset=self.next_offset,
            cluster_id=self._cluster_id,
        )
