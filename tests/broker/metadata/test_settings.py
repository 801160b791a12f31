"""Configs, quotas and levels: the last word counts."""

from __future__ import annotations

from moldau.broker.metadata.settings import (
    BROKER,
    CLUSTER_DEFAULT,
    TOPIC,
    Configs,
    ConfigsDelta,
    Features,
    FeaturesDelta,
    Quotas,
    QuotasDelta,
    quota_entity,
)
from moldau.protocol.messages.stored.metadata_cluster import (
    ClientQuotaRecord,
    ConfigRecord,
    FeatureLevelRecord,
)


def config(name: str, value: str | None, resource: tuple[int, str] = (TOPIC, "orders")):
    kind, resource_name = resource
    return ConfigRecord(resource_type=kind, resource_name=resource_name, name=name, value=value)


def quota(key: str, value: float, *, remove: bool = False) -> ClientQuotaRecord:
    entity = [
        ClientQuotaRecord.EntityData(entity_type="user", entity_name=None),
        ClientQuotaRecord.EntityData(entity_type="client-id", entity_name="app"),
    ]
    return ClientQuotaRecord(entity=entity, key=key, value=value, remove=remove)


ENTITY = quota_entity([("user", None), ("client-id", "app")])


def test_the_last_value_of_a_config_counts_and_null_takes_it_back():
    delta = ConfigsDelta(Configs({(TOPIC, "orders"): {"a": "1", "b": "2"}}))
    delta.apply_config(config("a", "3"))
    delta.apply_config(config("b", None))
    assert delta.build().of(TOPIC, "orders") == {"a": "3"}
    assert delta.changed == {(TOPIC, "orders")}


def test_a_resource_without_configs_has_none_and_is_not_kept():
    delta = ConfigsDelta(Configs())
    delta.apply_config(config("a", "1", (BROKER, CLUSTER_DEFAULT)))
    delta.apply_config(config("a", None, (BROKER, CLUSTER_DEFAULT)))
    assert delta.build() == Configs()
    assert delta.build().of(BROKER, "1") == {}


def test_configs_that_were_built_stay_as_they_are():
    delta = ConfigsDelta(Configs())
    delta.apply_config(config("a", "1"))
    built = delta.build()
    delta.apply_config(config("a", "2"))
    assert built.of(TOPIC, "orders") == {"a": "1"}
    assert delta.build().of(TOPIC, "orders") == {"a": "2"}


def test_a_forgotten_resource_loses_all():
    delta = ConfigsDelta(Configs({(TOPIC, "orders"): {"a": "1"}}))
    delta.forget((TOPIC, "orders"))
    delta.forget((TOPIC, "unheard"))
    assert delta.build() == Configs()
    assert delta.changed == {(TOPIC, "orders")}


def test_quotas_go_by_their_entity_however_its_parts_are_ordered():
    delta = QuotasDelta(Quotas())
    delta.apply_quota(quota("producer_byte_rate", 5.0))
    built = delta.build()
    assert built.of(ENTITY) == {"producer_byte_rate": 5.0}
    delta.apply_quota(quota("producer_byte_rate", 0.0, remove=True))
    assert delta.build() == Quotas()
    assert built.of(ENTITY) == {"producer_byte_rate": 5.0}
    assert delta.changed == {ENTITY}


def test_a_feature_at_level_zero_is_off():
    delta = FeaturesDelta(Features({"group.version": 1}))
    delta.apply_level(FeatureLevelRecord(name="group.version", feature_level=0))
    delta.apply_level(FeatureLevelRecord(name="metadata.version", feature_level=30))
    delta.set_level("kraft.version", 1)
    after = delta.build()
    assert after.levels == {"metadata.version": 30, "kraft.version": 1}
    assert (after.metadata_version, after.level("group.version")) == (30, 0)


def test_nothing_changed_is_the_same_object():
    configs, quotas, features = Configs(), Quotas(), Features()
    assert ConfigsDelta(configs).build() is configs
    assert QuotasDelta(quotas).build() is quotas
    assert FeaturesDelta(features).build() is features
