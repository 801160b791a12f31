"""Groups, transactions and share partitions that are coordinated here, and how far groups lag.

Lag is no metric of Apache Kafka's brokers; people run programs beside it that ask for offsets and
subtract. Here it is the distance from a group's committed offset to the partition's high watermark,
looked up when metrics are read; of partitions that are not here, their leaders have been asked
before (`ends_elsewhere`). Groups that are coordinated elsewhere are shown there. The names are
those of the exporter that most dashboards for lag are made for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice
from math import nan

from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.metrics.kinds import Histogram
from moldau.broker.metrics.recent import Recent
from moldau.broker.runtime.running_share_partition import RunningSharePartition
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.runtime.share_figures import GroupFigures, PartitionFigures
from moldau.broker.runtime.share_partitions import SharePartitions
from moldau.broker.runtime.share_states import ShareStates
from moldau.broker.server.monitoring.figures.groups import shards_of, shown
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.serving import idle
from moldau.broker.server.monitoring.figures.table import (
    Counted,
    Each,
    Row,
    Spread,
    Spreads,
    Table,
    Tagged,
)
from moldau.broker.server.monitoring.gauges import SHARE_ACKNOWLEDGEMENTS
from moldau.broker.server.share.sessions import ShareSessions
from moldau.broker.server.topic.creation import SHARE_STATE_TOPIC
from moldau.protocol.messages.stored.consumer_group import ConsumerGroupMetadataKey
from moldau.protocol.messages.stored.offsets import OffsetCommitKey
from moldau.protocol.messages.stored.share_group import ShareGroupMetadataKey
from moldau.protocol.messages.stored.streams_group import StreamsGroupMetadataKey
from moldau.protocol.wire.schema import Message

__all__ = ["TABLES", "written_offsets"]

CLASSIC_STATES = {
    "PreparingRebalance": "NumGroupsPreparingRebalance",
    "CompletingRebalance": "NumGroupsCompletingRebalance",
    "Stable": "NumGroupsStable",
    "Dead": "NumGroupsDead",
    "Empty": "NumGroupsEmpty",
}
STATES = {
    GroupType.CONSUMER: ("Empty", "Assigning", "Reconciling", "Stable", "Dead"),
    GroupType.SHARE: ("Empty", "Stable", "Dead"),
    GroupType.STREAMS: ("Empty", "NotReady", "Assigning", "Reconciling", "Stable", "Dead"),
}

PARTITION_STATES = ("loading", "active", "failed")
"""Of a coordinator's partition: Kafka's words."""

EPOCH_KEYS: dict[GroupType, type[Message]] = {
    GroupType.CONSUMER: ConsumerGroupMetadataKey,
    GroupType.SHARE: ShareGroupMetadataKey,
    GroupType.STREAMS: StreamsGroupMetadataKey,
}
"""The records that raise a group's epoch."""


def _by_type(scrape: Scrape) -> Iterator[Tagged]:
    counts = scrape.groups.by_kind
    return (((kind.value,), counts[kind]) for kind in GroupType)


def _by_state(kind: GroupType) -> Callable[[Scrape], Iterator[Tagged]]:
    def read(scrape: Scrape) -> Iterator[Tagged]:
        counts = scrape.groups.by_state
        return (((state,), counts[kind, state]) for state in STATES[kind])

    return read


def _classic(state: str) -> Callable[[Scrape], int]:
    return lambda scrape: scrape.groups.by_state[GroupType.CLASSIC, state]


def _transactions(scrape: Scrape) -> Iterator[Tagged]:
    states = Counter(
        transaction.state
        for shard in shards_of(scrape.broker.transactions)
        for transaction in shard.book.by_id.values()
    )
    return (((state.title,), states[state]) for state in TransactionState)


def _share_states(scrape: Scrape) -> int:
    states: object = scrape.broker.share_states  # or what makes it when it is needed
    if not isinstance(states, ShareStates):
        return 0
    return sum(len(shard.table.kept) for shard in shards_of(states.runtime))


def _length(part: object, kind: type[SharePartitions | ShareSessions]) -> int:
    return len(part) if isinstance(part, kind) else 0


def _of_shares(
    ask: Callable[[RunningSharePartition], int],
) -> Callable[[Scrape], Iterator[Tagged]]:
    def read(scrape: Scrape) -> Iterator[Tagged]:
        shares: object = scrape.broker.shares
        for one in shares if isinstance(shares, SharePartitions) else ():
            yield (one.key.group_id, one.partition.topic, str(one.partition.index)), ask(one)

    return lambda scrape: islice(read(scrape), SHARES_SHOWN_MAX)


def _spreads_of_shares(
    ask: Callable[[PartitionFigures], Histogram],
) -> Callable[[Scrape], Iterator[tuple[tuple[str, ...], Histogram]]]:
    def read(scrape: Scrape) -> Iterator[tuple[tuple[str, ...], Histogram]]:
        shares: object = scrape.broker.shares
        for one in shares if isinstance(shares, SharePartitions) else ():
            place = (one.key.group_id, one.partition.topic, str(one.partition.index))
            yield place, ask(one.figures)

    return lambda scrape: islice(read(scrape), SPREADS_SHOWN_MAX)


def _spreads_of_groups(
    ask: Callable[[GroupFigures], Histogram],
) -> Callable[[Scrape], Iterator[tuple[tuple[str, ...], Histogram]]]:
    def read(scrape: Scrape) -> Iterator[tuple[tuple[str, ...], Histogram]]:
        shares: object = scrape.broker.shares
        for group_id, figures in shares.figures() if isinstance(shares, SharePartitions) else ():
            yield (group_id,), ask(figures)

    return lambda scrape: islice(read(scrape), SPREADS_SHOWN_MAX)


def _share_load_times(scrape: Scrape) -> Histogram:
    shares: object = scrape.broker.shares
    return shares.load_times if isinstance(shares, SharePartitions) else Histogram()


def _session_partitions(scrape: Scrape) -> int:
    sessions = scrape.broker.share_sessions
    return sessions.partition_count if isinstance(sessions, ShareSessions) else 0


def _evictions(scrape: Scrape) -> int:
    sessions = scrape.broker.share_sessions
    return sessions.evicted_count if isinstance(sessions, ShareSessions) else 0


def _written(key: type[Message], *, tombstones: bool = False) -> Callable[[Scrape], int]:
    def read(scrape: Scrape) -> int:
        groups = scrape.broker.groups
        return groups.written[key, tombstones] if isinstance(groups, ShardRuntime) else 0

    return read


def written_offsets(scrape: Scrape) -> int:
    """Committed here, since the start."""
    return _written(OffsetCommitKey)(scrape)


def _epoch_rate(kind: GroupType, key: type[Message]) -> Row:
    name = f"{kind.value}-group-rebalance"
    read = _written(key)
    doc = f"Epochs of {kind.value} groups a second."
    return Row(f"{name}-rate", doc, lambda s: s.rate(name, read(s)))


def _completed_rebalances(scrape: Scrape) -> int:
    return scrape.broker.metrics.meter("kafka.server", GROUP_TYPE, COMPLETED).count


def _loaded(runtime: object) -> int:
    return len(runtime.indexes) if isinstance(runtime, ShardRuntime) else 0


def _share_runtime(scrape: Scrape) -> object:
    states: object = scrape.broker.share_states
    return states.runtime if isinstance(states, ShareStates) else None


def _partitions_by_state(topic: str, find: Callable[[Scrape], object]) -> Each:
    def read(scrape: Scrape) -> Iterator[Tagged]:
        runtime = find(scrape)
        counts = runtime.counts if isinstance(runtime, ShardRuntime) else {}
        return (((state,), counts.get(state, 0)) for state in PARTITION_STATES)

    doc = f"Partitions of `{topic}` that are led here, by how far their coordinator is."
    return Each("num-partitions", ("state",), doc, read)


def _recent(name: str, doc: str, find: Callable[[Scrape], Recent | None]) -> tuple[Row, Row]:
    """NaN where nothing happened."""

    def average(scrape: Scrape) -> float:
        found = find(scrape)
        return nan if found is None else found.average(scrape.monotonic_ms)

    def maximum(scrape: Scrape) -> float:
        found = find(scrape)
        return nan if found is None else found.maximum(scrape.monotonic_ms)

    return Row(f"{name}-avg", doc, average), Row(f"{name}-max", "The longest.", maximum)


def _load_times(find: Callable[[Scrape], object]) -> tuple[Row, Row]:
    def times(scrape: Scrape) -> Recent | None:
        runtime = find(scrape)
        return runtime.load_times if isinstance(runtime, ShardRuntime) else None

    doc = "How many ms partitions took that were loaded in the last minute."
    return _recent("partition-load-time", doc, times)


def _write_times(scrape: Scrape) -> Recent | None:
    states: object = scrape.broker.share_states
    return states.write_times if isinstance(states, ShareStates) else None


def _writes(scrape: Scrape) -> int:
    states: object = scrape.broker.share_states
    return states.write_count if isinstance(states, ShareStates) else 0


def _events() -> tuple[Row, ...]:
    """Of a coordinator; Kafka's waits in a queue for a thread of its own."""
    waits = (
        Row(f"event-{name}-ms-{which}", "0: what is asked is decided at once.", lambda s: 0)
        for name in ("queue-time", "purgatory-time")
        for which in ("max", "p50", "p95", "p99", "p999")
    )
    return *waits, Row("event-queue-size", "0, for the same reason.", lambda s: 0)


SHARE = ("group", "topic", "partition")
SHARES_SHOWN_MAX = 1000
"""Shown one by one, as partitions are."""
SPREADS_SHOWN_MAX = 100
"""Of share partitions, and of groups: each has eight lines, and takes as long as eight numbers."""
GROUP_TYPE = "group-coordinator-metrics"
COMPLETED = "group-completed-rebalance-count"
GROUPS = Table(
    "kafka.server",
    GROUP_TYPE,
    (
        idle("thread-idle-ratio-avg", "The group coordinator."),
        Each("group-count", ("protocol",), "Groups coordinated here.", _by_type),
        *(
            Each(
                f"{kind.value}-group-count",
                ("state",),
                f"Groups of the {kind.value} protocol, by their state.",
                _by_state(kind),
            )
            for kind in STATES
        ),
        Row(
            "offset-commit-count",
            "Offsets that were committed, since the start.",
            _written(OffsetCommitKey),
            only_grows=True,
        ),
        Row(
            "offset-deletion-count",
            "Offsets that were deleted or have expired.",
            _written(OffsetCommitKey, tombstones=True),
            only_grows=True,
        ),
        Row(
            "offset-commit-rate",
            "The same a second, of the last minute.",
            lambda s: s.rate("offset-commit", _written(OffsetCommitKey)(s)),
        ),
        Row(
            "offset-deletion-rate",
            "Of deleted and expired offsets, too.",
            lambda s: s.rate("offset-deletion", _written(OffsetCommitKey, tombstones=True)(s)),
        ),
        Counted(
            COMPLETED,
            (),
            "How often a classic group got its assignments, since the start.",
        ),
        *(
            Row(
                f"{kind.value}-group-rebalance-count",
                f"Epochs of {kind.value} groups: their members or topics changed.",
                _written(key),
                only_grows=True,
            )
            for kind, key in EPOCH_KEYS.items()
        ),
        Row(
            "group-completed-rebalance-rate",
            "Rebalances of classic groups a second, of the last minute.",
            lambda s: s.rate("group-completed-rebalance", _completed_rebalances(s)),
        ),
        *(_epoch_rate(kind, key) for kind, key in EPOCH_KEYS.items()),
        *_events(),
        _partitions_by_state("__consumer_offsets", lambda s: s.broker.groups),
        *_load_times(lambda s: s.broker.groups),
    ),
    Scrape.look_at_groups,
)
OF_OLD = Table(
    "kafka.coordinator.group",
    "GroupMetadataManager",
    (
        Row("NumGroups", "Groups of all kinds.", lambda s: s.groups.count),
        Row("NumOffsets", "Offsets that are committed.", lambda s: s.groups.offset_count),
        *(
            Row(name, f"Classic groups whose state is {state}.", _classic(state))
            for state, name in CLASSIC_STATES.items()
        ),
    ),
    Scrape.look_at_groups,
)
TRANSACTIONS = Table(
    "kafka.server",
    "transaction-coordinator-metrics",
    (
        Each(
            "transactional-id-count",
            ("state",),
            "Transactional ids coordinated here, by their state; Kafka has no such metric.",
            _transactions,
        ),
        Row(
            "num-partitions",
            "Partitions of `__transaction_state` that are loaded here.",
            lambda s: _loaded(s.broker.transactions),
        ),
        *_load_times(lambda s: s.broker.transactions),
    ),
)
SHARES = Table(
    "kafka.server",
    "share-coordinator-metrics",
    (
        Row(
            "share-partition-count",
            "Share partitions whose state is kept here; Kafka has no such metric.",
            _share_states,
        ),
        Row(
            "write-total",
            "How often the state of a share partition was stored here, since the start.",
            _writes,
            only_grows=True,
        ),
        Row(
            "write-rate",
            "The same a second, of the last minute.",
            lambda s: s.rate("share-write", _writes(s)),
        ),
        *_recent("write-latency", "How many ms that took, in the last minute.", _write_times),
        *_events(),
        _partitions_by_state(SHARE_STATE_TOPIC, _share_runtime),
        *_load_times(_share_runtime),
        idle("thread-idle-ratio-avg", "The share coordinator."),
    ),
)
SHARE_PARTITIONS = Table(
    "kafka.server",
    "SharePartitionManager",
    (
        Row(
            "SharePartitionCount",
            "Share partitions in use on this broker; Kafka has no such metric.",
            lambda s: _length(s.broker.shares, SharePartitions),
        ),
    ),
)
IN_FLIGHT = Table(
    "kafka.server",
    "SharePartitionMetrics",
    (
        Each(
            "InFlightMessageCount",
            SHARE,
            "Records of a share partition from the first that is not settled to the last that was "
            "handed out.",
            _of_shares(lambda one: one.share.in_flight_count),
        ),
        Each(
            "InFlightBatchCount",
            SHARE,
            "In how many ranges of one state and owner they are.",
            _of_shares(lambda one: len(one.share.runs)),
        ),
        Each(
            "AcquisitionLockTimeoutPerSec",
            SHARE,
            "Records that came back because no member acknowledged them in time.",
            _of_shares(lambda one: one.share.timed_out_count),
            only_grows=True,
        ),
        Spreads(
            "InFlightBatchMessageCount",
            SHARE,
            f"Records that were handed out as one range; of the first {SPREADS_SHOWN_MAX}.",
            _spreads_of_shares(lambda them: them.batch_sizes),
        ),
        Spreads(
            "FetchLockTimeMs",
            SHARE,
            "How long a fetch had it for itself. Nothing is locked: nothing else runs meanwhile.",
            _spreads_of_shares(lambda them: them.lock_times),
        ),
        Spreads(
            "FetchLockRatio",
            SHARE,
            "What part that was of the time since the fetch before, in per cent.",
            _spreads_of_shares(lambda them: them.lock_ratio),
        ),
    ),
)
ACKNOWLEDGED = Table(
    "kafka.server",
    "ShareGroupMetrics",
    (
        Counted(
            SHARE_ACKNOWLEDGEMENTS,
            ("ackType",),
            "Records that members of share groups have accepted, released, rejected or renewed.",
        ),
        Spreads(
            "TopicPartitionsAcquireTimeMs",
            ("group",),
            "From the beginning of a fetch until some of its partitions could hand records out.",
            _spreads_of_groups(lambda them: them.acquire_times),
        ),
        Spreads(
            "RequestTopicPartitionsFetchRatio",
            ("group",),
            "How many of a fetch's partitions could, in per cent.",
            _spreads_of_groups(lambda them: them.fetch_ratio),
        ),
        Spread(
            "PartitionLoadTimeMs",
            "How long share partitions took to load.",
            _share_load_times,
        ),
    ),
)
SHARE_SESSIONS = Table(
    "kafka.server",
    "ShareSessionCache",
    (
        Row(
            "ShareSessionsCount",
            "Members of share groups whose partitions are remembered.",
            lambda s: _length(s.broker.share_sessions, ShareSessions),
        ),
        Row(
            "ShareSessionEvictionsPerSec",
            "Sessions whose connection was lost, so that what their members had was given back.",
            _evictions,
            only_grows=True,
        ),
        Row(
            "SharePartitionsCount",
            "The partitions of all of them.",
            _session_partitions,
        ),
    ),
)
LAG = Table(
    "kafka",
    "consumergroup",
    (
        Each(
            "current_offset",
            ("consumergroup", "topic", "partition"),
            "What a group has committed; Kafka's brokers do not report it.",
            lambda s: s.groups.committed,
        ),
        Each(
            "lag",
            ("consumergroup", "topic", "partition"),
            "Offsets from there to the high watermark; Kafka's brokers do not report it.",
            lambda s: s.groups.lags,
        ),
        Each(
            "lag_sum",
            ("consumergroup", "topic"),
            "The same, over a topic.",
            lambda s: shown(s.groups.lag_sums),
        ),
    ),
    Scrape.look_at_groups,
)

TABLES = (
    GROUPS,
    OF_OLD,
    TRANSACTIONS,
    SHARES,
    SHARE_PARTITIONS,
    IN_FLIGHT,
    ACKNOWLEDGED,
    SHARE_SESSIONS,
    LAG,
)
