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
from typing import Any

from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.broker.coordinator.transaction.states import TransactionState
from moldau.broker.runtime.shard_loop import ShardRuntime
from moldau.broker.runtime.share_partitions import SharePartitions
from moldau.broker.runtime.share_states import ShareStates
from moldau.broker.server.broker import Broker
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.serving import idle
from moldau.broker.server.monitoring.figures.table import Counted, Each, Row, Table, Tagged
from moldau.broker.server.share.sessions import ShareSessions
from moldau.protocol.messages.stored.consumer_group import ConsumerGroupMetadataKey
from moldau.protocol.messages.stored.offsets import OffsetCommitKey
from moldau.protocol.messages.stored.share_group import ShareGroupMetadataKey
from moldau.protocol.messages.stored.streams_group import StreamsGroupMetadataKey
from moldau.protocol.wire.schema import Message

__all__ = [
    "OFFSETS_SHOWN_MAX",
    "TABLES",
    "groups_here",
    "lags_here",
    "offsets_here",
    "places_elsewhere",
    "written_offsets",
]

OFFSETS_SHOWN_MAX = 5000
"""Shown one by one, for the reason that partitions have."""

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

EPOCH_KEYS: dict[GroupType, type[Message]] = {
    GroupType.CONSUMER: ConsumerGroupMetadataKey,
    GroupType.SHARE: ShareGroupMetadataKey,
    GroupType.STREAMS: StreamsGroupMetadataKey,
}
"""The records that raise a group's epoch."""


def _shards(runtime: object) -> Iterator[Any]:
    """Those that are running; a coordinator that was not needed yet is not made for this."""
    if isinstance(runtime, ShardRuntime):
        for index in runtime.indexes:
            yield runtime.running(index).shard


def groups_here(scrape: Scrape) -> Iterator[Any]:
    """Of all kinds; each is a `Group`, and has members."""
    for shard in _shards(scrape.broker.groups):
        yield from shard.groups.by_id.values()


def _by_type(scrape: Scrape) -> Iterator[Tagged]:
    counts = Counter(group.group_type for group in groups_here(scrape))
    return (((kind.value,), counts[kind]) for kind in GroupType)


def _by_state(kind: GroupType) -> Callable[[Scrape], Iterator[Tagged]]:
    def read(scrape: Scrape) -> Iterator[Tagged]:
        groups = (group for group in groups_here(scrape) if group.group_type is kind)
        counts = Counter(group.state_name for group in groups)
        return (((state,), counts[state]) for state in STATES[kind])

    return read


def _classic(state: str) -> Callable[[Scrape], int]:
    def read(scrape: Scrape) -> int:
        return sum(
            group.group_type is GroupType.CLASSIC and group.state_name == state
            for group in groups_here(scrape)
        )

    return read


def offsets_here(scrape: Scrape) -> Iterator[tuple[str, Place, int]]:
    """Every committed offset, with its group and place."""
    return _offsets_at(scrape.broker)


def _offsets_at(broker: Broker) -> Iterator[tuple[str, Place, int]]:
    for shard in _shards(broker.groups):
        store = shard.groups.offsets
        for group_id in store.group_ids():
            for place, committed in store.of_group(group_id).items():
                yield group_id, place, committed.offset


def _committed(scrape: Scrape) -> Iterator[Tagged]:
    for group_id, place, offset in islice(offsets_here(scrape), OFFSETS_SHOWN_MAX):
        yield (group_id, place.topic, str(place.partition)), offset


def places_elsewhere(broker: Broker) -> list[Place]:
    """Where groups have committed offsets of partitions that exist, and not here."""
    topics, replicas = broker.metadata.image.topics, broker.replicas
    places = dict.fromkeys(place for _, place, _ in _offsets_at(broker))
    away = (
        place
        for place in places
        if replicas.find(*place) is None and topics.partition(*place) is not None
    )
    return list(islice(away, OFFSETS_SHOWN_MAX))


def lags_here(scrape: Scrape) -> Iterator[tuple[str, Place, int]]:
    ends = scrape.broker.ends_elsewhere
    for group_id, place, offset in offsets_here(scrape):
        partition = scrape.broker.replicas.find(*place)
        end = ends.get(place) if partition is None else partition.high_watermark
        if end is not None:
            yield group_id, place, max(end - offset, 0)


def _lag(scrape: Scrape) -> Iterator[Tagged]:
    for group_id, place, lag in islice(lags_here(scrape), OFFSETS_SHOWN_MAX):
        yield (group_id, place.topic, str(place.partition)), lag


def _lag_sum(scrape: Scrape) -> Iterator[Tagged]:
    sums: Counter[tuple[str, str]] = Counter()
    for group_id, place, lag in lags_here(scrape):
        sums[group_id, place.topic] += lag
    return islice(sums.items(), OFFSETS_SHOWN_MAX)


def _transactions(scrape: Scrape) -> Iterator[Tagged]:
    states = Counter(
        transaction.state
        for shard in _shards(scrape.broker.transactions)
        for transaction in shard.book.by_id.values()
    )
    return (((state.title,), states[state]) for state in TransactionState)


def _share_states(scrape: Scrape) -> int:
    states: object = scrape.broker.share_states  # or what makes it when it is needed
    if not isinstance(states, ShareStates):
        return 0
    return sum(len(shard.table.kept) for shard in _shards(states.runtime))


def _length(part: object, kind: type[SharePartitions | ShareSessions]) -> int:
    return len(part) if isinstance(part, kind) else 0


def _session_partitions(scrape: Scrape) -> int:
    sessions = scrape.broker.share_sessions
    return sessions.partition_count if isinstance(sessions, ShareSessions) else 0


def _written(key: type[Message], *, tombstones: bool = False) -> Callable[[Scrape], int]:
    def read(scrape: Scrape) -> int:
        groups = scrape.broker.groups
        return groups.written[key, tombstones] if isinstance(groups, ShardRuntime) else 0

    return read


def written_offsets(scrape: Scrape) -> int:
    """Committed here, since the start."""
    return _written(OffsetCommitKey)(scrape)


def _completed_rebalances(scrape: Scrape) -> int:
    return scrape.broker.metrics.meter("kafka.server", GROUP_TYPE, COMPLETED).count


def _loaded(runtime: object) -> int:
    return len(runtime.indexes) if isinstance(runtime, ShardRuntime) else 0


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
        Row(
            "consumer-group-rebalance-rate",
            "Epochs of consumer groups a second.",
            lambda s: s.rate("consumer-group-rebalance", _written(ConsumerGroupMetadataKey)(s)),
        ),
        *(
            Row(f"event-{name}-ms-{which}", "0: what is asked is decided at once.", lambda s: 0)
            for name in ("queue-time", "purgatory-time")
            for which in ("max", "p50", "p95", "p99", "p999")
        ),
        Row("event-queue-size", "0, for the same reason.", lambda s: 0),
        Row(
            "num-partitions",
            "Partitions of `__consumer_offsets` that are loaded here.",
            lambda s: _loaded(s.broker.groups),
        ),
    ),
)
OF_OLD = Table(
    "kafka.coordinator.group",
    "GroupMetadataManager",
    (
        Row("NumGroups", "Groups of all kinds.", lambda s: sum(1 for _ in groups_here(s))),
        Row("NumOffsets", "Offsets that are committed.", lambda s: sum(1 for _ in offsets_here(s))),
        *(
            Row(name, f"Classic groups whose state is {state}.", _classic(state))
            for state, name in CLASSIC_STATES.items()
        ),
    ),
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
            _committed,
        ),
        Each(
            "lag",
            ("consumergroup", "topic", "partition"),
            "Offsets from there to the high watermark; Kafka's brokers do not report it.",
            _lag,
        ),
        Each("lag_sum", ("consumergroup", "topic"), "The same, over a topic.", _lag_sum),
    ),
)

TABLES = (GROUPS, OF_OLD, TRANSACTIONS, SHARES, SHARE_PARTITIONS, SHARE_SESSIONS, LAG)
