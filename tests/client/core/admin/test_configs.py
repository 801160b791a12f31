"""Settings, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.choices import AlterOperation, ResourceType
from moldau.client.core.admin.configs import (
    ConfigChange,
    ConfigResource,
    describe_configs,
    incremental_alter_configs,
    list_config_resources,
    resource_of,
)
from moldau.client.errors import InvalidArgumentError
from moldau.protocol.messages.config.list_config_resources import ListConfigResourcesResponse
from tests.client.core.admin.asking import call, cluster, talk


def test_resources_are_named_in_words():
    assert str(ConfigResource.topic("t")) == "topic t"
    assert str(ConfigResource.broker()) == "all brokers"
    assert str(resource_of(("client-metrics", "m"))) == "client metrics m"
    with pytest.raises(InvalidArgumentError, match="no ResourceType"):
        resource_of(("tpoic", "t"))


def test_each_broker_is_asked_about_itself_and_any_about_the_rest():
    wanted = [ConfigResource.topic("t"), ConfigResource.broker(2), ConfigResource.broker()]
    held = talk(describe_configs(call(), wanted)).receives(cluster(1, 2))
    assert [node for node, _ in held.asked[1:]] == [None, 2]


def test_controllers_are_asked_through_the_active_one():
    made = call(bootstrap_controllers="c1:9093")
    changes = {("broker", ""): {"a": "1"}}
    held = talk(incremental_alter_configs(made, changes)).receives(cluster(7, 8, controller=8))
    assert held.asked[-1][0] == 8


def test_changes_are_written_as_values_none_or_operations():
    changes = {"a": "1", "b": None, "c": ConfigChange.append("x"), "d": ConfigChange.subtract("y")}
    held = talk(incremental_alter_configs(call(), {("topic", "t"): changes}))
    rows = held.asked[0][1].resources[0].configs
    assert [(row.name, AlterOperation(row.config_operation).name, row.value) for row in rows] == [
        ("a", "SET", "1"),
        ("b", "DELETE", None),
        ("c", "APPEND", "x"),
        ("d", "SUBTRACT", "y"),
    ]


def test_client_metrics_alone_are_listed_by_old_brokers_too():
    held = talk(list_config_resources(call(), ["client-metrics"]))
    assert held.step.asks[0].oldest == 0
    row = ListConfigResourcesResponse.ConfigResource(resource_name="m")
    answer = ListConfigResourcesResponse(throttle_time_ms=0, error_code=0, config_resources=[row])
    held.receives(answer)
    assert held.result == [ConfigResource(ResourceType.CLIENT_METRICS, "m")]
    assert talk(list_config_resources(call(), ["topic"])).step.asks[0].oldest == 1
