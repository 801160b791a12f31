"""Members of classic consumer groups."""

from __future__ import annotations

import pytest

from moldau.broker.log.dump.group import with_consumer_protocol
from moldau.broker.log.dump.plain_json import plain_message
from moldau.errors import DecodeError
from moldau.protocol.messages.stored.classic_group import GroupMetadataValue
from moldau.protocol.messages.stored.consumer_protocol import ConsumerProtocolSubscription
from moldau.protocol.wire.compile import encode


def group(protocol_type: str, subscription: bytes) -> GroupMetadataValue:
    member = GroupMetadataValue.MemberMetadata(
        member_id="m",
        client_id="c",
        client_host="h",
        session_timeout=1,
        subscription=subscription,
        assignment=b"",
    )
    return GroupMetadataValue(
        protocol_type=protocol_type, generation=1, protocol=None, leader=None, members=[member]
    )


def shown_member(message: GroupMetadataValue):
    members = with_consumer_protocol(message, plain_message(message, 3))["members"]
    assert isinstance(members, list)
    return members[0]


def test_a_consumers_subscription_is_decoded():
    subscription = ConsumerProtocolSubscription(topics=["orders"], user_data=None)
    contents = b"\0\0" + bytes(encode(subscription, 0))
    member = shown_member(group("consumer", contents))
    assert member["subscription"] == {"topics": ["orders"], "userData": None}
    assert member["assignment"] is None


def test_a_version_from_the_future_is_read_as_the_newest():
    newest = ConsumerProtocolSubscription.VERSIONS.high
    subscription = ConsumerProtocolSubscription(topics=["orders"], user_data=None)
    contents = b"\0\x63" + bytes(encode(subscription, newest))
    assert shown_member(group("consumer", contents))["subscription"]["topics"] == ["orders"]


def test_other_protocols_keep_their_bytes():
    assert shown_member(group("connect", b"\1\2"))["subscription"] == "AQI="


def test_a_negative_version_is_refused():
    with pytest.raises(DecodeError, match="has no version -1"):
        shown_member(group("consumer", b"\xff\xff"))
