"""The active controller: every request about the cluster's metadata goes through one table.

    request ──► decide ──► records, reply ──► the quorum appends ──► apply ──► … committed: reply
    time    ──► tick   ──► records

`decide` and `tick` look; `apply` is the only place where durable state is assigned. Records are
applied as soon as they are appended, so the next decision builds on them although they are not
committed yet. If they never are, the quorum has another leader, and this whole object is dropped.

Whoever runs it keeps `next_offset` true: after `apply` it is what follows the records, and when the
quorum appends something of its own (a leader change, voters), `skip_to` says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from moldau.config.broker.settings import BrokerSettings
from moldau.controller.brokers.controllers import register_controller
from moldau.controller.brokers.directories import assign_replicas
from moldau.controller.brokers.heartbeat import heartbeat
from moldau.controller.brokers.registration import register_broker
from moldau.controller.brokers.sessions import Sessions
from moldau.controller.brokers.unregistration import unregister_broker
from moldau.controller.cluster.features import update_features
from moldau.controller.cluster.producer_ids import allocate_producer_ids
from moldau.controller.cluster.quotas import alter_quotas
from moldau.controller.configs.alter import alter_all, alter_some
from moldau.controller.decision import Call, Decision
from moldau.controller.partitions.alter_partition import alter_partitions
from moldau.controller.partitions.elections import elect_leaders
from moldau.controller.partitions.moves import alter_moves, list_moves
from moldau.controller.periodic import Periodic
from moldau.controller.security.acls import create_acls, delete_acls
from moldau.controller.security.scram import alter_scram
from moldau.controller.security.tokens import create_token, expire_token, renew_token
from moldau.controller.situation import Situation
from moldau.controller.topics.create import create_topics
from moldau.controller.topics.delete import delete_topics
from moldau.controller.topics.grow import create_partitions
from moldau.messages.broker.allocate_producer_ids import AllocateProducerIdsRequest
from moldau.messages.broker.alter_partition import AlterPartitionRequest
from moldau.messages.broker.assign_replicas_to_dirs import AssignReplicasToDirsRequest
from moldau.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.messages.broker.broker_registration import BrokerRegistrationRequest
from moldau.messages.broker.controller_registration import ControllerRegistrationRequest
from moldau.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.messages.cluster.update_features import UpdateFeaturesRequest
from moldau.messages.config.alter_client_quotas import AlterClientQuotasRequest
from moldau.messages.config.alter_configs import AlterConfigsRequest
from moldau.messages.config.incremental_alter_configs import IncrementalAlterConfigsRequest
from moldau.messages.security.alter_user_scram_credentials import AlterUserScramCredentialsRequest
from moldau.messages.security.create_acls import CreateAclsRequest
from moldau.messages.security.create_delegation_token import CreateDelegationTokenRequest
from moldau.messages.security.delete_acls import DeleteAclsRequest
from moldau.messages.security.expire_delegation_token import ExpireDelegationTokenRequest
from moldau.messages.security.renew_delegation_token import RenewDelegationTokenRequest
from moldau.messages.topic.alter_partition_reassignments import AlterPartitionReassignmentsRequest
from moldau.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.messages.topic.create_topics import CreateTopicsRequest
from moldau.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.messages.topic.list_partition_reassignments import ListPartitionReassignmentsRequest
from moldau.metadata.delta import Delta
from moldau.metadata.image import Image
from moldau.ports.randomness import Random
from moldau.wire.schema import Message

Decider = Callable[[Any, Situation, Call], Decision]

DECIDERS: Mapping[type[Message], Decider] = {
    AllocateProducerIdsRequest: allocate_producer_ids,
    AlterClientQuotasRequest: alter_quotas,
    AlterConfigsRequest: alter_all,
    AlterPartitionReassignmentsRequest: alter_moves,
    AlterPartitionRequest: alter_partitions,
    AlterUserScramCredentialsRequest: alter_scram,
    AssignReplicasToDirsRequest: assign_replicas,
    BrokerHeartbeatRequest: heartbeat,
    BrokerRegistrationRequest: register_broker,
    ControllerRegistrationRequest: register_controller,
    CreateAclsRequest: create_acls,
    CreateDelegationTokenRequest: create_token,
    CreatePartitionsRequest: create_partitions,
    CreateTopicsRequest: create_topics,
    DeleteAclsRequest: delete_acls,
    DeleteTopicsRequest: delete_topics,
    ElectLeadersRequest: elect_leaders,
    ExpireDelegationTokenRequest: expire_token,
    IncrementalAlterConfigsRequest: alter_some,
    ListPartitionReassignmentsRequest: list_moves,
    RenewDelegationTokenRequest: renew_token,
    UnregisterBrokerRequest: unregister_broker,
    UpdateFeaturesRequest: update_features,
}
"""What the controller is asked, and who decides it."""


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
        self._sessions = Sessions(settings.broker_session_timeout_ms)
        self._periodic = Periodic(settings)

    def __repr__(self) -> str:
        return f"Controller(next offset {self.next_offset}, {self._sessions!r})"

    def activate(self, now_ms: int) -> None:
        """This node has become the leader: from now on it waits for heartbeats."""
        self._sessions.begin(self.image.cluster.brokers, now_ms)
        if self._settings.is_broker:
            # The broker of this process lives or dies with it, and the lock on its directories says
            # that no other process is it: after a kill it need not wait for its own session to end.
            self._sessions.drop(self._settings.node_id)
        self._periodic.begin(now_ms)

    def skip_to(self, next_offset: int) -> None:
        """The quorum has appended records that are not metadata."""
        self.next_offset = max(self.next_offset, next_offset)

    def decide(self, request: Message, call: Call, now_ms: int) -> Decision:
        """The records and the reply for this request, or `KafkaError`."""
        return DECIDERS[type(request)](request, self._situation(now_ms), call)

    def apply(self, records: Sequence[Message], last_offset: int, epoch: int, now_ms: int) -> None:
        """These records are in the log, the last one at this offset."""
        if records:
            delta = Delta(self.image)
            for record in records:
                delta.apply(record)
            delta.advance(last_offset, epoch)
            self.image = delta.build()
        self.skip_to(last_offset + 1)
        self._periodic.applied(now_ms)

    def tick(self, now_ms: int) -> Decision:
        """What has become due."""
        return self._periodic.tick(self._situation(now_ms))

    def wake_at_ms(self) -> int | None:
        """When `tick` is wanted next."""
        return self._periodic.wake_at_ms(self._sessions)

    def _situation(self, now_ms: int) -> Situation:
        return Situation(
            image=self.image,
            settings=self._settings,
            sessions=self._sessions,
            random=self._random,
            now_ms=now_ms,
            next_offset=self.next_offset,
            cluster_id=self._cluster_id,
        )
