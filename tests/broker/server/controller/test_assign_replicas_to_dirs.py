"""An assignment to directories is the controller's to answer."""

from moldau.broker.security.access import Operation
from moldau.protocol.messages.broker.assign_replicas_to_dirs import AssignReplicasToDirsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import passes_on

REQUEST = AssignReplicasToDirsRequest(broker_id=1, directories=[])


def test_an_assignment_to_directories_goes_to_the_controller_if_the_caller_may_ask():
    refused = passes_on("controller.assign_replicas_to_dirs", REQUEST, Operation.CLUSTER_ACTION)
    assert refused == ErrorCode.CLUSTER_AUTHORIZATION_FAILED
