"""Topics come page by page, in the order of their names, each partition once."""

import pytest

from moldau.broker.metadata.topics import LOST_DIRECTORY
from moldau.broker.security.access import Operation, Resource
from moldau.protocol.messages.topic.describe_topic_partitions import DescribeTopicPartitionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import Judge, handled
from tests.broker.server.images import broker, image_of, topic

CURSOR = DescribeTopicPartitionsRequest.Cursor
IMAGE = image_of(
    broker(1), broker(2, fenced=True), *topic("b", 3), *topic("a", 2, leader=2, replicas=(2, 1))
)


def ask(*names, cursor=None, limit=2000, judge=None, most=2000, image=IMAGE):
    asked = [DescribeTopicPartitionsRequest.TopicRequest(name=name) for name in names]
    request = DescribeTopicPartitionsRequest(
        topics=asked, response_partition_limit=limit, cursor=cursor
    )
    return handled(
        "topic.describe_topic_partitions",
        request,
        image=image,
        judge=judge,
        max_request_partition_size_limit=most,
    )[0]


def places(response):
    return [
        (one.name, partition.partition_index)
        for one in response.topics
        for partition in one.partitions
    ]


@pytest.mark.parametrize("limit", [1, 2, 3, 4, 5, 9])
def test_the_pages_together_are_everything_once(limit):
    cursor, found = None, []
    for _ in range(6):
        page = ask(cursor=cursor, limit=limit)
        found += places(page)
        assert len(places(page)) <= limit
        if page.next_cursor is None:
            break
        cursor = CURSOR(
            topic_name=page.next_cursor.topic_name,
            partition_index=page.next_cursor.partition_index,
        )
    assert found == [("a", 0), ("a", 1), ("b", 0), ("b", 1), ("b", 2)]


def test_a_page_is_never_longer_than_the_broker_allows():
    assert len(places(ask(limit=0, most=3))) == 1
    assert len(places(ask(limit=4, most=3))) == 3


def test_a_partition_is_reported_with_who_could_lead_it():
    response = ask("a", "b")
    lost, led = (one.partitions[0] for one in response.topics)
    assert (lost.error_code, lost.leader_id) == (ErrorCode.NONE, -1)
    assert (lost.offline_replicas, lost.replica_nodes) == ([2], [2, 1])
    assert (led.error_code, led.leader_id, led.leader_epoch) == (0, 1, 3)
    assert led.eligible_leader_replicas == [9]


def test_topics_that_are_not_there_are_reported_only_if_they_were_named():
    response = ask("gone", "b", "a b")
    assert [(one.name, one.error_code) for one in response.topics] == [
        ("a b", ErrorCode.INVALID_TOPIC_EXCEPTION),
        ("b", 0),
        ("gone", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ]


def test_topics_that_the_caller_may_not_see_are_not_there_unless_they_were_named():
    judge = Judge((Operation.DESCRIBE, Resource.TOPIC, "b"))
    assert [one.name for one in ask(judge=judge).topics] == ["b"]
    refused = ask("a", judge=judge).topics[0]
    assert refused.error_code == ErrorCode.TOPIC_AUTHORIZATION_FAILED


def test_a_page_cannot_begin_before_the_first_partition():
    assert ask(cursor=CURSOR(topic_name="a", partition_index=-1)) == ErrorCode.INVALID_REQUEST


def test_a_page_cannot_begin_at_a_topic_that_is_not_asked_for():
    assert ask("b", cursor=CURSOR(topic_name="a", partition_index=0)) == ErrorCode.INVALID_REQUEST
    assert places(ask(cursor=CURSOR(topic_name="aa", partition_index=0)))[0] == ("b", 0)


def test_a_full_page_says_where_the_next_begins_even_if_there_is_nothing():
    response = ask("a", "gone", limit=2)
    assert (response.next_cursor.topic_name, len(response.topics)) == ("gone", 1)


def test_no_page_begins_at_a_topic_that_the_caller_may_not_see():
    judge = Judge((Operation.DESCRIBE, Resource.TOPIC, "a"))
    page = ask(limit=2, judge=judge)
    assert (places(page), page.next_cursor) == ([("a", 0), ("a", 1)], None)


def test_named_topics_that_the_caller_may_not_see_are_refused_behind_a_full_page():
    judge = Judge((Operation.DESCRIBE, Resource.TOPIC, "a"))
    page = ask("b", "a", limit=1, judge=judge)
    refused = [one.name for one in page.topics if one.error_code]
    assert (places(page), page.next_cursor.partition_index, refused) == ([("a", 0)], 1, ["b"])


def test_a_replica_in_a_lost_directory_is_offline_though_its_broker_is_there():
    created, partition = topic("c")
    partition.directories = [LOST_DIRECTORY]
    response = ask("c", image=image_of(broker(1), created, partition))
    assert response.topics[0].partitions[0].offline_replicas == [1]
