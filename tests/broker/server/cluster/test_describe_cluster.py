"""Brokers answer with brokers, controllers with controllers."""

import pytest

from moldau.broker.security.access import Operation
from moldau.broker.server.cluster.describe_cluster import handle
from moldau.errors import KafkaError
from moldau.protocol.messages.cluster.describe_cluster import DescribeClusterRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.controller_asking import Judge
from tests.broker.server.images import broker, controller, image_of

IMAGE = image_of(
    broker(1, rack="north"), broker(2, fenced=True), broker(3, listener="OTHER"), controller(5)
)
NOT_ASKED = -(2**31)


def ask(kind=1, listener="PLAINTEXT", judge=None, **values):
    given = {"include_cluster_authorized_operations": False, "include_fenced_brokers": False}
    request = DescribeClusterRequest(endpoint_type=kind, **{**given, **values})
    known = broker_with(IMAGE)
    if judge is not None:
        known.authorizer = judge
    return handle(call_of(request, 2, listener), known)


def test_live_brokers_are_reported_with_their_address_on_the_listener_asked_through():
    response = ask()
    brokers = [(node.broker_id, node.host, node.rack, node.is_fenced) for node in response.brokers]
    assert brokers == [(1, "host1", "north", False)]
    assert (response.cluster_id, response.controller_id in (1, 3)) == ("a cluster", True)


def test_fenced_brokers_are_reported_on_demand():
    response = ask(include_fenced_brokers=True)
    assert [(node.broker_id, node.is_fenced) for node in response.brokers] == [
        (1, False),
        (2, True),
    ]


def test_controllers_tell_of_controllers_and_who_leads():
    response = ask(kind=2, listener="CONTROLLER")
    assert [(node.broker_id, node.host) for node in response.brokers] == [(5, "control5")]
    assert (response.controller_id, response.endpoint_type) == (1, 2)


def test_controllers_are_shown_to_those_alone_who_may_alter_the_cluster():
    may = Judge((Operation.ALTER,))
    assert ask(kind=2, listener="CONTROLLER", judge=may).brokers
    with pytest.raises(KafkaError) as refused:
        ask(kind=2, listener="CONTROLLER", judge=Judge((Operation.DESCRIBE,)))
    assert refused.value.code == ErrorCode.CLUSTER_AUTHORIZATION_FAILED


@pytest.mark.parametrize(
    ("kind", "listener", "code"),
    [
        (2, "PLAINTEXT", ErrorCode.MISMATCHED_ENDPOINT_TYPE),
        (1, "CONTROLLER", ErrorCode.MISMATCHED_ENDPOINT_TYPE),
        (7, "PLAINTEXT", ErrorCode.UNSUPPORTED_ENDPOINT_TYPE),
    ],
)
def test_the_wrong_kind_of_endpoint_is_refused(kind, listener, code):
    assert ask(kind, listener).error_code == code


def test_operations_are_sent_to_who_asks_and_may_see_them():
    wish = {"include_cluster_authorized_operations": True}
    assert ask().cluster_authorized_operations == NOT_ASKED
    assert ask(**wish).cluster_authorized_operations == 8096
    assert ask(**wish, judge=Judge((Operation.ALTER,))).cluster_authorized_operations == 0
    assert ask(**wish, judge=Judge((Operation.DESCRIBE,))).cluster_authorized_operations == 1
