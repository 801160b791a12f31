"""Settings are judged before they are written."""

import pytest

from moldau.broker.controller.configs.validation import check_settings
from moldau.config.broker.settings import BrokerSettings
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

TOPIC, BROKER, LOGGER, METRICS, GROUP = 2, 4, 8, 16, 32
CONFIG, REQUEST = ErrorCode.INVALID_CONFIG, ErrorCode.INVALID_REQUEST


@pytest.mark.parametrize(
    ("kind", "name", "values"),
    [
        (TOPIC, "t", {"retention.ms": "-1", "cleanup.policy": "compact,delete"}),
        (BROKER, "", {"anything": "goes"}),
        (BROKER, "7", {}),
        (METRICS, "m", {"metrics": "a.,b.", "interval.ms": "100", "match": "client_id=a.*"}),
        (GROUP, "g", {"consumer.session.timeout.ms": "50000"}),
    ],
)
def test_what_makes_sense_is_allowed(kind, name, values):
    check_settings(kind, name, values, BrokerSettings())


@pytest.mark.parametrize(
    ("kind", "name", "values", "code"),
    [
        (TOPIC, "", {}, REQUEST),
        (TOPIC, "a b", {}, ErrorCode.INVALID_TOPIC_EXCEPTION),
        (TOPIC, "t", {"nonsense": "1"}, CONFIG),
        (TOPIC, "t", {"retention.ms": "soon"}, CONFIG),
        (TOPIC, "t", {"min.compaction.lag.ms": "2", "max.compaction.lag.ms": "1"}, CONFIG),
        (TOPIC, "t", {"remote.storage.enable": "true"}, CONFIG),
        (BROKER, "one", {}, REQUEST),
        (BROKER, "-1", {}, REQUEST),
        (BROKER, "9" * 5000, {}, REQUEST),
        (LOGGER, "1", {}, REQUEST),
        (METRICS, "", {}, REQUEST),
        (METRICS, "m", {"nonsense": "1"}, REQUEST),
        (METRICS, "m", {"interval.ms": "99"}, REQUEST),
        (METRICS, "m", {"match": "client_id"}, CONFIG),
        (METRICS, "m", {"match": "shoe_size=9"}, CONFIG),
        (METRICS, "m", {"match": "client_id=["}, CONFIG),
        (GROUP, "", {}, REQUEST),
        (GROUP, "g", {"nonsense": "1"}, CONFIG),
        (GROUP, "g", {"consumer.session.timeout.ms": "1"}, CONFIG),
    ],
)
def test_what_does_not_is_refused_with_a_sentence(kind, name, values, code):
    with pytest.raises(KafkaError) as refusal:
        check_settings(kind, name, values, BrokerSettings())
    assert refusal.value.code == code
    assert len(str(refusal.value)) > 20


def test_remote_storage_needs_a_broker_that_has_some():
    settings = BrokerSettings({"remote.log.storage.system.enable": "true"})
    check_settings(TOPIC, "t", {"remote.storage.enable": "true"}, settings)
