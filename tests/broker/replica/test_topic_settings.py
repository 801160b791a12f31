"""A topic's settings reach the log under the log's names."""

from __future__ import annotations

from moldau.broker.log.settings import LogSettings
from moldau.broker.replica.topic_settings import log_settings
from moldau.protocol.records.batch import TimestampType
from tests.broker.replica.broker_world import SomeSettings

DAY_MS = 86_400_000


def test_the_defaults_of_topics_are_those_of_logs():
    settings = SomeSettings(segment_index_bytes=10 * 1024 * 1024)
    settings.message_timestamp_after_max_ms = 3_600_000
    assert log_settings(settings, DAY_MS) == LogSettings()


def test_words_become_what_they_mean():
    settings = SomeSettings(cleanup_policy=("compact", "delete"))
    settings.message_timestamp_type = "LogAppendTime"
    log = log_settings(settings, 5)
    assert log.compacts
    assert log.deletes
    assert log.message_timestamp_type is TimestampType.LOG_APPEND
    assert log.producer_id_expiration_ms == 5


def test_the_internal_size_of_segments_wins():
    settings = SomeSettings(segment_bytes=1 << 20, internal_segment_bytes=4096)
    assert log_settings(settings, DAY_MS).segment_bytes == 4096
    settings.internal_segment_bytes = None
    assert log_settings(settings, DAY_MS).segment_bytes == 1 << 20
