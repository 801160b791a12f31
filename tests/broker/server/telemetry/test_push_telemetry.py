"""PushTelemetry through its handler."""

from moldau.broker.metrics.registry import Registry
from moldau.broker.server.telemetry.push_telemetry import handle
from moldau.broker.server.telemetry.telemetry import Telemetry
from moldau.protocol.messages.config.push_telemetry import PushTelemetryRequest
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.telemetry.test_otlp import gauge, push

ME = b"m" * 16


def test_a_push_is_taken():
    broker = broker_with()
    registry = Registry()
    broker.telemetry = Telemetry(broker.clock, lambda: broker.metadata.image, registry)
    request = PushTelemetryRequest(
        client_instance_id=ME,
        subscription_id=0,
        terminating=False,
        compression_type=0,
        metrics=push(gauge("a", 1.0)),
    )
    call = call_of(request, 0)
    request.subscription_id = broker.telemetry.ask(call, ME)[1]
    assert handle(call, broker).error_code == 0
    assert len(registry) == 1
