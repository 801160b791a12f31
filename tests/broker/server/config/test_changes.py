"""What a broker knows about its own settings."""

import pytest

from moldau.broker.server.config.changes import check_broker, check_form, check_is_here
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with
from tests.broker.server.config.test_incremental_alter_configs import FILE


def broker():
    known = broker_with()
    known.settings = BrokerSettings(FILE)
    return known


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("1", {"log.retention.ms": "5", "ssl.keystore.location": "somewhere"}),
        ("", {"log.retention.ms": None}),
        ("1", {"nobodys.setting": "x"}),
        ("1", {"background.threads": "5"}),
        ("", {"num.io.threads": "16"}),
        ("1", {"listener.name.a.plain.sasl.jaas.config": "x"}),
        ("1", {"listener.name.a.ssl.keystore.location": "somewhere"}),
    ],
)
def test_what_may_change_while_running_may_change(name, changes):
    check_broker(broker(), name, changes)


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("1", {"num.partitions": "5"}),
        ("", {"ssl.keystore.location": "somewhere"}),
        ("1", {"log.retention.ms": "soon"}),
        ("1", {"listeners": "PLAINTEXT://:9092"}),
        ("2", {}),
        ("1", {"background.threads": "4"}),
        ("", {"num.io.threads": "17"}),
        ("", {"listener.name.a.plain.sasl.jaas.config": "x"}),
        ("1", {"moldau.encryption.at.rest.key.manager.class": "x:y"}),
        ("1", {"principal.builder.class": "x:y"}),
        ("1", {"listener.name.a.principal.builder.class": "x:y"}),
        ("1", {"sasl.server.callback.handler.class": "x"}),
        ("1", {"listener.name.a.sasl.server.callback.handler.class": "x"}),
        ("1", {"listener.name.a.oauthbearer.sasl.server.callback.handler.class": "x"}),
        ("1", {"listener.name.a.oauthbearer.sasl.oauthbearer.jwks.endpoint.url": "file:///x"}),
    ],
)
def test_what_may_not_is_refused(name, changes):
    with pytest.raises(KafkaError) as refusal:
        check_broker(broker(), name, changes)
    assert refusal.value.code == ErrorCode.INVALID_REQUEST


def test_a_resource_is_this_node_or_if_that_makes_sense_all():
    check_is_here(broker(), "1", may_be_all=False)
    check_is_here(broker(), "", may_be_all=True)
    for name in ("", "2", "one"):
        with pytest.raises(KafkaError):
            check_is_here(broker(), name, may_be_all=False)


def test_a_setting_is_named_once():
    check_form(["a", "b"])
    with pytest.raises(KafkaError):
        check_form(["a", "a"])


def test_every_setting_without_the_value_that_it_needs_is_named():
    with pytest.raises(KafkaError) as refused:
        check_form(["a", "b", "c"], ["a", "c"])
    assert refused.value.message == "Null value not supported for : a,c"


def test_settings_of_tls_are_tried_before_they_are_taken():
    tried = []

    def check_tls(settings):
        tried.append(settings.ssl_keystore_location)
        raise SettingError("no such file")

    asked = broker()
    asked.check_tls = check_tls
    asked.started_with = {"ssl.keystore.location": "first"}
    check_broker(asked, "1", {"log.retention.ms": "5"})
    for text in ("somewhere", None):
        with pytest.raises(KafkaError, match="no such file"):
            check_broker(asked, "1", {"ssl.keystore.location": text})
    assert tried == ["somewhere", "first"]
