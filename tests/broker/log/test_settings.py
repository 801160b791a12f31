"""Kafka's defaults, and what the settings of a topic demand of batches."""

from __future__ import annotations

from dataclasses import replace

import pytest

from moldau.broker.log.settings import (
    COMPACT,
    DELETE,
    LogSettings,
    validates_headers_only,
    validation_rules,
)
from moldau.protocol.records.batch import TimestampType
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.validator import ValidationRules


def test_the_policy_says_what_goes():
    assert (LogSettings().deletes, LogSettings().compacts) == (True, False)
    compacted = LogSettings(cleanup_policy=frozenset({COMPACT}))
    assert (compacted.deletes, compacted.compacts) == (False, True)
    both = LogSettings(cleanup_policy=frozenset({COMPACT, DELETE}))
    assert both.deletes
    assert both.compacts


def test_default_settings_give_default_rules():
    assert validation_rules(LogSettings()) == ValidationRules()


@pytest.mark.parametrize(
    ("name", "codec", "level"),
    [
        ("producer", None, None),
        ("uncompressed", Codec.NONE, None),
        ("gzip", Codec.GZIP, -1),
        ("snappy", Codec.SNAPPY, None),
        ("lz4", Codec.LZ4, 9),
        ("zstd", Codec.ZSTD, 3),
    ],
)
def test_the_topics_codec_brings_its_level(name, codec, level):
    rules = validation_rules(LogSettings(compression_type=name))
    assert (rules.codec, rules.level) == (codec, level)


def test_a_topic_that_compacts_wants_keys():
    both = LogSettings(cleanup_policy=frozenset({COMPACT, DELETE}))
    assert validation_rules(both).is_compacted


@pytest.mark.parametrize(
    ("changed", "plain"),
    [
        ({}, True),
        ({"max_message_bytes": 5, "message_timestamp_after_max_ms": 5}, True),
        ({"cleanup_policy": frozenset({"compact"})}, False),
        ({"message_timestamp_type": TimestampType.LOG_APPEND}, False),
        ({"message_timestamp_before_max_ms": 5}, False),
        ({"compression_type": "zstd"}, False),
    ],
)
def test_only_rules_about_headers_are_left_to_the_hot_path(changed, plain):
    assert validates_headers_only(validation_rules(replace(LogSettings(), **changed))) is plain
