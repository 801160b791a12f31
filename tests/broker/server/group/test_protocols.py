"""Protocols that groups may use, or not."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from moldau.broker.metadata.image import Image
from moldau.broker.metadata.settings import Features
from moldau.broker.server.apis import BROKER, handler_of
from moldau.broker.server.group.protocols import CONSUMER, SHARE, check_protocol
from moldau.errors import KafkaError
from moldau.protocol.messages.group.consumer_group_describe import ConsumerGroupDescribeRequest
from moldau.protocol.messages.group.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from moldau.protocol.messages.share.alter_share_group_offsets import AlterShareGroupOffsetsRequest
from moldau.protocol.messages.share.delete_share_group_offsets import DeleteShareGroupOffsetsRequest
from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
)
from moldau.protocol.messages.share.share_acknowledge import ShareAcknowledgeRequest
from moldau.protocol.messages.share.share_fetch import ShareFetchRequest
from moldau.protocol.messages.share.share_group_describe import ShareGroupDescribeRequest
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from moldau.protocol.messages.streams.streams_group_describe import StreamsGroupDescribeRequest
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from moldau.protocol.wire.construct import blank
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import call_of
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import refused, result_of


def broker(protocols, level):
    image = Image(features=Features({"group.version": level}))
    return SimpleNamespace(
        settings=SimpleNamespace(group_coordinator_rebalance_protocols=protocols),
        metadata=SimpleNamespace(image=image),
    )


def test_a_protocol_that_is_set_and_supported_may_be_used():
    check_protocol(broker(("classic", "consumer"), 1), CONSUMER)


@pytest.mark.parametrize(("protocols", "level"), [(("classic",), 1), (("consumer",), 0)])
def test_a_protocol_wants_both_its_setting_and_its_level(protocols, level):
    with pytest.raises(KafkaError) as refused:
        check_protocol(broker(protocols, level), CONSUMER)
    assert (refused.value.code, refused.value.message) == (35, None)


def test_share_groups_want_their_level_alone():
    image = Image(features=Features({"share.version": 1}))
    other: Any = SimpleNamespace(
        settings=SimpleNamespace(group_coordinator_rebalance_protocols=("classic",)),
        metadata=SimpleNamespace(image=image),
    )
    check_protocol(other, SHARE)


@pytest.mark.parametrize(
    ("request_type", "version"),
    [
        (ConsumerGroupHeartbeatRequest, 1),
        (ConsumerGroupDescribeRequest, 1),
        (ShareGroupHeartbeatRequest, 1),
        (ShareGroupDescribeRequest, 1),
        (ShareFetchRequest, 2),
        (ShareAcknowledgeRequest, 2),
        (DescribeShareGroupOffsetsRequest, 1),
        (AlterShareGroupOffsetsRequest, 0),
        (DeleteShareGroupOffsetsRequest, 0),
        (StreamsGroupHeartbeatRequest, 0),
        (StreamsGroupDescribeRequest, 0),
    ],
)
def test_a_protocol_that_is_off_is_refused_before_the_coordinator_is_looked_for(
    request_type, version
):
    async def scenario(one: DataBroker):
        return await refused(one, blank(request_type), version)

    assert result_of(scenario, offsets_topic=False) == 35


@pytest.mark.parametrize(
    ("request_type", "version", "has_message"),
    [
        (ShareGroupDescribeRequest, 1, True),
        (DescribeShareGroupOffsetsRequest, 1, True),
        (AlterShareGroupOffsetsRequest, 0, True),
        (DeleteShareGroupOffsetsRequest, 0, True),
        (ConsumerGroupDescribeRequest, 1, False),
    ],
)
def test_calls_about_share_groups_alone_are_refused_with_the_message_of_the_code(
    request_type, version, has_message
):
    handle = handler_of(request_type.KEY, BROKER[request_type.KEY])
    off: Any = broker(("consumer",), 0)
    with pytest.raises(KafkaError) as refusal:
        handle(call_of(blank(request_type), version), off).send(None)
    expected = ErrorCode.UNSUPPORTED_VERSION.message if has_message else None
    assert refusal.value.message == expected
