"""Partitions and logs that are here: whether they are whole, how large, and how far."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from typing import Any

from moldau.broker.metrics.kinds import Histogram
from moldau.broker.replica.manager import ReplicaManager
from moldau.broker.replica.opening_reports import OpeningReports
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.upkeep import Upkeep
from moldau.broker.server.controller.isr_reports import FAILED
from moldau.broker.server.monitoring.disk_room import GROUP, KIND, PERCENT, TOTAL, USABLE
from moldau.broker.server.monitoring.figures.scrape import PARTITIONS_SHOWN_MAX, Scrape
from moldau.broker.server.monitoring.figures.standing import Standing
from moldau.broker.server.monitoring.figures.table import (
    Counted,
    Each,
    OfPartitions,
    Row,
    Spread,
    Table,
    Tagged,
)

__all__ = ["TABLES"]

MS_PER_SECOND = 1000
FETCHER = "Replica"
"""As Kafka names the client that is a follower."""


def _offline(scrape: Scrape) -> int:
    """Replicas that belong here and whose log cannot be used."""
    replicas: ReplicaManager = scrape.broker.replicas
    pending = replicas.pending
    missing = scrape.assigned.difference(replicas.here.by_name)
    return scrape.totals.failed + sum(name not in pending for name in missing)


def _each(ask: Callable[[Standing], list[int]]) -> Callable[[Scrape], list[int]]:
    return lambda scrape: ask(scrape.shown)


def _in_directories(ask: Callable[[Scrape, str], float]) -> Callable[[Scrape], Iterator[Tagged]]:
    def read(scrape: Scrape) -> Iterator[Tagged]:
        for directory in scrape.broker.replicas.directories.opened:
            yield (directory.path,), ask(scrape, directory.path)

    return read


def _reports(scrape: Scrape) -> OpeningReports:
    replicas: ReplicaManager = scrape.broker.replicas
    return replicas.opening_reports


def _is_cordoned(scrape: Scrape, path: str) -> bool:
    return path in (scrape.broker.settings.cordoned_log_dirs or ())


def _upkeep(scrape: Scrape) -> Upkeep:
    assert scrape.upkeep is not None, "there are no metrics before the replicas have started"
    return scrape.upkeep


def _flushes(scrape: Scrape) -> Histogram:
    return _upkeep(scrape).flush_times


def _uncleanable(scrape: Scrape, path: str) -> list[Partition]:
    names = _upkeep(scrape).cleaner.uncleanable
    if not names:
        return []
    return [one for one in scrape.partitions if one.directory.path == path and one.name in names]


def _uncleanable_bytes(scrape: Scrape, path: str) -> int:
    return sum(map(_upkeep(scrape).cleaner.cleanable_bytes, _uncleanable(scrape, path)))


def _since_cleaning_ms(scrape: Scrape) -> int:
    last_ms = _upkeep(scrape).cleaner.last_round_ms
    return 0 if last_ms is None else scrape.now_ms - last_ms


def _of_fetchers(ask: Callable[[Iterable[Any]], int]) -> Callable[[Scrape], Iterator[Tagged]]:
    def read(scrape: Scrape) -> Iterator[Tagged]:
        yield (FETCHER,), ask(scrape.broker.replica_fetchers or ())

    return read


def _dead_fetchers(scrape: Scrape) -> list[Tagged]:
    fetchers = scrape.broker.replica_fetchers
    return [((FETCHER,), 0 if fetchers is None else fetchers.dead_count)]


def _follower_lags(scrape: Scrape) -> Iterator[Tagged]:
    fetchers = scrape.broker.replica_fetchers
    lags = () if fetchers is None else fetchers.lags()
    for (leader, number), (topic, partition), lag in islice(lags, PARTITIONS_SHOWN_MAX):
        yield (f"{FETCHER}FetcherThread-{number}-{leader}", topic, str(partition)), lag


MANAGER = Table(
    "kafka.server",
    "ReplicaManager",
    (
        Row("PartitionCount", "Replicas that are kept here.", lambda s: s.counts["PartitionCount"]),
        Row("LeaderCount", "Partitions that are led here.", lambda s: s.counts["LeaderCount"]),
        Row(
            "UnderReplicatedPartitions",
            "Led here, and some replica is not in sync.",
            lambda s: s.counts["UnderReplicatedPartitions"],
        ),
        Row(
            "UnderMinIsrPartitionCount",
            "Led here, with fewer replicas in sync than `min.insync.replicas`: acks=all fails.",
            lambda s: s.totals.under_min_isr,
        ),
        Row(
            "AtMinIsrPartitionCount",
            "Led here, and one replica less would be too few. A single replica is always so.",
            lambda s: s.totals.at_min_isr,
        ),
        Row("OfflineReplicaCount", "Kept here, but their log cannot be used.", _offline),
        Row(
            "ReassigningPartitions",
            "Led here, and moving between brokers.",
            lambda s: s.counts["ReassigningPartitions"],
        ),
        Row(
            "IsrShrinksPerSec",
            "A replica has fallen out of sync, of a partition led here.",
            lambda s: s.changes.isr_shrinks,
            only_grows=True,
        ),
        Row(
            "IsrExpandsPerSec",
            "A replica is in sync again.",
            lambda s: s.changes.isr_expands,
            only_grows=True,
        ),
        Counted(
            FAILED, (), "Changes of an ISR that the controller did not take, for whatever cause."
        ),
        Row(
            "ProducerIdCount",
            "Producers that are remembered, over all partitions here.",
            lambda s: s.totals.producers,
        ),
        Row(
            "PartitionsWithLateTransactionsCount",
            "With a transaction open five minutes beyond `transaction.max.timeout.ms`.",
            lambda s: s.totals.late,
        ),
    ),
    Scrape.look_at_partitions,
)
FETCHERS = Table(
    "kafka.server",
    "ReplicaFetcherManager",
    (
        Each(
            "MaxLag",
            ("clientId",),
            "Records that the partition furthest behind its leader lacks, of those followed here.",
            _of_fetchers(lambda them: max((one.max_lag for one in them), default=0)),
        ),
        Each(
            "FailedPartitionsCount",
            ("clientId",),
            "Partitions of which nothing is fetched any more until they get another leader.",
            _of_fetchers(lambda them: sum(one.failed_count for one in them)),
        ),
        Each(
            "DeadThreadCount",
            ("clientId",),
            "Fetchers that have partitions and do not run any more: 0, unless there is a bug.",
            _dead_fetchers,
        ),
    ),
)
FETCHER_LAG = Table(
    "kafka.server",
    "FetcherLagMetrics",
    (
        Each(
            "ConsumerLag",
            ("clientId", "topic", "partition"),
            "Records that a replica which follows here lacks, of what its leader had replicated "
            "when it last answered.",
            _follower_lags,
        ),
    ),
)
PARTITION = Table(
    "kafka.cluster",
    "Partition",
    (
        OfPartitions(
            "UnderReplicated",
            "1 if it is led here and some replica is not in sync.",
            _each(lambda them: them.is_under),
        ),
        OfPartitions(
            "UnderMinIsr",
            "1 if it is led here with fewer replicas in sync than `min.insync.replicas`.",
            _each(lambda them: them.under_min_isr),
        ),
        OfPartitions(
            "AtMinIsr",
            "1 if it is led here and one replica less would be too few.",
            _each(lambda them: them.at_min_isr),
        ),
        OfPartitions(
            "InSyncReplicasCount",
            "Replicas in sync; 0 where it is led elsewhere.",
            _each(lambda them: them.in_sync),
        ),
        OfPartitions(
            "ReplicasCount",
            "Replicas; 0 where it is led elsewhere.",
            _each(lambda them: them.led_replicas),
        ),
        OfPartitions(
            "LastStableOffsetLag",
            "Records that readers of committed ones do not get yet: a transaction is open.",
            _each(lambda them: them.lag_to_stable),
        ),
    ),
    Scrape.look_at_partitions,
)
LOG = Table(
    "kafka.log",
    "Log",
    (
        OfPartitions("Size", "Bytes of its segments.", _each(lambda them: them.size)),
        OfPartitions("LogStartOffset", "The first offset.", _each(lambda them: them.start_offset)),
        OfPartitions("LogEndOffset", "The next offset.", _each(lambda them: them.end_offset)),
        OfPartitions("NumLogSegments", "Segments.", _each(lambda them: them.segments)),
        OfPartitions(
            "RetentionSizeInPercent",
            "Of `retention.bytes`, how much is used; 0 where there is no such limit.",
            _each(lambda them: them.retention_percent),
        ),
    ),
    Scrape.look_at_partitions,
)
FLUSHES = Table(
    "kafka.log",
    "LogFlushStats",
    (
        Spread(
            "LogFlushRateAndTimeMs", "How long logs took to be synced in the background.", _flushes
        ),
    ),
)
LOG_MANAGER = Table(
    "kafka.log",
    "LogManager",
    (
        Row(
            "OfflineLogDirectoryCount",
            "Log directories whose disk has failed.",
            lambda s: len(s.broker.replicas.directories.offline),
        ),
        Each(
            "LogDirectoryOffline",
            ("logDirectory",),
            "1 if its disk has failed since the start.",
            _in_directories(lambda s, path: path in s.broker.replicas.directories.offline),
        ),
        Each(
            "remainingLogsToRecover",
            ("dir",),
            "0: a node answers when all its logs are recovered.",
            _in_directories(lambda s, path: 0),
        ),
        Row(
            "CordonedLogDirectoryCount",
            "Log directories that get no new partitions.",
            lambda s: sum(
                _is_cordoned(s, one.path) for one in s.broker.replicas.directories.opened
            ),
        ),
        Each(
            "LogDirectoryCordoned",
            ("logDirectory",),
            "1 if it gets no new partitions.",
            _in_directories(lambda s, path: _is_cordoned(s, path)),
        ),
    ),
)
RECOVERY = Table(
    "moldau.log",
    "LogRecovery",
    (
        Row(
            "DamagedPartitionCount",
            "Partitions whose files were not as a stop in order leaves them, at the start.",
            lambda s: _reports(s).partitions,
        ),
        Row(
            "LostOffsetCount",
            "Offsets that were in these logs and are no more; above 0 a copy should be looked for.",
            lambda s: _reports(s).lost_offsets,
        ),
        Row(
            "CutByteCount",
            "Bytes behind damage that were cut off these logs, and kept in `.cut` files.",
            lambda s: _reports(s).cut_bytes,
        ),
        Row(
            "RebuiltFileCount",
            "Indexes, snapshots and other files that were wrong and made anew from the logs.",
            lambda s: _reports(s).rebuilt_files,
        ),
        Row(
            "UnreadablePlaceCount",
            "Damaged places within logs that a reader has met since the start.",
            lambda s: s.totals.damaged_places,
        ),
    ),
    Scrape.look_at_partitions,
)
ROOM = Table(
    GROUP,
    KIND,
    (
        Counted(USABLE, ("logDirectory",), "Room that is left on the disk of a log directory."),
        Counted(TOTAL, ("logDirectory",), "The room of that disk, used or not."),
        Counted(PERCENT, ("logDirectory",), "The first by the second."),
    ),
)
CLEANER_MANAGER = Table(
    "kafka.log",
    "LogCleanerManager",
    (
        Row(
            "time-since-last-run-ms",
            "Since a log was last compacted; 0 if none was.",
            _since_cleaning_ms,
        ),
        Row(
            "max-dirty-percent",
            "Of the log that was due for compaction the most, when it was last looked.",
            lambda s: _upkeep(s).cleaner.max_dirty_percent,
        ),
        Each(
            "uncleanable-partitions-count",
            ("logDirectory",),
            "Logs that cannot be compacted: a batch in them cannot be read.",
            _in_directories(lambda s, path: len(_uncleanable(s, path))),
        ),
        Each(
            "uncleanable-bytes",
            ("logDirectory",),
            "Bytes of theirs that compaction would go through.",
            _in_directories(_uncleanable_bytes),
        ),
    ),
)
CLEANER = Table(
    "kafka.log",
    "LogCleaner",
    (
        Row(
            "DeadThreadCount",
            "Tasks that compact and have ended while the node runs: 0, unless there is a bug.",
            lambda s: _upkeep(s).dead_cleaner_count,
        ),
        Row(
            "max-clean-time-secs",
            "How long the last round of compaction took; 0 before the first.",
            lambda s: _upkeep(s).cleaner.last_round.seconds,
        ),
        Row(
            "cleaner-recopy-percent",
            "What it wrote, of what it read.",
            lambda s: _upkeep(s).cleaner.last_round.recopied_percent,
        ),
        Row(
            "max-buffer-utilization-percent",
            "How much of the room for keys it used, of `log.cleaner.dedupe.buffer.size`.",
            lambda s: _upkeep(s).cleaner.last_round.buffer_percent,
        ),
        Row(
            "max-compaction-delay-secs",
            "By how much a record was older than `max.compaction.lag.ms` when it was last looked.",
            lambda s: _upkeep(s).cleaner.max_delay_ms // MS_PER_SECOND,
        ),
    ),
)
OURS = Table(
    "moldau",
    "metrics",
    (
        Row(
            "partitions-left-out",
            f"Partitions that are not shown one by one; {PARTITIONS_SHOWN_MAX} are.",
            lambda s: len(s.partitions) - len(s.places),
        ),
    ),
    Scrape.look_at_partitions,
)

TABLES = (
    MANAGER,
    FETCHERS,
    FETCHER_LAG,
    PARTITION,
    LOG,
    FLUSHES,
    LOG_MANAGER,
    ROOM,
    CLEANER_MANAGER,
    CLEANER,
    RECOVERY,
    OURS,
)
