"""Which broker a key leads to, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.routes import (
    AtBroker,
    Coordinators,
    Leaders,
    ToAny,
    ToController,
    find_nodes,
    only_brokers,
)
from moldau.client.errors import InvalidArgumentError, UnknownTopicError, UnreachableError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata, unknown
from tests.client.core.admin.asking import call, cluster, coordinators, talk

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)


def test_any_broker_is_none_in_particular():
    assert talk(ToAny[str]().find(call(), ["a"])).result.nodes == {"a": None}


def test_brokers_forward_to_the_controller():
    assert talk(ToController[str]().find(call(), ["a"])).result.nodes == {"a": None}


def test_of_controllers_the_active_one_is_looked_for_and_forgotten_when_lost():
    made, route = call(bootstrap_controllers="c1:9093"), ToController[str]()
    held = talk(route.find(made, ["a"])).receives(cluster(7, 8, controller=8))
    assert held.asked[0][1].endpoint_type == 2
    assert held.result.nodes == {"a": 8}
    assert talk(route.find(made, ["a"])).result.nodes == {"a": 8}
    route.lost(made, "a")
    talk(route.find(made, ["a"])).receives(cluster(7, 8, controller=7))
    assert made.context.controller_id == 7


def test_a_quorum_without_a_leader_is_waited_for():
    held = talk(ToController[str]().find(call(bootstrap_controllers="c1:9093"), ["a"]))
    assert "no leader" in str(held.receives(cluster(7)).result.cause)


def test_a_broker_that_does_not_run_is_an_error_and_the_others_are_found():
    held = talk(AtBroker(int).find(call(), ["1", "9"])).receives(cluster(1, 2))
    assert held.result.nodes == {"1": 1}
    assert "broker 9" in str(held.result.errors["9"])
    assert "has 1, 2" in str(held.result.errors["9"])


def test_leaders_are_asked_for_once_and_again_when_lost():
    made, route = call(), Leaders(lambda part: part)
    held = talk(route.find(made, [ONE, TWO])).receives(metadata({"t": {0: (1, 3), 1: (2, 4)}}))
    assert held.result.nodes == {ONE: 1, TWO: 2}
    assert talk(route.find(made, [ONE])).result.nodes == {ONE: 1}
    route.lost(made, ONE)
    assert len(talk(route.find(made, [ONE])).asked) == 1


def test_a_topic_that_is_not_there_is_taken_for_absent_after_some_tries():
    made, route = call(), Leaders(lambda part: part)
    for _ in range(3):
        held = talk(route.find(made, [ONE])).receives(unknown("t"))
        assert held.result.cause is not None
    held = talk(route.find(made, [ONE])).receives(unknown("t"))
    assert isinstance(held.result.errors[ONE], UnknownTopicError)


def test_a_partition_without_a_leader_is_waited_for():
    held = talk(Leaders(lambda part: part).find(call(), [ONE, TWO]))
    held.receives(metadata({"t": {0: (-1, 3), 1: (2, 4)}}))
    assert held.result.nodes == {TWO: 2}
    assert held.result.cause is not None


def test_a_topic_that_may_not_be_seen_is_an_error_at_once():
    held = talk(Leaders(lambda part: part).find(call(), [ONE]))
    held.receives(metadata({}, refused={"t": ErrorCode.TOPIC_AUTHORIZATION_FAILED}))
    assert "not allowed" in str(held.result.errors[ONE])


def test_coordinators_are_asked_for_together():
    made, route = call(), Coordinators(lambda name: name)
    held = talk(route.find(made, ["g", "h", "i"]))
    held.receives(
        coordinators(
            {"g": 1, "h": -1, "i": -1},
            h=ErrorCode.COORDINATOR_NOT_AVAILABLE,
            i=ErrorCode.GROUP_AUTHORIZATION_FAILED,
        )
    )
    assert held.asked[0][1].coordinator_keys == ["g", "h", "i"]
    assert (held.result.nodes, list(held.result.errors)) == ({"g": 1}, ["i"])
    assert held.result.cause is not None
    route.lost(made, "g")
    assert talk(route.find(made, ["g"])).asked[0][1].coordinator_keys == ["g"]


def test_nodes_that_cannot_be_learnt_now_are_learnt_later():
    held = talk(find_nodes(call())).receives(UnreachableError("b1:9092", "gone"))
    assert isinstance(held.result, UnreachableError)


def test_what_controllers_do_not_know_is_refused_by_name():
    only_brokers(call())
    with pytest.raises(InvalidArgumentError, match=r"bootstrap\.servers instead"):
        only_brokers(call(bootstrap_controllers="c1:9093"))
