"""What a handler may ask for: the node's parts, as one record.

The node fills it when it has made them; handlers get it beside each call. Nothing here decides
anything. Parts that only some nodes have are None elsewhere.

Some classes are imported for types alone: their modules are loaded by nodes that need them, and
most of them import this one. They are classes and no protocols, for what is looked up in every
request is compiled.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final, Protocol

from moldau.broker.controller.decision import Call as ControllerCall
from moldau.broker.controller.decision import Sender
from moldau.broker.metadata.image import Image
from moldau.broker.metrics.registry import Registry
from moldau.broker.runtime.purgatory import Purgatory
from moldau.broker.security.authorizer import AllowAll, Authorizer
from moldau.broker.server.call import Call
from moldau.broker.server.fetch.kept_reads import KeptReads
from moldau.broker.server.fetch.sessions import FetchSessions
from moldau.broker.server.monitoring.traffic import Traffic
from moldau.broker.server.topic.answers import TopicAnswersKept
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.randomness import Random
from moldau.platform.ports.tasks import Tasks
from moldau.protocol.wire.schema import Message

if TYPE_CHECKING:
    from moldau.broker.replica.manager import ReplicaManager
    from moldau.broker.runtime.producer_ids import ProducerIds
    from moldau.broker.runtime.quorum_loop import MetadataQuorum
    from moldau.broker.runtime.replication.fetchers import ReplicaFetchers
    from moldau.broker.runtime.shard_loop import ShardRuntime
    from moldau.broker.runtime.share_partitions import SharePartitions
    from moldau.broker.runtime.share_states import ShareStates
    from moldau.broker.server.audit.audit import Audit
    from moldau.broker.server.controller.early_fencing import EarlyFencing
    from moldau.broker.server.other_brokers import OtherBrokers
    from moldau.broker.server.produce.schemas.checks import SchemaChecks
    from moldau.broker.server.quota.quotas import Quotas
    from moldau.broker.server.share.sessions import ShareSessions
    from moldau.broker.server.telemetry.telemetry import Telemetry
    from moldau.broker.server.topic.creation import TopicCreation
    from moldau.broker.server.topic.lost_brokers import LostBrokers
    from moldau.broker.server.transaction.coordinators import Coordinators
    from moldau.config.broker.settings import BrokerSettings

__all__ = ["Broker", "BrokerWorld", "ClusterParts", "Metadata", "controller_call"]


NOT_FILLED: Final[Any] = None
"""In the place of a part that the node puts there before it serves an API that needs it."""


class Metadata(Protocol):
    """The cluster's metadata as this node knows it, and the way to change it."""

    @property
    def image(self) -> Image:
        """The committed metadata image."""
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


class BrokerWorld:
    """The ports that handlers use."""

    __slots__ = ("clock", "random", "tasks")

    def __init__(self, clock: Clock, random: Random, tasks: Tasks) -> None:
        self.clock, self.random, self.tasks = clock, random, tasks


class ClusterParts:
    """What a node has of the cluster around it."""

    __slots__ = ("metadata", "others", "quorum")

    def __init__(self, metadata: Metadata, quorum: MetadataQuorum, others: OtherBrokers) -> None:
        self.metadata = metadata
        self.quorum = quorum
        """This node's own part in it."""
        self.others = others
        """The connections to the other brokers."""


class Broker:
    """One node, seen by its handlers."""

    __slots__ = (
        "audit", "authorizer", "check_tls", "clock", "cluster_id", "controller_listeners",
        "early_fencing", "ends_elsewhere", "epoch", "fetch_reads", "fetch_sessions",
        "groups", "lost_brokers",
        "metadata", "metrics", "node_id", "others", "producer_ids", "purgatory", "quorum", "quotas",
        "random", "replica_fetchers", "replicas", "schema_checks", "settings", "share_sessions",
        "share_states", "shares", "shows_metrics", "started_with", "tasks", "telemetry",
        "topic_answers", "topic_creation", "traffic", "transaction_client", "transactions",
    )  # fmt: skip

    settings: BrokerSettings
    """As they are now."""
    started_with: Mapping[str, str]
    """What its file has; `settings` has besides what was changed since."""
    metadata: Metadata
    authorizer: Authorizer
    audit: Audit | None
    """Where logins, denials and changes are kept."""
    check_tls: Callable[[BrokerSettings], None] | None
    """Raises `SettingError` where listeners of TLS cannot go on by changed settings."""
    controller_listeners: frozenset[str]
    """Names of the listeners that speak with controllers alone."""
    epoch: int
    """This broker's epoch, from its registration."""
    quorum: MetadataQuorum
    others: OtherBrokers
    early_fencing: EarlyFencing | None
    """Of brokers whose process has ended; on controllers."""
    lost_brokers: LostBrokers | None
    """Where there are other brokers."""
    replicas: ReplicaManager
    replica_fetchers: ReplicaFetchers | None
    """Once a partition here has followed."""
    schema_checks: SchemaChecks | None
    """Where a topic asks for schemas."""
    groups: ShardRuntime | None
    """Of `__consumer_offsets`."""
    transactions: ShardRuntime | None
    """Of `__transaction_state`."""
    share_states: ShareStates
    """Which has the `ShardRuntime` of its topic."""
    shares: SharePartitions
    """Those that this broker leads."""
    share_sessions: ShareSessions
    purgatory: Purgatory
    """Delayed operations, which wait for a condition or a deadline."""
    fetch_sessions: FetchSessions
    fetch_reads: KeptReads
    """What was read for consumers that others follow."""
    quotas: Quotas | None
    metrics: Registry
    shows_metrics: bool
    """Whether they can be read from outside, those of clients too."""
    traffic: Traffic
    """Bytes and messages that clients bring and take."""
    ends_elsewhere: dict[tuple[str, int], int]
    """High watermarks of partitions that groups here read and this broker has not, as they were
    when metrics were last read."""
    topic_answers: TopicAnswersKept
    """What Metadata has of topics, encoded."""
    telemetry: Telemetry
    topic_creation: TopicCreation
    """Topics that come into being when they are named."""
    producer_ids: ProducerIds
    """Identities for producers."""
    transaction_client: Coordinators | None
    """Asks transaction coordinators, for other coordinators and partitions here."""

    def __init__(
        self,
        settings: BrokerSettings,
        cluster_id: str,
        world: BrokerWorld,
        cluster: ClusterParts,
        replicas: ReplicaManager,
        fetch_sessions: FetchSessions,
        *,
        quotas: Quotas | None = None,
        shows_metrics: bool = False,
    ) -> None:
        self.settings, self.started_with = settings, getattr(settings, "all_given", {})
        self.node_id, self.cluster_id = settings.node_id, cluster_id
        self.controller_listeners = frozenset(settings.controller_listener_names)
        self.clock, self.random, self.tasks = world.clock, world.random, world.tasks
        self.metadata, self.quorum, self.others = cluster.metadata, cluster.quorum, cluster.others
        self.replicas = replicas
        self.topic_answers = TopicAnswersKept()
        self.fetch_sessions, self.fetch_reads = fetch_sessions, KeptReads()
        self.purgatory = Purgatory(self.tasks)
        self.quotas = quotas
        self.shows_metrics = shows_metrics
        self.metrics = Registry()
        self.traffic = Traffic(self.metrics)
        self.ends_elsewhere = {}
        self.authorizer = AllowAll()
        self.epoch = -1
        self.check_tls = None
        self.audit = self.early_fencing = self.lost_brokers = self.replica_fetchers = None
        self.groups = self.transactions = self.transaction_client = self.schema_checks = None
        self.producer_ids = self.telemetry = self.topic_creation = NOT_FILLED
        self.share_states = self.shares = self.share_sessions = NOT_FILLED

    def beside(self, metadata: Metadata) -> Broker:
        """The same node with another way to its metadata: as listeners for controllers see it."""
        other = Broker(
            self.settings,
            self.cluster_id,
            BrokerWorld(self.clock, self.random, self.tasks),
            ClusterParts(metadata, self.quorum, self.others),
            self.replicas,
            self.fetch_sessions,
            quotas=self.quotas,
            shows_metrics=self.shows_metrics,
        )
        other.authorizer, other.audit = self.authorizer, self.audit
        other.metrics, other.traffic = self.metrics, self.traffic
        other.topic_creation = self.topic_creation
        return other

    def serves_controllers(self, listener: str) -> bool:
        """Whether that listener is one of the controller's."""
        return listener in self.controller_listeners


def controller_call(call: Call) -> ControllerCall:
    """The same caller, in the form that the controller takes."""
    return ControllerCall(
        version=call.version,
        principal=str(call.principal),
        client_id=call.client_id or "",
        sender=Sender(call.principal, call.peer.host, call.correlation_id),
    )
