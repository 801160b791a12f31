"""What can be set for a producer."""

from __future__ import annotations

import pytest

from moldau.client.settings.client import settings_of
from moldau.client.settings.producer import ProducerSettings
from moldau.config.refusals import InvalidSettingError, UnknownSettingError
from moldau.protocol.records.compression import Codec


def chosen(**settings: object) -> ProducerSettings:
    return settings_of(ProducerSettings, "b1:9092", settings)


def test_the_defaults_are_kafkas():
    made = chosen()
    assert (made.acks_number, made.is_idempotent, made.linger_ms) == (-1, True, 5)
    assert (made.codec, made.level, made.partitioner_name) == (Codec.NONE, None, "murmur2")


def test_each_codec_has_its_level():
    made = chosen(compression_type="ZSTD", compression_zstd_level=7)
    assert (made.codec, made.level) == (Codec.ZSTD, 7)


@pytest.mark.parametrize(
    "settings",
    [
        {"acks": "1", "enable_idempotence": True},
        {"max_in_flight_requests_per_connection": 6},
        {"transactional_id": "tx", "enable_idempotence": False},
        {"transactional_id": ""},
        {"delivery_timeout_ms": 1000},
        {"compression_type": "brotli"},
    ],
)
def test_settings_that_contradict_each_other_are_refused(settings):
    with pytest.raises(InvalidSettingError):
        chosen(**settings)


@pytest.mark.parametrize("settings", [{"acks": 1}, {"acks": 0}, {"retries": 0}])
def test_what_does_not_go_with_idempotence_switches_it_off(settings):
    assert not chosen(**settings).is_idempotent


def test_javas_partitioners_are_known_by_their_class():
    name = "org.apache.kafka.clients.producer.RoundRobinPartitioner"
    assert chosen(partitioner_class=name).partitioner_name == "round_robin"
    with pytest.raises(InvalidSettingError, match="give a function"):
        _ = chosen(partitioner_class="com.example.Mine").partitioner_name


def test_a_wrong_name_is_answered_with_the_nearest():
    with pytest.raises(UnknownSettingError, match="linger_ms"):
        chosen(liner_ms=4)
