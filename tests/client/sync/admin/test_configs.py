"""Settings, with either broker."""

from __future__ import annotations

import pytest

from moldau.client import InvalidArgumentError, UnreachableError
from moldau.client.admin import (
    Admin,
    ConfigChange,
    ConfigResource,
    ConfigSource,
    ConfigType,
    ResourceType,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.sync.admin.settling import settled
from tests.client.sync.admin.test_topics import code_of


def test_settings_have_values_sources_and_what_they_could_be(admin: Admin, topic):
    admin.create_topics(topic).all()
    resource = ConfigResource.topic(topic)
    admin.incremental_alter_configs({resource: {"retention.ms": "77"}}).all()
    entries = settled(
        lambda: admin.describe_configs(resource, synonyms=True, documentation=True)[resource],
        lambda found: found["retention.ms"].value == "77",
    )
    entry = entries["retention.ms"]
    assert (entry.value, entry.source, entry.type) == ("77", ConfigSource.TOPIC, ConfigType.LONG)
    assert entry.synonyms[0].source is ConfigSource.TOPIC
    assert entry.documentation
    assert entries["cleanup.policy"].is_default


def test_only_what_is_named_is_described(admin: Admin, topic):
    admin.create_topics(topic).all()
    resource = ConfigResource.topic(topic)
    entries = settled(
        lambda: admin.describe_configs([resource], names=["retention.ms"]),
        lambda outcomes: not outcomes.errors,
    )[resource]
    assert (list(entries), entries["retention.ms"].synonyms) == (["retention.ms"], ())


def test_a_list_is_added_to_and_taken_from(admin: Admin, topic):
    admin.create_topics(topic).all()
    resource = ("topic", topic)

    def seen() -> set[str]:
        entries = admin.describe_configs(resource).all()[ConfigResource.topic(topic)]
        return set((entries["cleanup.policy"].value or "").split(","))

    def changed(change: ConfigChange | None, wanted: set[str]) -> None:
        admin.incremental_alter_configs({resource: {"cleanup.policy": change}}).all()
        assert settled(seen, wanted.__eq__) == wanted

    changed(ConfigChange.append("compact"), {"delete", "compact"})
    changed(ConfigChange.subtract("delete"), {"compact"})
    changed(None, {"delete"})


def test_each_resource_has_its_own_outcome(admin: Admin, topic):
    admin.create_topics(topic).all()
    outcomes = admin.incremental_alter_configs(
        {
            ("topic", topic): {"retention.ms": "1"},
            ("topic", f"{topic}-x"): {"retention.ms": "1"},
            ("group", topic): {"nope": "1"},
        }
    )
    assert list(outcomes.values) == [ConfigResource.topic(topic)]
    missing = outcomes.errors[ConfigResource.topic(f"{topic}-x")]
    assert code_of(missing) is ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    assert code_of(outcomes.errors[ConfigResource.group(topic)]) is ErrorCode.INVALID_CONFIG


def test_validating_changes_nothing(admin: Admin, topic):
    admin.create_topics(topic).all()
    resource = ConfigResource.topic(topic)
    admin.incremental_alter_configs({resource: {"retention.ms": "5"}}, validate_only=True).all()
    assert admin.describe_configs(resource)[resource]["retention.ms"].is_default


def test_a_broker_is_asked_itself_and_one_that_is_away_is_an_error(admin: Admin):
    node = admin.describe_cluster().nodes[0].node_id
    here, gone = ConfigResource.broker(node), ConfigResource.broker(node + 77)
    outcomes = admin.describe_configs([here, gone, ConfigResource.broker()])
    assert outcomes[here]["log.dirs"].is_read_only
    assert isinstance(outcomes.errors[gone], UnreachableError)
    with pytest.raises(InvalidArgumentError, match="by its number"):
        admin.describe_configs(("broker", "one"))


def test_what_has_settings_is_listed_by_type(admin: Admin, topic: str):
    admin.create_topics(topic).all()
    own = ConfigResource.topic(topic)
    assert own in settled(
        lambda: admin.list_config_resources(["topic"]), lambda found: own in found
    )
    metrics = ConfigResource(ResourceType.CLIENT_METRICS, topic)
    settings = {"interval.ms": "1000", "metrics": "*"}
    admin.incremental_alter_configs({metrics: settings}).all()
    assert topic in settled(admin.list_client_metrics_resources, lambda found: topic in found)
    assert ConfigResource.topic(topic) in admin.list_config_resources()
