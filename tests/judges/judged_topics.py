"""The topics that both sides write, each of its kind, with small segments."""

from __future__ import annotations

from collections.abc import Mapping

from moldau.broker.log.settings import COMPACT, DELETE, FOREVER, LogSettings
from moldau.protocol.records.batch import TimestampType

KINDS: Mapping[str, Mapping[str, str]] = {
    "codecs": {},
    "transactions": {},
    "compacted": {"cleanup.policy": COMPACT, "min.cleanable.dirty.ratio": "0.01"},
    "appended": {"message.timestamp.type": "LogAppendTime"},
    "trimmed": {},
}
EVERY_KIND = {
    "internal.segment.bytes": "16384",
    "segment.index.bytes": "2400",
    "index.interval.bytes": "512",
}
UNTOUCHED = {"min.compaction.lag.ms": str(FOREVER)}
"""Kafka's cleaner leaves it alone."""


def topic_configs(kind: str) -> dict[str, str]:
    return {**EVERY_KIND, **KINDS[kind]}


def log_settings(kind: str) -> LogSettings:
    """The same for a log of ours."""
    configs = topic_configs(kind)
    is_appended = configs.get("message.timestamp.type") == "LogAppendTime"
    return LogSettings(
        segment_bytes=int(configs["internal.segment.bytes"]),
        segment_index_bytes=int(configs["segment.index.bytes"]),
        index_interval_bytes=int(configs["index.interval.bytes"]),
        cleanup_policy=frozenset({configs.get("cleanup.policy", DELETE)}),
        message_timestamp_type=TimestampType.LOG_APPEND if is_appended else TimestampType.CREATE,
        min_cleanable_dirty_ratio=float(configs.get("min.cleanable.dirty.ratio", "0.5")),
    )
