"""GetTelemetrySubscriptions through its handler."""

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.telemetry.get_telemetry_subscriptions import handle
from moldau.broker.server.telemetry.telemetry import Telemetry
from moldau.protocol.messages.config.get_telemetry_subscriptions import (
    GetTelemetrySubscriptionsRequest,
)
from tests.broker.server.asking import broker_with, call_of


def test_a_client_without_an_id_gets_one_and_learns_how_to_push():
    broker = broker_with()
    broker.telemetry = Telemetry(broker.clock, lambda: broker.metadata.image, Registry())
    response = handle(
        call_of(GetTelemetrySubscriptionsRequest(client_instance_id=bytes(16)), 0), broker
    )
    assert response.client_instance_id != bytes(16)
    assert response.accepted_compression_types == [4, 3, 1, 2]
    assert (response.push_interval_ms, response.telemetry_max_bytes) == (300_000, 1 << 20)
    assert (response.delta_temporality, response.requested_metrics) == (True, [])
