"""A block of ids is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.broker.allocate_producer_ids import AllocateProducerIdsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = AllocateProducerIdsRequest(broker_id=1)


def test_a_block_of_ids_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("controller.allocate_producer_ids", REQUEST, Operation.CLUSTER_ACTION)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
