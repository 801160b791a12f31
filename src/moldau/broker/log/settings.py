"""The settings of one partition's log, with the defaults of Apache Kafka 4.3, and what they demand
of the batches that producers send.
"""

from __future__ import annotations

from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import TimestampType
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.validator import INT64_MAX, ValidationRules

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB
SECOND_MS = 1000
HOUR_MS = 3600 * SECOND_MS
DAY_MS = 24 * HOUR_MS
FOREVER = 2**63 - 1
"""What Kafka writes where a time or a count has no bound."""
UNLIMITED = -1
"""The value of retention settings where nothing is ever too old or too much."""

DELETE = "delete"
COMPACT = "compact"
KEEP_PRODUCER_CODEC = "producer"
UNCOMPRESSED = ("uncompressed", "none")
"""`compression.type` is the first; the second is the codec's own name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogSettings:
    """One field for each topic setting that the log obeys; units stand at the end of names."""

    segment_bytes: int = GIB
    segment_ms: int = 7 * DAY_MS
    segment_jitter_ms: int = 0
    segment_index_bytes: int = 10 * MIB
    index_interval_bytes: int = 4 * KIB
    preallocate: bool = False

    flush_messages: int = FOREVER
    flush_ms: int = FOREVER

    cleanup_policy: frozenset[str] = frozenset({DELETE})
    retention_ms: int = 7 * DAY_MS
    retention_bytes: int = UNLIMITED
    file_delete_delay_ms: int = 60 * SECOND_MS
    min_cleanable_dirty_ratio: float = 0.5
    min_compaction_lag_ms: int = 0
    max_compaction_lag_ms: int = FOREVER
    delete_retention_ms: int = DAY_MS

    max_message_bytes: int = MIB + 12
    message_timestamp_type: TimestampType = TimestampType.CREATE
    message_timestamp_before_max_ms: int = FOREVER
    message_timestamp_after_max_ms: int = HOUR_MS
    compression_type: str = KEEP_PRODUCER_CODEC
    compression_gzip_level: int = -1
    compression_lz4_level: int = 9
    compression_zstd_level: int = 3
    encryption_at_rest: str = ""
    """The name of the key under which batches are encrypted; empty where they are not."""

    producer_id_expiration_ms: int = DAY_MS

    @property
    def compacts(self) -> bool:
        """Whether records need keys and old values go."""
        return COMPACT in self.cleanup_policy

    @property
    def deletes(self) -> bool:
        """Whether age and size of the log are bounded."""
        return DELETE in self.cleanup_policy


def validation_rules(settings: LogSettings) -> ValidationRules:
    """The validator's rules for a topic with these settings."""
    codec = _codec(settings.compression_type)
    return ValidationRules(
        max_message_bytes=settings.max_message_bytes,
        is_compacted=settings.compacts,
        codec=codec,
        level=_level(settings, codec),
        timestamp_type=settings.message_timestamp_type,
        timestamp_before_max_ms=settings.message_timestamp_before_max_ms,
        timestamp_after_max_ms=settings.message_timestamp_after_max_ms,
    )


def validates_headers_only(rules: ValidationRules) -> bool:
    """Whether the topic asks nothing of records but to be as their batch claims."""
    return (
        rules
        == ValidationRules(
            max_message_bytes=rules.max_message_bytes,
            timestamp_after_max_ms=rules.timestamp_after_max_ms,
        )
        and rules.timestamp_before_max_ms == INT64_MAX
    )


def _codec(compression_type: str) -> Codec | None:
    if compression_type == KEEP_PRODUCER_CODEC:
        return None
    return Codec.NONE if compression_type in UNCOMPRESSED else Codec[compression_type.upper()]


def _level(settings: LogSettings, codec: Codec | None) -> int | None:
    levels = {
        Codec.GZIP: settings.compression_gzip_level,
        Codec.LZ4: settings.compression_lz4_level,
        Codec.ZSTD: settings.compression_zstd_level,
    }
    return None if codec is None else levels.get(codec)
