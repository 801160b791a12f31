"""GetTelemetrySubscriptions: which metrics this client is to push, and how often (KIP-714).

Version 0. A client without an id gets one. Asking again before the interval is over is
THROTTLING_QUOTA_EXCEEDED, unless a push was refused because what is wanted has changed.
"""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.call import Call
from moldau.broker.server.telemetry.telemetry import ACCEPTED_CODECS
from moldau.protocol.messages.config.get_telemetry_subscriptions import (
    GetTelemetrySubscriptionsRequest,
    GetTelemetrySubscriptionsResponse,
)
from moldau.protocol.wire.types import NULL_UUID

UUID_BYTES = 16


def handle(
    call: Call[GetTelemetrySubscriptionsRequest], broker: Broker
) -> GetTelemetrySubscriptionsResponse:
    request = call.request
    instance_id = request.client_instance_id
    if instance_id == NULL_UUID:
        instance_id = broker.random.randbytes(UUID_BYTES)
    wanted, number = broker.telemetry.ask(call, instance_id)
    return GetTelemetrySubscriptionsResponse(
        throttle_time_ms=0,
        error_code=0,
        client_instance_id=instance_id,
        subscription_id=number,
        accepted_compression_types=list(ACCEPTED_CODECS),
        push_interval_ms=wanted.interval_ms,
        telemetry_max_bytes=broker.telemetry.push_bytes_max,
        delta_temporality=True,
        requested_metrics=list(wanted.metrics),
    )
