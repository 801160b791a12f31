"""Logs: segments, retention, compaction, the defaults of topics."""

from __future__ import annotations

from moldau.config.key import (
    Rank,
    Scope,
    decimal,
    flag,
    integer,
    long,
    maybe_integer,
    maybe_long,
    names,
    text,
)
from moldau.config.kinds import LARGEST_DOUBLE
from moldau.config.settings import Settings
from moldau.config.units import FOREVER, GIB, MIB


class LogKeys(Settings):
    """Declared by theme; see BrokerSettings."""

    auto_create_topics_enable = flag(
        True, "Whether a topic is created by the first request for it.", rank=Rank.HIGH
    )
    delete_topic_enable = flag(True, "Whether topics may be deleted.", rank=Rank.HIGH)
    num_partitions = integer(1, "The partitions of a topic that is made without a number.", least=1)
    default_replication_factor = integer(1, "The copies of a topic that is made without a number.")
    message_max_bytes = integer(
        1_048_588,
        "The largest batch that is accepted.",
        least=0,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    min_insync_replicas = integer(
        1,
        "So many copies must be in sync before a write with acks=all is taken.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    compression_type = text(
        "producer",
        "The codec of stored batches; `producer` keeps what came.",
        choices=("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    compression_gzip_level = integer(
        -1,
        "How hard gzip tries; -1 leaves it to gzip.",
        least=1,
        most=9,
        or_value=-1,
        scope=Scope.CLUSTER,
    )
    compression_lz4_level = integer(9, "How hard lz4 tries.", least=1, most=17, scope=Scope.CLUSTER)
    compression_zstd_level = integer(
        3, "How hard zstd tries.", least=-131_072, most=22, scope=Scope.CLUSTER
    )
    log_segment_bytes = integer(
        GIB, "Size at which a segment is full.", least=MIB, scope=Scope.CLUSTER, rank=Rank.HIGH
    )
    log_roll_ms = maybe_long("Age at which a segment is full.", scope=Scope.CLUSTER, rank=Rank.HIGH)
    log_roll_hours = integer(
        168,
        "Age at which a segment is full, in hours; log.roll.ms comes before it.",
        least=1,
        rank=Rank.HIGH,
    )
    log_roll_jitter_ms = maybe_long(
        "Up to so much is taken off a segment's age limit, so that not all logs roll at once.",
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    log_roll_jitter_hours = integer(
        0,
        "How much a segment's age limit varies, in hours; log.roll.jitter.ms comes before it.",
        least=0,
        rank=Rank.HIGH,
    )
    log_retention_ms = maybe_long(
        "Records older than this are deleted; -1 keeps them for ever.",
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    log_retention_minutes = maybe_integer(
        "Records older than this are deleted, in minutes; log.retention.ms comes before it.",
        rank=Rank.HIGH,
    )
    log_retention_hours = integer(
        168,
        "Records older than this are deleted, in hours; .minutes and .ms come before it.",
        rank=Rank.HIGH,
    )
    log_retention_bytes = long(
        -1,
        "The oldest segments go when a partition is larger; -1 keeps them.",
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    log_retention_check_interval_ms = long(
        300_000, "How often expired segments are looked for.", least=1
    )
    log_cleanup_policy = names(
        ("delete",),
        "What happens to old records: delete, compact, or both.",
        choices=("compact", "delete"),
        scope=Scope.CLUSTER,
    )
    log_cleaner_enable = flag(True, "Whether compacted topics are compacted.")
    log_cleaner_threads = integer(
        1, "How many logs are compacted at a time.", least=0, scope=Scope.CLUSTER
    )
    log_cleaner_io_max_bytes_per_second = decimal(
        LARGEST_DOUBLE, "How fast compaction may read and write.", scope=Scope.CLUSTER
    )
    log_cleaner_dedupe_buffer_size = long(
        128 * MIB,
        "Memory for the keys that compaction collects, for all threads together.",
        scope=Scope.CLUSTER,
    )
    log_cleaner_io_buffer_size = integer(
        524_288, "Memory for reading and writing during compaction.", least=0, scope=Scope.CLUSTER
    )
    log_cleaner_io_buffer_load_factor = decimal(
        0.9, "How full the memory of keys may become before a round ends.", scope=Scope.CLUSTER
    )
    log_cleaner_backoff_ms = long(
        15_000, "The pause when there is nothing to compact.", least=0, scope=Scope.CLUSTER
    )
    log_cleaner_min_cleanable_ratio = decimal(
        0.5,
        "A log is compacted when so much of it is new since the last time.",
        least=0,
        most=1,
        scope=Scope.CLUSTER,
    )
    log_cleaner_delete_retention_ms = long(
        86_400_000,
        "How long a deletion stays visible in a compacted log.",
        least=0,
        scope=Scope.CLUSTER,
    )
    log_cleaner_min_compaction_lag_ms = long(
        0, "Records younger than this are not compacted.", least=0, scope=Scope.CLUSTER
    )
    log_cleaner_max_compaction_lag_ms = long(
        FOREVER, "Records older than this are, whatever the ratio.", least=1, scope=Scope.CLUSTER
    )
    log_index_size_max_bytes = integer(
        10 * MIB, "The largest offset index.", least=4, scope=Scope.CLUSTER
    )
    log_index_interval_bytes = integer(
        4096,
        "About how many bytes lie between two entries of an index.",
        least=0,
        scope=Scope.CLUSTER,
    )
    log_flush_interval_messages = long(
        FOREVER,
        "After so many records a log is synced to the disk.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    log_flush_interval_ms = maybe_long(
        "After so long a log is synced to the disk.", scope=Scope.CLUSTER, rank=Rank.HIGH
    )
    log_flush_scheduler_interval_ms = long(
        FOREVER, "How often logs are looked at that may have to be synced.", rank=Rank.HIGH
    )
    log_flush_offset_checkpoint_interval_ms = integer(
        60_000, "How often the recovery points are written down.", least=0, rank=Rank.HIGH
    )
    log_flush_start_offset_checkpoint_interval_ms = integer(
        60_000, "How often the start offsets are written down.", least=0, rank=Rank.HIGH
    )
    log_segment_delete_delay_ms = long(
        60_000,
        "How long a dropped file stays on the disk, for those who still read it.",
        least=0,
        scope=Scope.CLUSTER,
        rank=Rank.HIGH,
    )
    log_preallocate = flag(
        False, "Whether a segment gets its room on the disk at once.", scope=Scope.CLUSTER
    )
    log_message_timestamp_type = text(
        "CreateTime",
        "Whose clock records carry: the producer's (CreateTime) or the broker's (LogAppendTime).",
        choices=("CreateTime", "LogAppendTime"),
        scope=Scope.CLUSTER,
    )
    log_message_timestamp_before_max_ms = long(
        FOREVER, "How far in the past a producer's timestamp may lie.", least=0, scope=Scope.CLUSTER
    )
    log_message_timestamp_after_max_ms = long(
        3_600_000,
        "How far in the future a producer's timestamp may lie.",
        least=0,
        scope=Scope.CLUSTER,
    )
    log_dir_failure_timeout_ms = long(
        30_000,
        "A broker stops when it cannot report a failed directory for so long.",
        least=1,
        rank=Rank.LOW,
    )
    log_initial_task_delay_ms = long(
        30_000,
        "How long after the start retention and its kin begin.",
        least=0,
        rank=Rank.LOW,
        internal=True,
    )
    log_local_retention_ms = long(
        -2,
        "How long records that are in the remote store stay here too; -2 as log.retention.ms.",
        least=-2,
        scope=Scope.CLUSTER,
    )
    log_local_retention_bytes = long(
        -2,
        "How much of what is in the remote store stays here too; -2 as log.retention.bytes.",
        least=-2,
        scope=Scope.CLUSTER,
    )
    producer_id_expiration_ms = integer(
        86_400_000,
        "A producer that wrote nothing for so long is forgotten.",
        least=1,
        scope=Scope.CLUSTER,
        rank=Rank.LOW,
    )
    producer_id_expiration_check_interval_ms = integer(
        600_000,
        "How often producers are looked for that may be forgotten.",
        least=1,
        rank=Rank.LOW,
        internal=True,
    )
