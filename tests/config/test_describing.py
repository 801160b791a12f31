"""Settings as people see them."""

import pytest

from moldau.config.describing import (
    describe_all_brokers,
    describe_broker,
    describe_client_metrics,
    describe_group,
    describe_topic,
)
from moldau.config.sources import BrokerLayers, Source, Synonym

UNKNOWN, INT, LONG, PASSWORD = 0, 3, 5, 9
"""Types as DescribeConfigs numbers them."""
LAYERS = BrokerLayers(
    file={"node.id": "1", "ssl.key.password": "hunter2", "my.plugin.key": "secret"},
    all_brokers={"message.max.bytes": "2000"},
)


def by_name(described):
    return {one.name: one for one in described}


def test_a_topics_own_setting_is_reported_with_what_it_hides():
    found = by_name(describe_topic(LAYERS, {"max.message.bytes": "9"}))["max.message.bytes"]
    assert (found.value, found.source, found.is_read_only) == ("9", Source.TOPIC, False)
    assert [synonym.source for synonym in found.synonyms] == [
        Source.TOPIC,
        Source.ALL_BROKERS,
        Source.DEFAULT,
    ]


def test_internal_settings_are_not_reported():
    assert "internal.segment.bytes" not in by_name(describe_topic(LAYERS, {}))
    assert "unstable.api.versions.enable" not in by_name(describe_broker(LAYERS))


def test_internal_settings_of_a_broker_are_reported_where_they_were_set():
    settings = {"process.roles": "broker", "unstable.api.versions.enable": "true"}
    found = {one.name: one for one in describe_broker(BrokerLayers(settings, {}, {}))}
    shown = found["unstable.api.versions.enable"]
    assert (shown.value, shown.is_read_only, shown.source.name) == ("true", True, "FILE")
    assert "unstable.feature.versions.enable" not in found


def test_settings_that_kafka_does_not_have_are_not_described_to_its_tools():
    own = "max.incremental.fetch.session.cache.bytes"
    assert own not in by_name(describe_broker(LAYERS))


def test_a_brokers_secrets_are_reported_without_their_value():
    found = by_name(describe_broker(LAYERS))
    assert (found["ssl.key.password"].value, found["ssl.key.password"].is_sensitive) == (None, True)
    assert (found["my.plugin.key"].value, found["my.plugin.key"].is_read_only) == (None, True)
    assert found["node.id"].is_read_only
    assert found["message.max.bytes"].value == "2000"
    assert found["num.partitions"].is_default


def test_what_was_set_for_all_is_reported_even_if_unknown_but_not_its_value():
    own = {"plug.in": "secret"}
    (row,) = describe_all_brokers(BrokerLayers(file={}, all_brokers=own, broker=own))
    assert (row.name, row.value, row.source, row.is_sensitive) == ("plug.in", None, 3, True)
    assert row.synonyms == (Synonym("plug.in", None, Source.ALL_BROKERS),)


def test_all_brokers_together_have_only_what_was_set_for_all():
    assert [one.name for one in describe_all_brokers(LAYERS)] == ["message.max.bytes"]


def test_groups_and_subscriptions_are_reported_like_topics():
    group = by_name(describe_group(LAYERS, {"share.isolation.level": "read_committed"}))
    assert group["share.isolation.level"].source is Source.GROUP
    assert group["consumer.session.timeout.ms"].value == "45000"
    metrics = by_name(describe_client_metrics({"interval.ms": "100"}))
    assert metrics["interval.ms"].source is Source.CLIENT_METRICS
    assert metrics["metrics"].is_default


def test_what_stands_in_no_file_is_reported_only_when_it_was_set():
    name = "leader.replication.throttled.rate"
    assert name not in by_name(describe_broker(LAYERS))
    set_now = BrokerLayers(file=LAYERS.file, broker={name: "5"})
    assert by_name(describe_broker(set_now))[name].value == "5"


def test_what_has_no_default_is_reported_without_one():
    (synonym,) = by_name(describe_broker(LAYERS))["node.id"].synonyms
    assert synonym.source is Source.FILE


@pytest.mark.parametrize(
    ("name", "type_code", "value"),
    [
        ("max.connections", INT, "7"),
        ("plain.connections.max.reauth.ms", LONG, "7"),
        ("plain.sasl.jaas.config", PASSWORD, None),
        ("ssl.key.password", PASSWORD, None),
        ("plain.max.connections", UNKNOWN, None),
        ("no.such", UNKNOWN, None),
    ],
)
def test_a_listeners_own_setting_has_the_type_of_what_it_overrides(name, type_code, value):
    """What Apache Kafka 4.3.1 answers."""
    given = f"listener.name.outside.{name}"
    found = by_name(describe_broker(BrokerLayers(file={**LAYERS.file, given: "7"})))[given]
    assert (found.type_code, found.value, found.is_sensitive) == (type_code, value, value is None)
    assert (found.is_read_only, found.doc, found.source) == (True, None, Source.FILE)


def test_a_mechanisms_own_setting_is_reported_with_what_it_hides():
    name = "listener.name.outside.plain.connections.max.reauth.ms"
    found = by_name(describe_broker(BrokerLayers(file={**LAYERS.file, name: "7"})))[name]
    assert found.synonyms == (
        Synonym(name, "7", Source.FILE),
        Synonym("connections.max.reauth.ms", "0", Source.DEFAULT),
    )
