"""What a node does with the metrics of its clients (KIP-714); made when one first asks."""

from __future__ import annotations

from moldau.broker.server.broker import Broker
from moldau.broker.server.telemetry.telemetry import Telemetry

__all__ = ["telemetry"]


def telemetry(broker: Broker) -> Telemetry:
    """Subscriptions as the metadata have them."""
    return Telemetry(
        broker.clock,
        lambda: broker.metadata.image,
        broker.metrics,
        push_bytes_max=broker.settings.telemetry_max_bytes,
    )
