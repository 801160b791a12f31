"""The leader of a partition, sent with an error so that the client need not ask (KIP-951).

Answers of Produce 10 and Fetch 16 have a place for it: the leader's id and epoch at the partition,
and its address on the listener that the client came through, once for the whole answer.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.broker.metadata.image import Image
from moldau.protocol.wire.error_codes import ErrorCode

UNKNOWN_LEADER = -1
SENDS_LEADER = frozenset({ErrorCode.NOT_LEADER_OR_FOLLOWER, ErrorCode.FENCED_LEADER_EPOCH})
"""Errors after which a client needs the present leader."""


class LeaderHint(NamedTuple):
    """Who leads, and since when."""

    leader_id: int = UNKNOWN_LEADER
    leader_epoch: int = -1


class NodeAddress(NamedTuple):
    """Where to reach a broker."""

    node_id: int
    host: str
    port: int
    rack: str | None


def leader_hint(image: Image, topic: str, index: int) -> LeaderHint:
    """The partition's leader by the metadata."""
    state = image.topics.partition(topic, index)
    return LeaderHint() if state is None else LeaderHint(state.leader, state.leader_epoch)


def address_of(image: Image, broker_id: int, listener: str) -> NodeAddress | None:
    """Where a living broker listens under this name."""
    broker = image.cluster.brokers.get(broker_id)
    if broker is None or broker.fenced:
        return None
    endpoint = broker.endpoints.get(listener)
    if endpoint is None:
        return None
    return NodeAddress(broker_id, endpoint.host, endpoint.port, broker.rack)
