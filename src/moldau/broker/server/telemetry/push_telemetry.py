"""PushTelemetry: a client's metrics (KIP-714).

Version 0. They become metrics of this node (`server.telemetry`); Kafka gives them to a plug-in.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.protocol.messages.config.push_telemetry import (
    PushTelemetryRequest,
    PushTelemetryResponse,
)


def handle(call: Call[PushTelemetryRequest], broker: Broker) -> PushTelemetryResponse:
    request = call.request
    metrics = request.metrics
    broker.telemetry.push(
        call,
        request.client_instance_id,
        request.subscription_id,
        request.compression_type,
        memoryview(metrics),
        is_last=request.terminating,
    )
    return PushTelemetryResponse(throttle_time_ms=0, error_code=0)
