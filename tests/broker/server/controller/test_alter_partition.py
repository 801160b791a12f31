"""A leader's proposal is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.broker.alter_partition import AlterPartitionRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = AlterPartitionRequest(broker_id=1, topics=[])


def test_a_leaders_proposal_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("controller.alter_partition", REQUEST, Operation.CLUSTER_ACTION)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
