"""A controller's registration is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.broker.controller_registration import ControllerRegistrationRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = ControllerRegistrationRequest(
    controller_id=1, incarnation_id=bytes(16), zk_migration_ready=False, listeners=[], features=[]
)


def test_a_controllers_registration_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("controller.controller_registration", REQUEST, Operation.CLUSTER_ACTION)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
