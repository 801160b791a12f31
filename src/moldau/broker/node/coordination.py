"""The coordinators of a node, each made when it is first needed.

A coordinator is needed when a partition of its topic is led here, or when a request asks for it.
Until then its place in the broker is held, and none of its modules is imported: together they are a
quarter of all, and a node that has just been made needs none of them to answer its first request.

When the topic of a coordinator comes into being, its modules are imported beside the loop: that
takes a fifth of a second, in which others are served. A client that looks for the coordinator
meanwhile is answered that it is not there yet, as while its partitions are being loaded.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.broker.node.when_needed import when_needed
from moldau.broker.server.broker import Broker
from moldau.broker.server.connections import Connections
from moldau.broker.server.topic.creation import OFFSETS_TOPIC, SHARE_STATE_TOPIC, TRANSACTIONS_TOPIC

if TYPE_CHECKING:
    from moldau.broker.runtime.producer_ids import ProducerIds
    from moldau.broker.runtime.shard_loop import ShardRuntime
    from moldau.broker.server.telemetry.telemetry import Telemetry

__all__ = ["Coordination"]

Maker = Callable[["Broker"], "ShardRuntime"]
"""Makes a coordinator, and puts what belongs to it into the broker."""


def _import_groups() -> Maker:
    from moldau.broker.node.group_coordinator import group_services

    return group_services


def _import_transactions() -> Maker:
    from moldau.broker.node.transaction_coordinator import transaction_services

    return transaction_services


def _import_shares() -> Maker:
    from moldau.broker.node.share_coordinator import share_services

    return share_services


def _producer_ids(broker: Broker) -> ProducerIds:
    from moldau.broker.node.producer_ids import producer_ids

    return producer_ids(broker)


def _telemetry(broker: Broker) -> Telemetry:
    from moldau.broker.node.telemetry import telemetry

    return telemetry(broker)


IMPORTS: Mapping[str, Callable[[], Maker]] = {
    OFFSETS_TOPIC: _import_groups,
    TRANSACTIONS_TOPIC: _import_transactions,
    SHARE_STATE_TOPIC: _import_shares,
}
"""By topic, what imports all modules of its coordinator; that may be done beside the loop."""
PARTS = {
    "groups": OFFSETS_TOPIC,
    "transactions": TRANSACTIONS_TOPIC,
    "share_states": SHARE_STATE_TOPIC,
    "shares": SHARE_STATE_TOPIC,
    "share_sessions": SHARE_STATE_TOPIC,
}
"""The places in the broker, and with which topic they are filled."""
ALONE: Mapping[str, Callable[[Broker], object]] = {
    "producer_ids": _producer_ids,
    "telemetry": _telemetry,
}
"""Places in the broker that belong to no topic, and what makes each."""
NOT_THERE_YET: Mapping[str, object] = {"knows": lambda index: False}
"""What a coordinator answers for its shards while its modules are loaded."""
FOLLOWS_METADATA = (OFFSETS_TOPIC, SHARE_STATE_TOPIC)
CLOSED_IN_ORDER = (TRANSACTIONS_TOPIC, SHARE_STATE_TOPIC, OFFSETS_TOPIC)


class Coordination:
    """Makes the coordinators, and hands on to them what they need of the node."""

    def __init__(self, broker: Broker, connections: Connections) -> None:
        self._broker = broker
        self._connections = connections
        self._made: dict[str, ShardRuntime] = {}
        self._loading: set[str] = set()
        for part in PARTS:
            setattr(broker, part, when_needed(partial(self._make_part, part)))
        for part in ALONE:
            setattr(broker, part, when_needed(partial(self._make_alone, part)))

    def __repr__(self) -> str:
        return f"Coordination({', '.join(self._made) or 'nothing made'})"

    @property
    def made(self) -> frozenset[str]:
        """The topics whose coordinators are there."""
        return frozenset(self._made)

    def _make_part(self, part: str) -> object:
        self._make(PARTS[part])
        return getattr(self._broker, part)

    def _make_alone(self, part: str) -> object:
        made = ALONE[part](self._broker)
        setattr(self._broker, part, made)
        return made

    def _make(self, topic: str) -> None:
        if topic in self._made:
            return
        make = IMPORTS[topic]()
        runtime = self._made[topic] = make(self._broker)
        if topic == SHARE_STATE_TOPIC:
            self._connections.when_lost.append(self._lost)
        self._broker.replicas.listen(runtime.on_leading, runtime.on_leaving)

    def _load(self, topic: str) -> None:
        """Import beside the loop what makes this coordinator; then make it."""
        self._loading.add(topic)
        for part, needs in PARTS.items():
            if needs == topic:
                place = when_needed(partial(self._make_part, part), NOT_THERE_YET)
                setattr(self._broker, part, place)
        self._broker.tasks.spawn(f"loading the coordinator of {topic}", self._loaded(topic))

    async def _loaded(self, topic: str) -> None:
        await self._broker.tasks.offload(IMPORTS[topic])
        self._loading.discard(topic)
        self._make(topic)

    def _lost(self, connection: int) -> None:
        """A connection is closed, whose member may hold records of share groups."""
        from moldau.broker.server.share.acknowledging import end_sessions

        end_sessions(self._broker, connection)

    def follow(self) -> None:
        """From now on, make what the partitions that are led here need."""
        self._broker.replicas.listen(self._on_leading, lambda topic, index: None)

    def _on_leading(self, topic: str, index: int, leader_epoch: int) -> None:
        if topic in IMPORTS and topic not in self._loading:
            self._make(topic)

    def metadata_changed(self, delta: Delta, image: Image) -> None:
        for topic in IMPORTS:
            if self._comes_into_being(topic, delta, image):
                self._load(topic)
        for topic in FOLLOWS_METADATA:
            if topic in self._made:
                self._made[topic].metadata_changed(delta, image)

    def _comes_into_being(self, topic: str, delta: Delta, image: Image) -> bool:
        if topic in self._made or not self._connections.is_serving:
            return False  # a node that starts is loaded before it serves
        return topic in image.topics.by_name and topic not in delta.image.topics.by_name

    def close(self) -> None:
        """The broker stops."""
        if SHARE_STATE_TOPIC in self._made:
            self._broker.shares.close()
        for topic in CLOSED_IN_ORDER:
            if topic in self._made:
                self._made[topic].close()
