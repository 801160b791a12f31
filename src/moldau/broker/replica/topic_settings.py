"""From a topic's settings to those that its logs obey."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from moldau.broker.log.settings import LogSettings
from moldau.protocol.records.batch import TimestampType


class TopicSettings(Protocol):
    """The settings of a topic that replicas read; names are Kafka's, dots made underscores."""

    @property
    def leader_replication_throttled_replicas(self) -> Collection[str]: ...
    @property
    def follower_replication_throttled_replicas(self) -> Collection[str]: ...
    @property
    def segment_bytes(self) -> int: ...
    @property
    def internal_segment_bytes(self) -> int | None: ...
    @property
    def segment_ms(self) -> int: ...
    @property
    def segment_jitter_ms(self) -> int: ...
    @property
    def segment_index_bytes(self) -> int: ...
    @property
    def index_interval_bytes(self) -> int: ...
    @property
    def preallocate(self) -> bool: ...
    @property
    def flush_messages(self) -> int: ...
    @property
    def flush_ms(self) -> int: ...
    @property
    def cleanup_policy(self) -> Collection[str]: ...
    @property
    def retention_ms(self) -> int: ...
    @property
    def retention_bytes(self) -> int: ...
    @property
    def file_delete_delay_ms(self) -> int: ...
    @property
    def min_cleanable_dirty_ratio(self) -> float: ...
    @property
    def min_compaction_lag_ms(self) -> int: ...
    @property
    def max_compaction_lag_ms(self) -> int: ...
    @property
    def delete_retention_ms(self) -> int: ...
    @property
    def max_message_bytes(self) -> int: ...
    @property
    def message_timestamp_type(self) -> str: ...
    @property
    def message_timestamp_before_max_ms(self) -> int: ...
    @property
    def message_timestamp_after_max_ms(self) -> int: ...
    @property
    def compression_type(self) -> str: ...
    @property
    def compression_gzip_level(self) -> int: ...
    @property
    def compression_lz4_level(self) -> int: ...
    @property
    def compression_zstd_level(self) -> int: ...
    @property
    def encryption_at_rest(self) -> str: ...
    @property
    def min_insync_replicas(self) -> int: ...


_TIMESTAMP_TYPES = {"CreateTime": TimestampType.CREATE, "LogAppendTime": TimestampType.LOG_APPEND}
_SAME = (
    "segment_ms", "segment_jitter_ms", "segment_index_bytes",
    "index_interval_bytes", "preallocate", "flush_messages", "flush_ms", "retention_ms",
    "retention_bytes", "file_delete_delay_ms", "min_cleanable_dirty_ratio",
    "min_compaction_lag_ms", "max_compaction_lag_ms", "delete_retention_ms", "max_message_bytes",
    "message_timestamp_before_max_ms", "message_timestamp_after_max_ms", "compression_type",
    "compression_gzip_level", "compression_lz4_level", "compression_zstd_level",
    "encryption_at_rest",
)  # fmt: skip
"""Settings that mean the same under the same name."""


def log_settings(settings: TopicSettings, producer_id_expiration_ms: int) -> LogSettings:
    """What the logs of a topic with these settings obey."""
    return LogSettings(
        **{name: getattr(settings, name) for name in _SAME},
        segment_bytes=_segment_bytes(settings),
        cleanup_policy=frozenset(settings.cleanup_policy),
        message_timestamp_type=_TIMESTAMP_TYPES[settings.message_timestamp_type],
        producer_id_expiration_ms=producer_id_expiration_ms,
    )


def _segment_bytes(settings: TopicSettings) -> int:
    """The internal setting wins, as in Kafka: tests make segments smaller than people may."""
    internal = settings.internal_segment_bytes
    return settings.segment_bytes if internal is None else internal
