"""The members of a classic consumer group, with their subscriptions and assignments.

A member's subscription and assignment are bytes to the broker. Where the group's protocol type is
`consumer` they are messages of the consumer protocol, and are shown as such.
"""

from __future__ import annotations

from moldau.broker.log.dump.plain_json import plain_message
from moldau.errors import DecodeError
from moldau.protocol.messages.stored.classic_group import GroupMetadataValue
from moldau.protocol.messages.stored.consumer_protocol import (
    ConsumerProtocolAssignment,
    ConsumerProtocolSubscription,
)
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.schema import Message

CONSUMER = "consumer"
_VERSION_BYTES = 2


def with_consumer_protocol(message: Message, data: dict[str, object]) -> dict[str, object]:
    """The fields of a value; those of a classic consumer group with its members decoded."""
    if not isinstance(message, GroupMetadataValue) or message.protocol_type != CONSUMER:
        return data
    members = data["members"]
    assert isinstance(members, list)
    for member, shown in zip(message.members, members, strict=True):
        shown["subscription"] = _decoded(ConsumerProtocolSubscription, member.subscription)
        shown["assignment"] = _decoded(ConsumerProtocolAssignment, member.assignment)
    return data


def _decoded(message_class: type[Message], contents: bytes) -> object:
    if not contents:
        return None
    version = int.from_bytes(contents[:_VERSION_BYTES], "big", signed=True)
    version = min(version, message_class.VERSIONS.high)
    if version < 0:
        raise DecodeError(f"{message_class.__name__} has no version {version}")
    return plain_message(decode(message_class, version, contents[_VERSION_BYTES:]), version)
