"""A registration is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.broker.broker_registration import BrokerRegistrationRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = BrokerRegistrationRequest(
    broker_id=1, cluster_id="c", incarnation_id=bytes(16), listeners=[], features=[], rack=None
)


def test_a_registration_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("controller.broker_registration", REQUEST, Operation.CLUSTER_ACTION)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
