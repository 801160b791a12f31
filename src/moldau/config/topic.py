"""The settings of a topic; where one is not set, the broker's setting holds."""

from __future__ import annotations

from moldau.config.key import Scope, decimal, flag, integer, long, maybe_integer, names, text
from moldau.config.settings import Settings
from moldau.config.units import FOREVER, GIB, MIB

SHORT_STRATEGIES = ("TopicNameStrategy", "RecordNameStrategy", "TopicRecordNameStrategy")
STRATEGIES = tuple(f"io.confluent.kafka.serializers.subject.{name}" for name in SHORT_STRATEGIES)
"""Of subjects, as Confluent's server names them."""


class TopicSettings(Settings):
    """The settings of a topic, by Kafka's names."""

    segment_bytes = integer(GIB, "Size at which a segment is full.", least=MIB, scope=Scope.CLUSTER)
    segment_ms = long(604_800_000, "Age at which a segment is full.", least=1, scope=Scope.CLUSTER)
    segment_jitter_ms = long(
        0,
        "Up to so much is taken off a segment's age limit, so that not all logs roll at once.",
        least=0,
        scope=Scope.CLUSTER,
    )
    segment_index_bytes = integer(
        10 * MIB, "The largest offset index.", least=4, scope=Scope.CLUSTER
    )
    internal_segment_bytes = maybe_integer(
        "A smaller segment size than people may set, for tests.", scope=Scope.CLUSTER, internal=True
    )
    index_interval_bytes = integer(
        4096,
        "About how many bytes lie between two entries of an index.",
        least=0,
        scope=Scope.CLUSTER,
    )
    preallocate = flag(
        False, "Whether a segment gets its room on the disk at once.", scope=Scope.CLUSTER
    )
    flush_messages = long(
        FOREVER,
        "After so many records the log is synced to the disk.",
        least=1,
        scope=Scope.CLUSTER,
    )
    flush_ms = long(
        FOREVER, "After so long the log is synced to the disk.", least=0, scope=Scope.CLUSTER
    )
    cleanup_policy = names(
        ("delete",),
        "What happens to old records: delete, compact, or both.",
        choices=("compact", "delete"),
        scope=Scope.CLUSTER,
    )
    retention_ms = long(
        604_800_000,
        "Records older than this are deleted; -1 keeps them for ever.",
        least=-1,
        scope=Scope.CLUSTER,
    )
    retention_bytes = long(
        -1, "The oldest segments go when a partition is larger; -1 keeps them.", scope=Scope.CLUSTER
    )
    file_delete_delay_ms = long(
        60_000,
        "How long a dropped file stays on the disk, for those who still read it.",
        least=0,
        scope=Scope.CLUSTER,
    )
    min_cleanable_dirty_ratio = decimal(
        0.5,
        "The log is compacted when so much of it is new since the last time.",
        least=0,
        most=1,
        scope=Scope.CLUSTER,
    )
    min_compaction_lag_ms = long(
        0, "Records younger than this are not compacted.", least=0, scope=Scope.CLUSTER
    )
    max_compaction_lag_ms = long(
        FOREVER, "Records older than this are, whatever the ratio.", least=1, scope=Scope.CLUSTER
    )
    delete_retention_ms = long(
        86_400_000,
        "How long a deletion stays visible in a compacted log.",
        least=0,
        scope=Scope.CLUSTER,
    )
    max_message_bytes = integer(
        1_048_588, "The largest batch that is accepted.", least=0, scope=Scope.CLUSTER
    )
    message_timestamp_type = text(
        "CreateTime",
        "Whose clock records carry: the producer's (CreateTime) or the broker's (LogAppendTime).",
        choices=("CreateTime", "LogAppendTime"),
        scope=Scope.CLUSTER,
    )
    message_timestamp_before_max_ms = long(
        FOREVER, "How far in the past a producer's timestamp may lie.", least=0, scope=Scope.CLUSTER
    )
    message_timestamp_after_max_ms = long(
        3_600_000,
        "How far in the future a producer's timestamp may lie.",
        least=0,
        scope=Scope.CLUSTER,
    )
    compression_type = text(
        "producer",
        "The codec of stored batches; `producer` keeps what came.",
        choices=("uncompressed", "zstd", "lz4", "snappy", "gzip", "producer"),
        scope=Scope.CLUSTER,
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
    encryption_at_rest = text(
        "",
        "The name of the key under which what is stored from now on is encrypted; empty for none. "
        "Kafka does not have it: its own tools show it where it is set.",
        scope=Scope.CLUSTER,
        own=True,
    )
    confluent_key_schema_validation = flag(
        False,
        "Whether records are refused whose key does not name a schema of the registry that is "
        "registered under the key's subject. Confluent's server has it, and Kafka does not.",
        scope=Scope.CLUSTER,
        own=True,
    )
    confluent_value_schema_validation = flag(
        False,
        "Whether records are refused whose value does not name a schema of the registry that is "
        "registered under the value's subject. Confluent's server has it, and Kafka does not.",
        scope=Scope.CLUSTER,
        own=True,
    )
    confluent_key_subject_name_strategy = text(
        STRATEGIES[0],
        "Which subject that is, for keys.",
        choices=(*STRATEGIES, *SHORT_STRATEGIES),
        scope=Scope.CLUSTER,
        own=True,
    )
    confluent_value_subject_name_strategy = text(
        STRATEGIES[0],
        "Which subject that is, for values.",
        choices=(*STRATEGIES, *SHORT_STRATEGIES),
        scope=Scope.CLUSTER,
        own=True,
    )
    schema_validation_payload = flag(
        False,
        "Whether records are refused, too, that cannot be decoded by the schema that they name, "
        "where the name is looked at. It takes the broker the decoding of each record.",
        scope=Scope.CLUSTER,
        own=True,
    )
    schema_validation_rules = flag(
        False,
        "Whether records are refused, too, that break a condition in CEL of the schema that they "
        "name, where the name is looked at. It takes the broker the decoding of each record, and "
        "the evaluation of each rule.",
        scope=Scope.CLUSTER,
        own=True,
    )
    min_insync_replicas = integer(
        1,
        "So many copies must be in sync before a write with acks=all is taken.",
        least=1,
        scope=Scope.CLUSTER,
    )
    unclean_leader_election_enable = flag(
        False,
        "Whether a copy that lacks records may lead when no other is left. It loses them.",
        scope=Scope.CLUSTER,
    )
    leader_replication_throttled_replicas = names(
        (),
        "The copies whose sending is throttled, as partition:broker, or `*`.",
        of_replicas=True,
        scope=Scope.CLUSTER,
    )
    follower_replication_throttled_replicas = names(
        (),
        "The copies whose fetching is throttled, as partition:broker, or `*`.",
        of_replicas=True,
        scope=Scope.CLUSTER,
    )
    remote_storage_enable = flag(
        False, "Whether old segments may move to the remote store.", scope=Scope.CLUSTER
    )
    remote_log_copy_disable = flag(
        False, "Whether no more of them are copied there.", scope=Scope.CLUSTER
    )
    remote_log_delete_on_disable = flag(
        False,
        "Whether what is there is deleted when remote storage is switched off.",
        scope=Scope.CLUSTER,
    )
    local_retention_ms = long(
        -2,
        "How long records that are in the remote store stay here too; -2 as retention.ms.",
        least=-2,
        scope=Scope.CLUSTER,
    )
    local_retention_bytes = long(
        -2,
        "How much of what is in the remote store stays here too; -2 as retention.bytes.",
        least=-2,
        scope=Scope.CLUSTER,
    )
