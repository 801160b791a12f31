"""The coordinators of a node, each made when it is first needed.

A coordinator is needed when a partition of its topic is led here, or when a request asks for it.
Until then its place in the broker is held, and none of its modules is imported: together they are a
quarter of all, and a node that has just been made needs none of them to answer its first request.
"""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.node.when_needed import WhenNeeded
from moldau.broker.server.broker import Broker
from moldau.broker.server.connections import Connections
from moldau.broker.server.topic.creation import OFFSETS_TOPIC, SHARE_STATE_TOPIC, TRANSACTIONS_TOPIC

if TYPE_CHECKING:
    from moldau.broker.runtime.shard_loop import ShardRuntime

__all__ = ["Coordination"]

MAKERS = {
    OFFSETS_TOPIC: ("moldau.broker.node.coordinators", "group_services"),
    TRANSACTIONS_TOPIC: ("moldau.broker.node.transactions", "transaction_services"),
    SHARE_STATE_TOPIC: ("moldau.broker.node.shares", "share_services"),
}
"""Who makes the coordinator of a topic, and puts what belongs to it into the broker."""
PARTS = {
    "groups": OFFSETS_TOPIC,
    "transactions": TRANSACTIONS_TOPIC,
    "share_states": SHARE_STATE_TOPIC,
    "shares": SHARE_STATE_TOPIC,
    "share_sessions": SHARE_STATE_TOPIC,
}
"""The places in the broker, and with which topic they are filled."""
ALONE = {
    "producer_ids": "moldau.broker.node.producer_ids",
    "telemetry": "moldau.broker.node.telemetry",
}
"""Places that are filled by themselves, and the modules that have a function of that name."""
TOLD_OF_METADATA = (OFFSETS_TOPIC, SHARE_STATE_TOPIC)
CLOSED_IN_ORDER = (TRANSACTIONS_TOPIC, SHARE_STATE_TOPIC, OFFSETS_TOPIC)


class Coordination:
    """Makes the coordinators, and tells those that are there what they must know."""

    def __init__(self, broker: Broker, connections: Connections) -> None:
        self._broker = broker
        self._connections = connections
        self._made: dict[str, ShardRuntime] = {}
        for part in PARTS:
            setattr(broker, part, WhenNeeded(partial(self._make_part, part)))
        for part in ALONE:
            setattr(broker, part, WhenNeeded(partial(self._make_alone, part)))

    def __repr__(self) -> str:
        return f"Coordination({', '.join(self._made) or 'nothing made'})"

    @property
    def made(self) -> frozenset[str]:
        """The topics whose coordinators are there."""
        return frozenset(self._made)

    def _make_part(self, part: str) -> Any:  # noqa: ANN401  # each part is of its own type
        self._make(PARTS[part])
        return getattr(self._broker, part)

    def _make_alone(self, part: str) -> Any:  # noqa: ANN401  # each part is of its own type
        made = getattr(import_module(ALONE[part]), part)(self._broker)
        setattr(self._broker, part, made)
        return made

    def _make(self, topic: str) -> None:
        if topic in self._made:
            return
        module, function = MAKERS[topic]
        runtime = self._made[topic] = getattr(import_module(module), function)(self._broker)
        if topic == SHARE_STATE_TOPIC:
            self._connections.when_lost = self._lost
        self._broker.replicas.listen(runtime.on_leading, runtime.on_leaving)

    def _lost(self, connection: int) -> None:
        """Who had records of share groups has gone."""
        import_module("moldau.broker.server.share.acknowledging").end_sessions(
            self._broker, connection
        )

    def follow(self) -> None:
        """From now on, have made whatever is wanted for the partitions that are led here."""
        self._broker.replicas.listen(self._on_leading, lambda topic, index: None)

    def _on_leading(self, topic: str, index: int, leader_epoch: int) -> None:
        if topic in MAKERS:
            self._make(topic)

    def metadata_changed(self, delta: Delta, image: Image) -> None:
        for topic in TOLD_OF_METADATA:
            if topic in self._made:
                self._made[topic].metadata_changed(delta, image)

    def close(self) -> None:
        """The broker stops."""
        if SHARE_STATE_TOPIC in self._made:
            self._broker.shares.close()
        for topic in CLOSED_IN_ORDER:
            if topic in self._made:
                self._made[topic].close()
