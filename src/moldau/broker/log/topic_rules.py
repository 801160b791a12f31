"""What a topic's settings demand of the batches that producers send."""

from __future__ import annotations

from moldau.broker.log.settings import KEEP_PRODUCER_CODEC, LogSettings
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.validator import INT64_MAX, ValidationRules

UNCOMPRESSED = ("uncompressed", "none")
"""`compression.type` is the first; the second is the codec's own name."""


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
