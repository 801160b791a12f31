"""Controllers make themselves known."""

from moldau.protocol.messages.broker.controller_registration import ControllerRegistrationRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation

REQUEST = ControllerRegistrationRequest(
    controller_id=3,
    incarnation_id=bytes(16),
    zk_migration_ready=True,
    listeners=[
        ControllerRegistrationRequest.Listener(
            name="CONTROLLER", host="localhost", port=9093, security_protocol=0
        )
    ],
    features=[
        ControllerRegistrationRequest.Feature(
            name="kraft.version", min_supported_version=0, max_supported_version=1
        )
    ],
)


def test_a_controller_is_written_down_as_it_describes_itself():
    cluster = Conversation()
    _, reply = cluster.ask(REQUEST)
    assert reply.error_code == 0
    controller = cluster.image.cluster.controllers[3]
    assert controller.endpoints["CONTROLLER"].port == 9093
    assert controller.features["kraft.version"] == (0, 1)
    assert controller.zk_migration_ready


def test_old_metadata_has_no_place_for_controllers():
    cluster = Conversation(levels={"metadata.version": 14})
    assert cluster.refusal(REQUEST) == ErrorCode.UNSUPPORTED_VERSION
