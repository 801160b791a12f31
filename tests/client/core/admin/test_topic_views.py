"""Listing and describing topics, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.topic_views import (
    describe_all_topics,
    describe_first_topics,
    describe_topics,
    describe_topics_by_id,
    list_topics,
)
from moldau.client.errors import InvalidArgumentError, UnreachableError, UnsupportedVersionError
from moldau.protocol.messages.topic.describe_topic_partitions import DescribeTopicPartitionsResponse
from moldau.protocol.wire.uuids import uuid_text
from tests.client.answers import TOPIC_ID, metadata
from tests.client.core.admin.asking import call, talk

Row = DescribeTopicPartitionsResponse.DescribeTopicPartitionsResponseTopic
OLD = UnsupportedVersionError("too old")


def page(name: str, *partitions: int, beyond: tuple[str, int] | None = None):
    rows = [
        Row.DescribeTopicPartitionsResponsePartition(
            error_code=0,
            partition_index=number,
            leader_id=1,
            replica_nodes=[1],
            isr_nodes=[1],
            offline_replicas=[],
        )
        for number in partitions
    ]
    cursor = None
    if beyond is not None:
        cursor = DescribeTopicPartitionsResponse.Cursor(
            topic_name=beyond[0], partition_index=beyond[1]
        )
    return DescribeTopicPartitionsResponse(
        throttle_time_ms=0,
        topics=[Row(error_code=0, name=name, topic_id=TOPIC_ID, partitions=rows)],
        next_cursor=cursor,
    )


def test_topics_are_listed_in_the_order_of_names():
    held = talk(list_topics(call()))
    held.receives(metadata({"b": {}, "a": {}, "__x": {}}, internal=("__x",)))
    assert list(held.result) == ["a", "b"]


def test_all_topics_come_with_their_partitions_in_one_request():
    held = talk(describe_all_topics(call()))
    held.receives(metadata({"b": {1: (2, 5), 0: (-1, 4)}, "a": {}, "__x": {}}, internal=("__x",)))
    assert list(held.result) == ["a", "b"]
    assert [part.leader for part in held.result["b"].partitions] == [None, 2]
    assert len(held.asked) == 1


def test_the_first_topics_are_those_that_a_page_has_whole():
    held = talk(describe_first_topics(call(), partitions=3))
    answer = page("a", 0, 1, beyond=("b", 1))
    answer.topics += page("b", 0).topics
    held.receives(answer)
    assert (list(held.result.topics), held.result.has_more) == (["a"], True)
    assert (held.asked[0][1].topics, held.asked[0][1].response_partition_limit) == ([], 3)


def test_all_topics_are_gone_through_from_the_name_where_the_last_ones_ended():
    held = talk(describe_first_topics(call(), partitions=2))
    held.receives(page("a", 0, 1, beyond=("b", 0)))
    assert (list(held.result.topics), held.result.next_topic) == (["a"], "b")
    held = talk(describe_first_topics(call(), partitions=2, begin="b")).receives(page("b", 0))
    cursor = held.asked[0][1].cursor
    assert (cursor.topic_name, cursor.partition_index) == ("b", 0)
    assert (list(held.result.topics), held.result.next_topic) == (["b"], None)


def test_a_topic_that_is_larger_than_a_page_is_there_with_all_its_partitions():
    held = talk(describe_first_topics(call(), partitions=2))
    held.receives(page("a", 0, 1, beyond=("a", 2)))
    assert held.asked[1][1].cursor.partition_index == 2
    held.receives(page("a", 2, beyond=("b", 0)))
    assert [part.partition for part in held.result.topics["a"].partitions] == [0, 1, 2]
    assert held.result.next_topic == "b"


def test_without_pages_the_first_topics_are_all():
    held = talk(describe_first_topics(call(), partitions=3)).receives(OLD)
    held.receives(metadata({"b": {}, "__x": {}}, internal=("__x",)))
    assert (list(held.result.topics), held.result.has_more) == (["__x", "b"], False)


def test_a_topic_comes_page_by_page():
    held = talk(describe_topics(call(), ["b", "a"]))
    held.receives(page("a", 0, 1, beyond=("a", 2)))
    assert held.asked[1][1].cursor.partition_index == 2
    held.receives(page("a", 2, beyond=("b", 0)))
    assert [topic.name for topic in held.asked[2][1].topics] == ["b"]
    held.receives(UnreachableError("b1", "gone")).rests().receives(page("b", 0))
    assert list(held.result.values) == ["b", "a"]
    assert [part.partition for part in held.result["a"].partitions] == [0, 1, 2]


def test_older_brokers_are_asked_for_metadata():
    held = talk(describe_topics(call(), ["t"])).receives(OLD)
    held.receives(metadata({"t": {1: (2, 5), 0: (-1, 4)}}))
    first, second = held.result["t"].partitions
    assert (first.leader, second.leader, second.leader_epoch) == (None, 2, 5)
    assert first.eligible is None


def test_topics_are_found_by_their_ids():
    text = uuid_text(TOPIC_ID)
    held = talk(describe_topics_by_id(call(), text)).receives(metadata({"t": {}}))
    assert (held.result[text].name, held.asked[0][1].topics[0].name) == ("t", None)


def test_controllers_are_not_asked():
    with pytest.raises(InvalidArgumentError, match="controllers"):
        talk(list_topics(call(bootstrap_controllers="c1:9093")))
