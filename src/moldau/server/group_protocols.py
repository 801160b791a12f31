"""Which protocols groups may use here: a broker's setting and a level of the cluster say so."""

from __future__ import annotations

from typing import NamedTuple

from moldau.errors import KafkaError
from moldau.server.broker import Broker
from moldau.wire.error_codes import ErrorCode

__all__ = ["CONSUMER", "STREAMS", "GroupProtocol", "check_protocol"]


class GroupProtocol(NamedTuple):
    """A protocol of groups."""

    name: str
    """In `group.coordinator.rebalance.protocols`."""
    feature: str
    """It is supported from level 1 on."""


CONSUMER = GroupProtocol("consumer", "group.version")
STREAMS = GroupProtocol("streams", "streams.version")


def check_protocol(broker: Broker, protocol: GroupProtocol) -> None:
    """Refuse what groups may not use."""
    is_set = protocol.name in broker.settings.group_coordinator_rebalance_protocols
    if not is_set or broker.metadata.image.features.level(protocol.feature) < 1:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_VERSION,
            f"The {protocol.name} protocol is not enabled: it wants {protocol.feature} 1 and its "
            "name in group.coordinator.rebalance.protocols.",
        )
