"""A controller makes its endpoints and features known (KIP-919)."""

from __future__ import annotations

from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.situation import Situation
from moldau.broker.metadata.cluster import ControllerState, endpoints_by_name, levels_by_name
from moldau.broker.metadata.snapshot import controller_record
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.controller_registration import (
    ControllerRegistrationRequest,
    ControllerRegistrationResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode


def register_controller(
    request: ControllerRegistrationRequest, situation: Situation, call: Call
) -> Decision:
    """Write the controller down as it describes itself."""
    if not situation.metadata_version.has_controller_registration:
        text = "controllers register from metadata.version 3.7-IV0 on"
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text)
    controller = ControllerState(
        request.controller_id,
        request.incarnation_id,
        endpoints_by_name(request.listeners),
        levels_by_name(request.features),
        request.zk_migration_ready,
    )
    reply = ControllerRegistrationResponse(throttle_time_ms=0, error_code=0, error_message=None)
    return Decision([controller_record(controller)], reply)
