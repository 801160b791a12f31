"""A controller's registration is the controller's to answer."""

from moldau.messages.broker.controller_registration import ControllerRegistrationRequest
from moldau.security.access import Operation
from moldau.wire.error_codes import ErrorCode
from tests.server.controller_asking import passes_on

REQUEST = ControllerRegistrationRequest(
    controller_id=1, incarnation_id=bytes(16), zk_migration_ready=False, listeners=[], features=[]
)


def test_a_controllers_registration_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("broker.controller_registration", REQUEST, Operation.CLUSTER_ACTION)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
