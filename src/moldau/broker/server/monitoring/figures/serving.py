"""Connections, waiting requests, what is kept for clients, and what is counted of requests."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from math import isnan

from moldau.broker.server.login.counting import (
    FAILED,
    FAILED_AGAIN,
    SUCCEEDED,
    SUCCEEDED_AGAIN,
    SUCCEEDED_ONCE,
)
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.table import Counted, Each, Row, Table, Tagged
from moldau.broker.server.monitoring.gauges import (
    SHARE_ACKNOWLEDGE_REQUESTS,
    SHARE_FETCH_REQUESTS,
    VERIFICATION_FAILURES,
    VERIFICATION_TIME,
)
from moldau.broker.server.quota.quotas import MeasuredRate

__all__ = ["TABLES", "idle"]

RUNNING = 3
"""BrokerState's number for a broker that serves."""
PURGATORIES = ("Produce", "Fetch", "DeleteRecords", "ShareFetch")
QUOTA_TYPES = {
    "producer_byte_rate": ("Produce", "byte-rate"),
    "consumer_byte_rate": ("Fetch", "byte-rate"),
    "request_percentage": ("Request", "request-time"),
}
"""Key of a quota, and the type and name of its metric."""
AUDITED = ("file", "topic")
TOPIC = ("topic",)
LISTENER = ("listener",)
SENDER = ("user", "client-id")


def _waiting(scrape: Scrape) -> Iterator[Tagged]:
    held = scrape.broker.purgatory.held
    return ((((kind,), held[kind])) for kind in dict.fromkeys((*PURGATORIES, *held)))


def _connections(scrape: Scrape) -> list[Tagged]:
    admitted = scrape.connections.admission.by_listener
    listeners = (listener.name for listener in scrape.broker.settings.listener_list)
    return [((name,), admitted.get(name, 0)) for name in listeners]


def _measured(key: str, scrape: Scrape) -> Iterator[Tagged]:
    quotas = scrape.broker.quotas
    for one in () if quotas is None else quotas.measured():
        if one.key == key:
            yield _sender(one), one.rate


def _throttled(key: str, scrape: Scrape) -> Iterator[Tagged]:
    quotas = scrape.broker.quotas
    for one in () if quotas is None else quotas.measured():
        if one.key == key and not isnan(one.throttle_ms):
            yield _sender(one), one.throttle_ms


def _audited(scrape: Scrape, count: str) -> list[Tagged]:
    """0 for a place that is not there."""
    audit = scrape.broker.audit
    trails = {} if audit is None else {trail.name: trail for trail in audit.trails}
    return [((place,), getattr(trails.get(place), count, 0)) for place in AUDITED]


def _unknown_subscriptions(scrape: Scrape) -> int:
    found: int = getattr(scrape.broker.telemetry, "unknown_subscriptions", 0)
    return found


def _of_fetchers(scrape: Scrape, count: str) -> int:
    """0 where nothing follows."""
    found: int = getattr(scrape.broker.replica_fetchers, count, 0)
    return found


def _sender(one: MeasuredRate) -> tuple[str, str]:
    return one.user or "", one.client_id or ""


def _used(scrape: Scrape, name: str) -> list[Tagged]:
    """None where the machine has it not."""
    return [((), scrape.usage[name])] if name in scrape.usage else []


def idle(name: str, doc: str) -> Each:
    """One loop does what Kafka's threads do, and each kind of them is as idle as the loop."""
    doc = f"{doc} Here: of the last minute, how much the one loop has waited; 1 is all."

    def read(scrape: Scrape) -> list[Tagged]:
        return [] if scrape.idle_share is None else [((), scrape.idle_share)]

    return Each(name, (), doc, read)


KAFKA_SERVER = Table(
    "kafka.server",
    "KafkaServer",
    (
        Row("BrokerState", "3, for a node that answers is running.", lambda s: RUNNING),
        Each(
            "ClusterId",
            ("cluster_id",),
            "1, beside the id.",
            lambda s: [((s.broker.cluster_id,), 1)],
        ),
        Each(
            "linux-disk-read-bytes",
            (),
            "What this process had the disk read, without what was in memory.",
            lambda s: _used(s, "disk_read_bytes"),
        ),
        Each(
            "linux-disk-write-bytes",
            (),
            "What it had the disk write.",
            lambda s: _used(s, "disk_write_bytes"),
        ),
    ),
)
HANDLERS = Table(
    "kafka.server",
    "KafkaRequestHandlerPool",
    tuple(
        idle(f"{whose}RequestHandlerAvgIdlePercent", f"The handlers of {what}.")
        for whose, what in (
            ("", "requests"),
            ("Broker", "requests to the broker"),
            ("Controller", "requests to the controller"),
        )
    ),
)
SOCKETS = Table(
    "kafka.server",
    "socket-server-metrics",
    (
        Each("connection-count", ("listener",), "Connections that are open.", _connections),
        Counted(SUCCEEDED, LISTENER, "Logins, and handshakes of SSL, that ended well."),
        Counted(SUCCEEDED_ONCE, LISTENER, "Those of them by clients that cannot log in again."),
        Counted(SUCCEEDED_AGAIN, LISTENER, "Later logins on an open connection that did."),
        Counted(FAILED, LISTENER, "Logins, and handshakes of TLS, that did not."),
        Counted(FAILED_AGAIN, LISTENER, "Later logins on an open connection that did not."),
        Row(
            "connection-creation-total",
            "Connections that came, since the start.",
            lambda s: s.connections.opened,
            only_grows=True,
        ),
        Row(
            "connection-creation-rate",
            "The same a second, of the last minute.",
            lambda s: s.rate("connection-creation", s.connections.opened),
        ),
    ),
)
POOL = Table(
    "kafka.network",
    "SocketServer",
    (
        idle("NetworkProcessorAvgIdlePercent", "Reading from connections and writing to them."),
        Row(
            "MemoryPoolUsed",
            "Bytes that frames hold which have not come whole, of all together.",
            lambda s: s.connections.budget.used,
        ),
        Row(
            "MemoryPoolAvailable",
            "What is left of `queued.max.request.bytes`, or of our own limit.",
            lambda s: max(s.connections.budget.limit - s.connections.budget.used, 0),
        ),
        Row(
            "ExpiredConnectionsKilledCount",
            "Connections that were closed after `connections.max.idle.ms`.",
            lambda s: s.connections.expired,
        ),
    ),
)
CLIENT_METRICS = Table(
    "kafka.server",
    "client-metrics",
    (
        Row(
            "instance-count",
            "Clients that have asked which metrics to push.",
            lambda s: 0 if s.broker.telemetry is None else s.broker.telemetry.instance_count,
        ),
        Row(
            "unknown-subscription-request-count",
            "Pushes of metrics that were not wanted any more, since the start.",
            _unknown_subscriptions,
            only_grows=True,
        ),
        Row(
            "unknown-subscription-request-rate",
            "The same a second, of the last minute.",
            lambda s: s.rate("unknown-subscription-request", _unknown_subscriptions(s)),
        ),
    ),
)
WAITING = Table(
    "kafka.server",
    "DelayedOperationPurgatory",
    (
        Each(
            "PurgatorySize",
            ("delayedOperation",),
            "Requests that wait for replicas, for bytes, or for their time to run out.",
            _waiting,
        ),
        Each(
            "NumDelayedOperations",
            ("delayedOperation",),
            "The same: none stays behind that is over.",
            _waiting,
        ),
    ),
)
EXPIRED = (
    Table(
        "kafka.server",
        "DelayedFetchMetrics",
        (
            Each(
                "ExpiresPerSec",
                ("fetcherType",),
                "Fetches that had waited for `min_bytes` when their time was up.",
                lambda s: [
                    ((one,), s.broker.purgatory.expired[one]) for one in ("follower", "consumer")
                ],
                only_grows=True,
            ),
        ),
    ),
    Table(
        "kafka.server",
        "DelayedProduceMetrics",
        (
            Row(
                "ExpiresPerSec",
                "Partitions of Produce requests that were not replicated in time.",
                lambda s: s.broker.purgatory.expired["Produce"],
                only_grows=True,
            ),
        ),
    ),
    Table(
        "kafka.server",
        "DelayedShareFetchMetrics",
        (
            Row(
                "ExpiresPerSec",
                "Fetches of share groups that had waited for records when their time was up.",
                lambda s: s.broker.purgatory.expired["ShareFetch"],
                only_grows=True,
            ),
        ),
    ),
)
VERIFICATION = Table(
    "kafka.server",
    "AddPartitionsToTxnManager",
    (
        Counted(
            VERIFICATION_TIME,
            (),
            "How long the coordinator of a transaction took to verify its partitions, or add them.",
        ),
        Counted(VERIFICATION_FAILURES, (), "Partitions that it refused, or did not answer for."),
    ),
)
SESSIONS = Table(
    "kafka.server",
    "FetchSessionCache",
    (
        Row(
            "NumIncrementalFetchSessions",
            "Consumers and followers whose partitions are remembered.",
            lambda s: len(s.broker.fetch_sessions),
        ),
        Row(
            "NumIncrementalFetchPartitionsCached",
            "The partitions of all sessions.",
            lambda s: s.broker.fetch_sessions.partition_count,
        ),
        Row(
            "IncrementalFetchSessionEvictionsPerSec",
            "Sessions that had to make room for others.",
            lambda s: s.broker.fetch_sessions.evictions,
            only_grows=True,
        ),
    ),
)
AUDIT = Table(
    "moldau.server",
    "audit",
    (
        Each(
            "events-written-total",
            ("place",),
            "Audit events that are in the file, and in the topic.",
            lambda s: _audited(s, "written"),
            only_grows=True,
        ),
        Each(
            "events-dropped-total",
            ("place",),
            "Audit events that came to a full queue.",
            lambda s: _audited(s, "dropped"),
            only_grows=True,
        ),
        Each(
            "events-waiting",
            ("place",),
            "Audit events that are not written yet.",
            lambda s: _audited(s, "waiting"),
        ),
    ),
)
EXEMPT_TIME = Row(
    "exempt-request-time",
    "The same of what no quota counts: nodes of the cluster, and Produce without an answer.",
    lambda s: sum(rate for _, rate in _measured("exempt", s)),
)
QUOTAS = tuple(
    Table(
        "kafka.server",
        kind,
        (
            Each(
                name,
                SENDER,
                f"What counts against `{key}`, over the last windows, where there is a quota.",
                partial(_measured, key),
            ),
            Each(
                "throttle-time",
                SENDER,
                f"How many ms clients owed by `{key}`, on average of the last minute.",
                partial(_throttled, key),
            ),
            *((EXEMPT_TIME,) if kind == "Request" else ()),
        ),
    )
    for key, (kind, name) in QUOTA_TYPES.items()
)
TRAFFIC = Table(
    "kafka.server",
    "BrokerTopicMetrics",
    (
        Counted("MessagesInPerSec", TOPIC, "Records that were appended."),
        Counted("BytesInPerSec", TOPIC, "Their bytes, as they came."),
        Counted("BytesOutPerSec", TOPIC, "Bytes that were sent to consumers."),
        Counted("BytesRejectedPerSec", TOPIC, "Bytes of batches that were refused."),
        Counted("TotalProduceRequestsPerSec", TOPIC, "Batches that came, by partition."),
        Counted("TotalFetchRequestsPerSec", TOPIC, "Partitions that were fetched."),
        Counted("FailedProduceRequestsPerSec", TOPIC, "Batches that were refused."),
        Counted("FailedFetchRequestsPerSec", TOPIC, "Partitions that could not be fetched."),
        Counted(f"Total{SHARE_FETCH_REQUESTS}", TOPIC, "Requests of share groups, by topic."),
        Counted(f"Failed{SHARE_FETCH_REQUESTS}", TOPIC, "Those where a partition was refused."),
        Counted(
            f"Total{SHARE_ACKNOWLEDGE_REQUESTS}",
            TOPIC,
            "Requests with acknowledgements of share groups, by topic.",
        ),
        Counted(
            f"Failed{SHARE_ACKNOWLEDGE_REQUESTS}", TOPIC, "Those where a partition was refused."
        ),
        Counted("InvalidMessageCrcRecordsPerSec", (), "Batches that came damaged, of all topics."),
        Counted(
            "InvalidOffsetOrSequenceRecordsPerSec",
            (),
            "Batches whose offsets, count or sequence cannot be, of all topics.",
        ),
        Counted(
            "NoKeyCompactedTopicRecordsPerSec",
            (),
            "Records without a key for topics that are compacted.",
        ),
        Counted(
            "InvalidMagicNumberRecordsPerSec",
            (),
            "0, as in Kafka: batches in other formats are refused before the log sees them.",
        ),
        Counted("ProduceMessageConversionsPerSec", (), "0: nothing is converted."),
        Counted("FetchMessageConversionsPerSec", (), "0: nothing is converted."),
        Counted("ReplicationBytesOutPerSec", (), "Bytes that were sent to followers."),
        Counted(
            "ReassignmentBytesOutPerSec",
            (),
            "Of them, those to replicas that a reassignment adds.",
        ),
        Row(
            "ReassignmentBytesInPerSec",
            "Bytes that were appended to replicas which a reassignment adds here.",
            lambda s: _of_fetchers(s, "bytes_reassigned"),
            only_grows=True,
        ),
        Row(
            "ReplicationBytesInPerSec",
            "Bytes that were appended to replicas which follow here.",
            lambda s: _of_fetchers(s, "bytes_taken"),
            only_grows=True,
        ),
    ),
)
TABLES = (
    AUDIT,
    KAFKA_SERVER,
    HANDLERS,
    SOCKETS,
    POOL,
    CLIENT_METRICS,
    WAITING,
    *EXPIRED,
    VERIFICATION,
    SESSIONS,
    *QUOTAS,
    TRAFFIC,
)
