"""Requests that make no sense are refused without a group, and so without its coordinator."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.request_checks import check_request
from moldau.errors import KafkaError
from moldau.protocol.messages.group.list_groups import ListGroupsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import heartbeat, join, leave, sync
from tests.broker.coordinator.group.consumer import conversation as consumer
from tests.broker.coordinator.group.coordinator import Asked, SomeSettings
from tests.broker.coordinator.group.share.test_validation import heartbeat as share_heartbeat
from tests.broker.coordinator.group.streams import conversation as streams

SENSELESS = [
    (join(group=""), ErrorCode.INVALID_GROUP_ID),
    (join(session_ms=5_999), ErrorCode.INVALID_SESSION_TIMEOUT),
    (join(session_ms=1_800_001), ErrorCode.INVALID_SESSION_TIMEOUT),
    (sync("m", group=""), ErrorCode.INVALID_GROUP_ID),
    (sync("m", protocol_name=None), ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
    (sync("m", group="", protocol_type=None), ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
    (heartbeat("m", group=""), ErrorCode.INVALID_GROUP_ID),
    (leave("m", group=""), ErrorCode.INVALID_GROUP_ID),
    (consumer.beat("m", -3), ErrorCode.INVALID_REQUEST),
    (consumer.join(assignor="sticky"), ErrorCode.UNSUPPORTED_ASSIGNOR),
    (Asked(share_heartbeat(member_epoch=-2), 1), ErrorCode.INVALID_REQUEST),
    (streams.beat("m", -3), ErrorCode.INVALID_REQUEST),
]


@pytest.mark.parametrize(("asked", "code"), SENSELESS)
def test_what_makes_no_sense_is_refused(asked, code):
    with pytest.raises(KafkaError) as refused:
        check_request(asked.request, asked.version, SomeSettings())
    assert refused.value.code == code


@pytest.mark.parametrize(
    "asked",
    [
        join("unknown"),
        sync("unknown"),
        sync("unknown", protocol_type=None, protocol_name=None, version=4),
        heartbeat("unknown"),
        leave("unknown"),
        consumer.join(),
        Asked(share_heartbeat(), 1),
        streams.join(),
        Asked(ListGroupsRequest(), 5),
    ],
)
def test_what_is_for_the_group_to_decide_passes(asked):
    check_request(asked.request, asked.version, SomeSettings())
