"""What a handler may ask for: the node's parts, as one record.

The node fills it when it has made them; handlers get it beside each call. Nothing here decides
anything. Parts that only some nodes have are None elsewhere.
"""

from __future__ import annotations

from collections.abc import Awaitable, Mapping
from dataclasses import field
from typing import Any, Protocol

from moldau.broker.controller.decision import Call as ControllerCall
from moldau.broker.controller.decision import Sender
from moldau.broker.metadata.image import Image
from moldau.broker.metrics.registry import Registry
from moldau.broker.security.authorizer import AllowAll, Authorizer
from moldau.broker.server.call import Call
from moldau.broker.server.fetch.kept_reads import KeptReads
from moldau.broker.server.monitoring.traffic import Traffic
from moldau.broker.server.topic.answers import TopicAnswersKept
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.wire.schema import Message

__all__ = ["Broker", "Metadata", "controller_call"]


class Metadata(Protocol):
    """The cluster's metadata as this node knows it, and the way to change it."""

    @property
    def image(self) -> Image:
        """What is committed."""
        ...

    @property
    def leader_id(self) -> int:
        """The active controller; -1 while there is none."""
        ...

    def ask(self, request: Message, call: ControllerCall) -> Awaitable[Message]:
        """The active controller's answer, once what it decided is committed."""
        ...

    def answer(self, request: Message, call: ControllerCall) -> Awaitable[Message]:
        """The quorum's answer to what nodes and tools ask about its log and its members."""
        ...


@dataclass(slots=True, kw_only=True)
class Broker:
    """One node, seen by its handlers."""

    node_id: int
    cluster_id: str
    settings: Any
    """`config.broker.BrokerSettings` as they are now."""
    metadata: Metadata
    clock: Clock
    random: Random
    tasks: Tasks
    authorizer: Authorizer = field(default_factory=AllowAll)
    audit: Any = None
    """`server.audit.audit.Audit`, where logins, denials and changes are kept."""
    controller_listeners: frozenset[str] = frozenset({"CONTROLLER"})
    """Names of the listeners that speak with controllers alone."""
    epoch: int = -1
    """This broker's epoch, from its registration."""
    quorum: Any = None
    """`runtime.quorum_loop.MetadataQuorum`: this node's own part in it."""
    others: Any = None
    """`server.other_brokers.OtherBrokers`: the way to the other brokers."""
    vanished: Any = None
    """`server.controller.vanished_brokers.VanishedBrokers`, on controllers."""
    lost_brokers: Any = None
    """`server.topic.lost_brokers.LostBrokers`, where there are other brokers."""
    replicas: Any = None
    """`replica.manager.ReplicaManager`."""
    replica_fetchers: Any = None
    """`runtime.replication.fetchers.ReplicaFetchers`, once a partition here has followed."""
    groups: Any = None
    """`runtime.shard_loop.ShardRuntime` of `__consumer_offsets`."""
    transactions: Any = None
    """`ShardRuntime` of `__transaction_state`."""
    share_states: Any = None
    """`runtime.share_states.ShareStates`, which has the `ShardRuntime` of its topic."""
    shares: Any = None
    """`runtime.share_partitions.SharePartitions`: those that this broker leads."""
    share_sessions: Any = None
    """`server.share_sessions.ShareSessions`."""
    purgatory: Any = None
    """`runtime.purgatory`: delayed operations, which wait for a condition or a deadline."""
    fetch_sessions: Any = None
    quotas: Any = None
    metrics: Registry = field(default_factory=Registry)
    shows_metrics: bool = False
    """Whether they can be read from outside, those of clients too."""
    started_with: Mapping[str, str] = field(init=False)
    """What its file has; `settings` has besides what was changed since."""
    traffic: Traffic = field(init=False)
    """Bytes and messages that clients bring and take."""
    topic_answers: TopicAnswersKept = field(init=False)
    """What Metadata says of topics, encoded."""
    fetch_reads: KeptReads = field(default_factory=KeptReads)
    """What was read for consumers that others follow."""
    telemetry: Any = None
    directories: Any = None
    """`log.directory.directories.LogDirectories`."""
    topic_creation: Any = None
    """`server.topic_creation.TopicCreation`: topics that come into being when they are named."""
    producer_ids: Any = None
    """`runtime.producer_ids.ProducerIds`: identities for producers."""
    transaction_client: Any = None
    """Asks transaction coordinators, for other coordinators and partitions here."""

    def __post_init__(self) -> None:
        self.started_with = getattr(self.settings, "all_given", {})
        self.traffic = Traffic(self.metrics)
        self.topic_answers = TopicAnswersKept()

    def serves_controllers(self, listener: str) -> bool:
        """Whether that listener is one of the controller's."""
        return listener in self.controller_listeners


def controller_call(call: Call) -> ControllerCall:
    """The same caller, as the controller minds it."""
    return ControllerCall(
        version=call.version,
        principal=str(call.principal),
        client_id=call.client_id or "",
        sender=Sender(call.principal, call.peer.host, call.correlation_id),
    )
