"""Which protocols groups may use here: a broker's setting and a level of the cluster say so.

This is asked before anything else, and before the coordinator is looked for: to every request of a
protocol that is off the answer is UNSUPPORTED_VERSION, without a message, as with Kafka.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.broker.server.broker import Broker
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["CONSUMER", "SHARE", "STREAMS", "GroupProtocol", "check_protocol"]


class GroupProtocol(NamedTuple):
    """A protocol of groups."""

    name: str
    feature: str
    """It is supported from level 1 on."""
    has_setting: bool = True
    """Whether its name has to be in `group.coordinator.rebalance.protocols` too."""


CONSUMER = GroupProtocol("consumer", "group.version")
STREAMS = GroupProtocol("streams", "streams.version")
SHARE = GroupProtocol("share", "share.version", has_setting=False)


def check_protocol(broker: Broker, protocol: GroupProtocol) -> None:
    """Refuse what groups may not use."""
    has_level = broker.metadata.image.features.level(protocol.feature) >= 1
    if not has_level or (protocol.has_setting and not _is_named(broker, protocol)):
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION)


def _is_named(broker: Broker, protocol: GroupProtocol) -> bool:
    return protocol.name in broker.settings.group_coordinator_rebalance_protocols
