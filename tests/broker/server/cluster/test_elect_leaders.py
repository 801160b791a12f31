"""Elections are the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = ElectLeadersRequest(topic_partitions=None)


def test_elections_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("cluster.elect_leaders", REQUEST, Operation.ALTER)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
