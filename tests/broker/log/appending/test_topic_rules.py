"""What the settings of a topic demand of batches."""

from __future__ import annotations

import pytest

from moldau.broker.log.appending.topic_rules import validation_rules
from moldau.broker.log.settings import COMPACT, DELETE, LogSettings
from moldau.protocol.records.compression import Codec
from moldau.protocol.records.validator import ValidationRules


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
