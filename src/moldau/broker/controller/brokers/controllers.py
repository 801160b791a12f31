"""A controller makes its endpoints and features known (KIP-919)."""

from __future__ import annotations

from moldau.broker.controller.decision import Call, Decision
from moldau.broker.controller.situation import Situation
from moldau.errors import KafkaError
from moldau.protocol.messages.broker.controller_registration import (
    ControllerRegistrationRequest,
    ControllerRegistrationResponse,
)
from moldau.protocol.messages.stored.metadata_brokers import RegisterControllerRecord
from moldau.protocol.wire.error_codes import ErrorCode


def register_controller(
    request: ControllerRegistrationRequest, situation: Situation, call: Call
) -> Decision:
    """Write the controller down as it describes itself."""
    if not situation.metadata_version.has_controller_registration:
        text = "controllers register from metadata.version 3.7-IV0 on"
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text)
    record = RegisterControllerRecord(
        controller_id=request.controller_id,
        incarnation_id=request.incarnation_id,
        zk_migration_ready=request.zk_migration_ready,
        end_points=[
            RegisterControllerRecord.ControllerEndpoint(
                name=listener.name,
                host=listener.host,
                port=listener.port,
                security_protocol=listener.security_protocol,
            )
            for listener in request.listeners
        ],
        features=[
            RegisterControllerRecord.ControllerFeature(
                name=feature.name,
                min_supported_version=feature.min_supported_version,
                max_supported_version=feature.max_supported_version,
            )
            for feature in request.features
        ],
    )
    reply = ControllerRegistrationResponse(throttle_time_ms=0, error_code=0, error_message=None)
    return Decision([record], reply)
