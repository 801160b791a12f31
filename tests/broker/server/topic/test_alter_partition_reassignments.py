"""A move is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = AlterPartitionReassignmentsRequest(topics=[])


def test_a_move_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("topic.alter_partition_reassignments", REQUEST, Operation.ALTER)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
