"""The list of moves is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = ListPartitionReassignmentsRequest()


def test_the_list_of_moves_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("topic.list_partition_reassignments", REQUEST, Operation.DESCRIBE)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
