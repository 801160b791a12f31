"""The cluster's nodes, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.cluster import (
    broker_api_versions,
    broker_ids,
    describe_cluster,
    unregister_broker,
)
from moldau.client.errors import UnreachableError
from moldau.protocol.messages.cluster.api_versions import ApiVersionsResponse
from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerResponse
from tests.client.core.admin.asking import call, cluster, talk


def test_controllers_name_themselves_where_they_are_asked():
    held = talk(describe_cluster(call(bootstrap_controllers="c1:9093")))
    assert (held.asked[0][1].endpoint_type, held.step.asks[0].oldest) == (2, 1)
    view = held.receives(cluster(8, 7, controller=8)).result
    assert ([node.node_id for node in view.nodes], view.controller_id) == ([7, 8], 8)


def test_fenced_brokers_need_brokers_that_name_them():
    held = talk(describe_cluster(call(), fenced_brokers=True))
    assert held.step.asks[0].oldest == 2
    assert held.receives(cluster(1)).result.controller_id is None


def test_brokers_are_looked_for_until_one_answers():
    held = talk(broker_ids(call())).receives(UnreachableError("b1", "gone")).rests()
    assert held.receives(cluster(2, 1)).result == [1, 2]


def test_each_node_has_its_versions_and_unknown_requests_a_number():
    row = ApiVersionsResponse.ApiVersion
    rows = [
        row(api_key=1, min_version=4, max_version=18),
        row(api_key=999, min_version=0, max_version=1),
    ]
    held = talk(broker_api_versions(call())).receives(cluster(1))
    held.receives(ApiVersionsResponse(error_code=0, api_keys=rows))
    assert {name: str(one) for name, one in held.result[1].items()} == {
        "FETCH": "4-18",
        "API 999": "0-1",
    }


def test_a_broker_is_forgotten():
    held = talk(unregister_broker(call(), 7))
    answer = UnregisterBrokerResponse(throttle_time_ms=0, error_code=0, error_message=None)
    assert (held.asked[0][1].broker_id, held.receives(answer).result) == (7, None)
