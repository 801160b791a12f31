"""Where a node's producer ids come from: the controller, in blocks."""

from __future__ import annotations

from moldau.broker.controller.decision import Call as ControllerCall
from moldau.broker.runtime.producer_ids import ProducerIds
from moldau.broker.server.broker import Broker

__all__ = ["producer_ids"]

ALLOCATE_VERSION = 0
"""Of AllocateProducerIds."""


def producer_ids(broker: Broker) -> ProducerIds:
    """Blocks of ids from the controller."""
    return ProducerIds(
        broker.node_id,
        lambda: broker.epoch,
        lambda request: broker.metadata.ask(request, ControllerCall(version=ALLOCATE_VERSION)),
        broker.tasks,
    )
