"""Unregistration is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.cluster.unregister_broker import UnregisterBrokerRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = UnregisterBrokerRequest(broker_id=1)


def test_unregistration_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("cluster.unregister_broker", REQUEST, Operation.ALTER)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
