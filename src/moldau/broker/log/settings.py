"""The settings of one partition's log, with the defaults of Apache Kafka 4.3."""

from __future__ import annotations

from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.records.batch import TimestampType

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
