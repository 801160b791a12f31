"""Topics of a fetch are looked up once, and refused for one reason."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.security.access import Operation
from moldau.broker.server.fetch.fetched import Fetched
from moldau.broker.server.fetch.topics import FetchedTopics
from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import broker_with, call_of
from tests.broker.server.topic.test_metadata import ORDERS_ID, image

REQUEST = FetchRequest(max_wait_ms=0, min_bytes=0, topics=[], forgotten_topics_data=[])


def fetched(topic: str | bytes, index: int = 0) -> Fetched:
    asked = FetchRequest.FetchTopic.FetchPartition
    return Fetched(topic, asked(partition=index, fetch_offset=0, partition_max_bytes=1))


class Rules:
    """Allows one operation, and counts how often it was asked."""

    def __init__(self, allowed: Operation) -> None:
        self.allowed = allowed
        self.asked = 0

    def allows(self, caller: Any, operation: Operation, *_: Any) -> bool:
        self.asked += 1
        return operation is self.allowed


def topics_for(allowed: Operation = Operation.READ, *, is_follower: bool = False) -> FetchedTopics:
    broker: Any = broker_with(image())
    broker.authorizer = Rules(allowed)
    return FetchedTopics(call_of(REQUEST, 13), broker, is_follower=is_follower)


def code(topics: FetchedTopics, one: Fetched) -> int:
    refusal = topics.refusal(one)
    return ErrorCode.NONE if refusal is None else refusal.error_code


@pytest.mark.parametrize(
    ("topic", "index", "expected"),
    [
        ("orders", 1, ErrorCode.NONE),
        (ORDERS_ID, 1, ErrorCode.NONE),
        ("orders", 9, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        ("absent", 0, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (b"x" * 16, 0, ErrorCode.UNKNOWN_TOPIC_ID),
    ],
)
def test_partitions_are_refused_that_are_not_there(topic, index, expected):
    assert code(topics_for(), fetched(topic, index)) == expected


@pytest.mark.parametrize(
    ("allowed", "is_follower", "expected"),
    [
        (Operation.READ, False, ErrorCode.NONE),
        (Operation.READ, True, ErrorCode.TOPIC_AUTHORIZATION_FAILED),
        (Operation.CLUSTER_ACTION, True, ErrorCode.NONE),
        (Operation.CLUSTER_ACTION, False, ErrorCode.TOPIC_AUTHORIZATION_FAILED),
    ],
)
def test_consumers_need_the_topic_and_followers_the_cluster(allowed, is_follower, expected):
    assert code(topics_for(allowed, is_follower=is_follower), fetched("orders")) == expected


def test_a_topic_is_looked_up_once_until_it_is_looked_at_again():
    topics = topics_for()
    rules: Any = topics._broker.authorizer
    for index in (0, 1):
        topics.refusal(fetched("orders", index))
    assert (rules.asked, topics.known_name("orders"), topics.known_name("other")) == (
        1,
        "orders",
        None,
    )
    topics.look_again(image().topics)
    topics.refusal(fetched("orders"))
    assert rules.asked == 2
