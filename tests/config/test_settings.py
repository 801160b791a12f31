"""A set of settings never changes; a change makes another one."""

import pytest

from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import MissingSettingError
from moldau.config.topic import TopicSettings


def test_what_is_required_is_asked_for_by_name():
    with pytest.raises(MissingSettingError, match=r"process\.roles"):
        BrokerSettings.of({"node.id": "1"})


def test_a_change_makes_another_set():
    before = TopicSettings({"retention.ms": "5"})
    after = before.changed({"retention.ms": None, "segment.ms": "7"})
    assert (before.retention_ms, after.retention_ms, after.segment_ms) == (5, 604_800_000, 7)
    assert before != after
    assert after == TopicSettings({"segment.ms": "7"})
    with pytest.raises(AttributeError, match="needs a new set"):
        before.retention_ms = 3


def test_unknown_names_are_reported_and_kept_apart():
    assert TopicSettings.unknown(["retention.ms", "retention.sec"]) == ["retention.sec"]
    assert TopicSettings({"retention.sec": "x"}).given == {}


def test_a_default_that_is_given_is_a_default():
    settings = BrokerSettings({"num.partitions": " 1", "num.io.threads": "9"})
    assert settings.is_default("num.partitions")
    assert settings.is_default("broker.rack")
    assert not settings.is_default("num.io.threads")
