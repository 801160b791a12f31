"""The cluster as its metadata has it, and the quorum that keeps the metadata."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from moldau.broker.metadata.features import KRAFT_VERSION, supported_levels
from moldau.broker.metadata.image import Image
from moldau.broker.metrics.recent import Recent
from moldau.broker.quorum.roles import Leader
from moldau.broker.quorum.voter_changes import is_changing
from moldau.broker.runtime.quorum.metadata_log import MetadataLog
from moldau.broker.server.monitoring.figures.scrape import Scrape
from moldau.broker.server.monitoring.figures.serving import idle
from moldau.broker.server.monitoring.figures.table import Each, Row, Spread, Table, Tagged

__all__ = ["BROKER_METADATA", "CHANNEL", "CONTROLLER", "RAFT", "TABLES", "state_in_quorum"]

NO_VOTE = -1
FENCED, CONTROLLED_SHUTDOWN, ACTIVE = 10, 20, 30
"""Kafka's numbers for how a broker is registered."""


def _brokers(image: Image, *, fenced: bool) -> int:
    return sum(state.fenced is fenced for state in image.cluster.brokers.values())


def _registrations(scrape: Scrape) -> Iterator[Tagged]:
    for broker_id, state in sorted(scrape.image.cluster.brokers.items()):
        known = CONTROLLED_SHUTDOWN if state.in_controlled_shutdown else ACTIVE
        yield (str(broker_id),), FENCED if state.fenced else known


def _count(name: str) -> Callable[[Scrape], int]:
    return lambda scrape: scrape.counts[name]


def _applied_lag_ms(scrape: Scrape) -> int:
    """How old the metadata here is; 0 where it is made."""
    if scrape.leads_the_quorum:
        return 0
    return max(scrape.now_ms - scrape.quorum.applied_ms, 0)


def _ignored_voters(scrape: Scrape) -> int:
    is_in_log = scrape.image.features.level(KRAFT_VERSION) > 0
    return int(is_in_log and bool(scrape.broker.settings.controller_quorum_voters))


def _joined(feature: str) -> str:
    """`metadataVersion`, as Kafka's loader of metadata spells it."""
    first, *others = feature.split(".")
    return first + "".join(map(str.capitalize, others))


def _dashed(feature: str) -> str:
    """`metadata-version`, as Kafka's metrics of a node do."""
    return feature.replace(".", "-")


def _supported(scrape: Scrape) -> dict[str, tuple[int, int]]:
    unstable = scrape.broker.settings.unstable_feature_versions_enable
    return supported_levels(unstable=unstable)


def _current_vote(scrape: Scrape) -> int:
    voted = scrape.quorum.node.voted
    return NO_VOTE if voted is None else voted.node_id


def state_in_quorum(scrape: Scrape) -> list[Tagged]:
    return [((type(scrape.quorum.node.role).__name__.lower(),), 1)]


def _observers(scrape: Scrape) -> int:
    role = scrape.quorum.node.role
    return len(role.progress.observers) if isinstance(role, Leader) else 0


def _changes_voters(scrape: Scrape) -> int:
    return int(scrape.leads_the_quorum and is_changing(scrape.quorum.node))


def _snapshot_bytes(scrape: Scrape) -> int:
    log = scrape.quorum.node.log
    if not isinstance(log, MetadataLog) or log.latest_snapshot is None:
        return 0
    return log.snapshots.size(log.latest_snapshot)


def _latency(name: str, doc: str) -> tuple[Row, Row]:
    """NaN where nothing happened."""

    def recent(scrape: Scrape) -> Recent:
        times = scrape.quorum.times
        return times.commit if name == "commit" else times.election

    average = Row(f"{name}-latency-avg", doc, lambda s: recent(s).average(s.quorum.times.now_ms()))
    maximum = Row(
        f"{name}-latency-max", "The longest.", lambda s: recent(s).maximum(s.quorum.times.now_ms())
    )
    return average, maximum


CONTROLLER = Table(
    "kafka.controller",
    "KafkaController",
    (
        Row(
            "ActiveControllerCount",
            "1 where this node leads the quorum; the sum over all nodes is 1.",
            lambda s: int(s.leads_the_quorum),
        ),
        Row("OfflinePartitionsCount", "Without a leader.", _count("OfflinePartitionsCount")),
        Row("GlobalTopicCount", "Topics.", lambda s: len(s.image.topics.by_id)),
        Row("GlobalPartitionCount", "Partitions.", _count("GlobalPartitionCount")),
        Row(
            "PreferredReplicaImbalanceCount",
            "Partitions that are not led by their first replica.",
            _count("PreferredReplicaImbalanceCount"),
        ),
        Row("ActiveBrokerCount", "Brokers that serve.", lambda s: _brokers(s.image, fenced=False)),
        Row(
            "FencedBrokerCount",
            "Brokers that are known and do not serve.",
            lambda s: _brokers(s.image, fenced=True),
        ),
        Each(
            "BrokerRegistrationState",
            ("broker",),
            "Of each broker that is known: 10 if it is fenced, 20 in controlled shutdown, else 30.",
            _registrations,
        ),
        Each(
            "TimeSinceLastHeartbeatReceivedMs",
            ("broker",),
            "At the active controller, of each broker that is not fenced; others do not know it.",
            lambda s: [((str(one),), ms) for one, ms in sorted(s.quorum.silences_ms.items())],
        ),
        Row(
            "EventQueueOperationsStartedCount",
            "Requests that the controller here has decided.",
            lambda s: s.quorum.times.processing.count,
            only_grows=True,
        ),
        Row(
            "EventQueueOperationsTimedOutCount",
            "Requests that it refused, because too many waited already.",
            lambda s: s.quorum.times.refused,
            only_grows=True,
        ),
        Row(
            "ControlledShutdownBrokerCount",
            "Brokers in controlled shutdown, whose partitions move to other leaders.",
            lambda s: sum(one.in_controlled_shutdown for one in s.image.cluster.brokers.values()),
        ),
        Row(
            "IgnoredStaticVoters",
            "1 if `controller.quorum.voters` is set and the metadata say who votes.",
            _ignored_voters,
        ),
        Row(
            "TimedOutBrokerHeartbeatCount",
            "Brokers that were fenced without a controlled shutdown.",
            lambda s: s.changes.heartbeats_missed,
            only_grows=True,
        ),
        Row(
            "NewActiveControllersCount",
            "How often another controller became the active one, since this node started.",
            lambda s: s.changes.active_controllers,
            only_grows=True,
        ),
        Row(
            "MetadataErrorCount",
            "0: a node that cannot apply a record of the metadata stops with an error.",
            lambda s: 0,
        ),
        Row(
            "LastAppliedRecordOffset",
            "Of the metadata that is applied here.",
            lambda s: s.image.offset,
        ),
        Row("LastAppliedRecordTimestamp", "When it was written.", lambda s: s.quorum.applied_ms),
        Row(
            "LastAppliedRecordLagMs",
            "How long ago that is; 0 at the active controller.",
            _applied_lag_ms,
        ),
        Row(
            "LastCommittedRecordOffset",
            "Of the metadata that a majority has.",
            lambda s: s.quorum.high_watermark - 1,
        ),
    ),
    Scrape.look_at_partitions,
)
EVENTS = Table(
    "kafka.controller",
    "ControllerEventManager",
    (
        Spread(
            "EventQueueTimeMs",
            "How long requests waited for the active controller.",
            lambda s: s.quorum.times.queue,
        ),
        Spread(
            "EventQueueProcessingTimeMs",
            "How long it took to decide them, and to append what it decided.",
            lambda s: s.quorum.times.processing,
        ),
        idle("AvgIdleRatio", "The controller."),
    ),
)
STATS = Table(
    "kafka.controller",
    "ControllerStats",
    (
        Row(
            "LeaderElectionsPerSec",
            "Partitions that got another leader.",
            lambda s: s.changes.elections,
            only_grows=True,
        ),
        Row(
            "UncleanLeaderElectionsPerSec",
            "The new leader was not in sync, and records may be lost.",
            lambda s: s.changes.unclean_elections,
            only_grows=True,
        ),
        Row(
            "ElectionFromEligibleLeaderReplicasPerSec",
            "It was not in sync, but an eligible leader replica, which has all that is committed.",
            lambda s: s.changes.eligible_elections,
            only_grows=True,
        ),
    ),
)
LOADER = Table(
    "kafka.server",
    "MetadataLoader",
    (
        Row(
            "CurrentMetadataVersion",
            "The level of `metadata.version`.",
            lambda s: s.image.features.metadata_version,
        ),
        Row(
            "CurrentControllerId",
            "The active controller; -1 for none.",
            lambda s: s.quorum.leader_id,
        ),
        Row(
            "HandleLoadSnapshotCount",
            "Snapshots of the metadata that were loaded, the one at the start included.",
            lambda s: s.quorum.snapshots_loaded,
            only_grows=True,
        ),
        idle("AvgIdleRatio", "Taking in metadata."),
        Each(
            "FinalizedLevel",
            ("featureName",),
            "The level of each feature that is on.",
            lambda s: [
                ((_joined(name),), level) for name, level in s.image.features.levels.items()
            ],
        ),
    ),
)
NODE = Table(
    "kafka.server",
    "node-metrics",
    (
        Each(
            "maximum-supported-level",
            ("feature-name",),
            "The highest level that this node could run.",
            lambda s: [((_dashed(name),), most) for name, (_, most) in _supported(s).items()],
        ),
        Each(
            "minimum-supported-level",
            ("feature-name",),
            "The lowest.",
            lambda s: [((_dashed(name),), least) for name, (least, _) in _supported(s).items()],
        ),
    ),
)
SNAPSHOTS = Table(
    "kafka.server",
    "SnapshotEmitter",
    (
        Row(
            "LatestSnapshotGeneratedBytes",
            "Size of the newest snapshot of the metadata; 0 where there is none.",
            _snapshot_bytes,
        ),
        Row(
            "LatestSnapshotGeneratedAgeMs",
            "How long ago this node has written it; before that, how long ago the node started.",
            lambda s: max(s.now_ms - s.quorum.snapshot_written_ms, 0),
        ),
    ),
)
LISTENER = Table(
    "kafka.server",
    "BrokerMetadataListener",
    (
        Spread(
            "MetadataBatchSizes",
            "How many records became metadata together.",
            lambda s: s.quorum.times.batch_sizes,
        ),
        Spread(
            "MetadataBatchProcessingTimeUs",
            "How long that took, with all that follows the metadata.",
            lambda s: s.quorum.times.batch_times,
        ),
    ),
)
BROKER_METADATA = Table(
    "kafka.server",
    "broker-metadata-metrics",
    (
        Row("metadata-load-error-count", "0, for the reason of MetadataErrorCount.", lambda s: 0),
        Row("metadata-apply-error-count", "The same.", lambda s: 0),
        Row(
            "last-applied-record-offset", "Of the metadata applied here.", lambda s: s.image.offset
        ),
        Row(
            "last-applied-record-timestamp",
            "When it was written.",
            lambda s: s.quorum.applied_ms,
        ),
        Row(
            "last-applied-record-lag-ms",
            "How long ago that is; 0 at the active controller.",
            _applied_lag_ms,
        ),
        Row(
            "ignored-static-voters",
            "1 if `controller.quorum.voters` is set and the metadata say who votes.",
            _ignored_voters,
        ),
    ),
)
RAFT = Table(
    "kafka.server",
    "raft-metrics",
    (
        Each(
            "current-state",
            ("state",),
            "1, beside what this node is in the quorum.",
            state_in_quorum,
        ),
        Row(
            "current-leader", "The leader of the quorum; -1 for none.", lambda s: s.quorum.leader_id
        ),
        Row("current-epoch", "Of the quorum.", lambda s: s.quorum.leader_epoch),
        Row("high-watermark", "Of the metadata log.", lambda s: s.quorum.high_watermark),
        Row("log-end-offset", "Of the metadata log.", lambda s: s.quorum.node.log.end.offset),
        Row("log-end-epoch", "Of its last record.", lambda s: s.quorum.node.log.end.epoch),
        Row(
            "current-vote",
            "Whom this node has voted for in this epoch; -1 for none.",
            _current_vote,
        ),
        Row(
            "append-records-rate",
            "Records that this node has appended to the metadata log as its leader, a second.",
            lambda s: s.rate("append-records", s.quorum.times.led),
        ),
        Row(
            "fetch-records-rate",
            "Records of the metadata log that it has fetched from the leader, a second.",
            lambda s: s.rate("fetch-records", s.quorum.times.fetched),
        ),
        Row("number-of-voters", "Of the quorum.", lambda s: len(s.quorum.node.voters)),
        Row(
            "number-of-observers",
            "Who fetches the metadata here and does not vote; 0 where others lead.",
            _observers,
        ),
        Row(
            "number-unknown-voter-connections",
            "0, as in Apache Kafka 4.3.1, which sets it when it starts and not again.",
            lambda s: 0,
        ),
        Row(
            "uncommitted-voter-change",
            "1 at the leader while a change of the voters is not committed.",
            _changes_voters,
        ),
        *_latency("commit", "From append to commit, per record, of the last minute."),
        *_latency("election", "How long the quorum had no leader, of the last minute."),
        idle("poll-idle-ratio-avg", "The loop of the metadata log."),
    ),
)

CHANNEL = Table(
    "kafka.server",
    "raft-channel-metrics",
    tuple(
        Row(f"{name}-total", doc, read, only_grows=True)
        for name, doc, read in (
            ("request", "Asked of other voters.", lambda s: s.quorum.traffic.requests),
            ("response", "Their answers.", lambda s: s.quorum.traffic.answers),
            ("outgoing-byte", "Of these requests.", lambda s: s.quorum.traffic.bytes_out),
            ("incoming-byte", "Of these answers.", lambda s: s.quorum.traffic.bytes_in),
        )
    ),
)

TABLES = (
    CONTROLLER,
    EVENTS,
    STATS,
    LOADER,
    NODE,
    SNAPSHOTS,
    LISTENER,
    BROKER_METADATA,
    RAFT,
    CHANNEL,
)
