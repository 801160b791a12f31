"""Describing groups, whatever their kind."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import pytest

from moldau.broker.server.group.describing import check_topics, describe_groups
from moldau.errors import KafkaError
from moldau.protocol.messages.group.consumer_group_describe import ConsumerGroupDescribeRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.group_broker import Forbids

NOT_ASKED = -(2**31)


@dataclass
class Described:
    group_id: str
    error_code: int = 0
    authorized_operations: int = NOT_ASKED


async def ask(group_id: str) -> Described:
    if group_id == "gone":
        raise KafkaError(ErrorCode.GROUP_ID_NOT_FOUND)
    return Described(group_id)


def refuse(group_id: str, error: KafkaError) -> Described:
    return Described(group_id, error.code)


def described(*group_ids: str, shows_operations: bool) -> list[Described]:
    request = ConsumerGroupDescribeRequest(
        group_ids=list(group_ids), include_authorized_operations=shows_operations
    )
    broker = broker_with()
    broker.authorizer = Forbids("secret")
    call = call_of(request, 1)
    return asyncio.run(describe_groups(call, broker, request.group_ids, ask, refuse))


def test_each_group_is_reported_or_refused_in_the_order_asked():
    found = described("gone", "g", "secret", shows_operations=False)
    assert found == [
        Described("gone", ErrorCode.GROUP_ID_NOT_FOUND),
        Described("g"),
        Described("secret", ErrorCode.GROUP_AUTHORIZATION_FAILED),
    ]


def test_what_may_be_done_is_shown_only_of_what_is_shown():
    shown, refused = described("g", "gone", shows_operations=True)
    assert shown.authorized_operations != NOT_ASKED
    assert refused.authorized_operations == NOT_ASKED


def test_a_hidden_topic_hides_its_group():
    broker = broker_with()
    broker.authorizer = Forbids("t")
    request = ConsumerGroupDescribeRequest(group_ids=["g"], include_authorized_operations=False)
    call = call_of(request, 1)
    check_topics(call, broker, "g", ["u"])
    with pytest.raises(KafkaError) as caught:
        check_topics(call, broker, "g", ["u", "t"])
    assert caught.value.code == ErrorCode.TOPIC_AUTHORIZATION_FAILED
