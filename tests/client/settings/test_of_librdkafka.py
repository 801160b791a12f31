"""Settings of librdkafka, by what they are called here."""

from __future__ import annotations

import confluent_kafka
import pytest

from moldau.client import MissingSettingError, ProducerSettings, UnsupportedSettingError
from moldau.client.settings.admin import AdminSettings
from moldau.client.settings.client import settings_of
from moldau.client.settings.consumer import ConsumerSettings
from moldau.client.settings.of_librdkafka import OF_LIBRDKAFKA
from moldau.client.settings.share import ShareSettings

KINDS = (AdminSettings, ConsumerSettings, ProducerSettings, ShareSettings)
CALLS = {"on_delivery"}
"""Those of confluent-kafka's own, which are functions."""


def test_for_a_login_by_its_names_the_log_has_the_setting_to_use(caplog):
    given = {"bootstrap.servers": "one:9092", "sasl.username": "alice", "linger.ms": 5}
    assert settings_of(ProducerSettings, given, {}).linger_ms == 5
    assert "sasl.username has no effect in this client: it is librdkafka's name of " in caplog.text
    assert "sasl.jaas.config, such as 'org.apache.kafka.common.security.plain." in caplog.text


def test_as_a_keyword_such_a_name_is_refused():
    with pytest.raises(UnsupportedSettingError, match=r"librdkafka's name of linger\.ms"):
        settings_of(ProducerSettings, "one:9092", {"queue_buffering_max_ms": 5})


def test_brokers_under_another_name_are_logged_before_they_are_missed(caplog):
    with pytest.raises(MissingSettingError):
        settings_of(ProducerSettings, {"metadata.broker.list": "one:9092"}, {})
    assert "librdkafka's name of bootstrap.servers" in caplog.text


@pytest.mark.parametrize("name", sorted(OF_LIBRDKAFKA.keys() - CALLS))
def test_each_is_a_setting_of_librdkafka_and_none_of_ours(name):
    assert not any(name in kind.KEYS for kind in KINDS)
    with pytest.raises(confluent_kafka.KafkaException) as caught:
        confluent_kafka.Producer({name: "no such value", "no.such.setting": "1"})
    assert f'No such configuration property: "{name}"' not in str(caught.value)
