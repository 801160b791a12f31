"""A heartbeat is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.broker.broker_heartbeat import BrokerHeartbeatRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = BrokerHeartbeatRequest(
    broker_id=1, current_metadata_offset=0, want_fence=False, want_shut_down=False
)


def test_a_heartbeat_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("controller.broker_heartbeat", REQUEST, Operation.CLUSTER_ACTION)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
