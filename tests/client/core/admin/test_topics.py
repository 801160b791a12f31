"""Creating and deleting topics, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.topics import (
    NewPartitions,
    NewTopic,
    create_partitions,
    create_topics,
    delete_topics,
    delete_topics_by_id,
)
from moldau.protocol.messages.topic.create_topics import CreateTopicsResponse
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, talk

Created = CreateTopicsResponse.CreatableTopicResult
Deleted = DeleteTopicsResponse.DeletableTopicResult
NO_ID = "AAAAAAAAAAAAAAAAAAAAAA"


def created(code: ErrorCode = ErrorCode.NONE) -> CreateTopicsResponse:
    row = Created(name="t", topic_id=bytes(16), error_code=code, error_message=None, configs=None)
    return CreateTopicsResponse(throttle_time_ms=0, topics=[row])


def test_what_is_not_wished_is_left_to_the_cluster():
    held = talk(create_topics(call(700), ["t", NewTopic("u", 3, 2, {"a": "b"}, {0: (1, 2)})]))
    request = held.asked[0][1]
    plain, full = request.topics
    assert (plain.num_partitions, plain.replication_factor, request.timeout_ms) == (-1, -1, 700)
    assert (full.num_partitions, full.assignments[0].broker_ids) == (3, [1, 2])
    assert (full.configs[0].name, full.configs[0].value) == ("a", "b")


def test_what_may_not_be_seen_of_a_topic_is_none():
    made = talk(create_topics(call(), "t")).receives(created()).result["t"]
    assert (made.partitions, made.replication_factor, made.configs) == (None, None, None)


def test_being_throttled_is_waited_for_unless_that_is_not_wanted():
    throttled = created(ErrorCode.THROTTLING_QUOTA_EXCEEDED)
    held = talk(create_topics(call(), "t")).receives(throttled).rests().receives(created())
    assert held.result.all()
    held = talk(create_topics(call(), "t", retries_throttled=False)).receives(throttled)
    assert held.result.errors["t"].error is ErrorCode.THROTTLING_QUOTA_EXCEEDED


def test_deleting_names_topics_for_old_and_new_brokers():
    held = talk(delete_topics(call(), "t"))
    request = held.asked[0][1]
    assert ([row.name for row in request.topics], request.topic_names) == (["t"], ["t"])
    row = Deleted(name="t", topic_id=bytes(16), error_code=0)
    held.receives(DeleteTopicsResponse(throttle_time_ms=0, responses=[row]))
    assert held.result.all() == {"t": None}


def test_deleting_by_id_needs_a_broker_that_knows_ids():
    held = talk(delete_topics_by_id(call(), [NO_ID]))
    assert held.step.asks[0].oldest == 6
    row = Deleted(name=None, topic_id=bytes(16), error_code=ErrorCode.UNKNOWN_TOPIC_ID)
    held.receives(DeleteTopicsResponse(throttle_time_ms=0, responses=[row]))
    assert list(held.result.errors) == [NO_ID]


def test_new_partitions_are_a_number_or_placed():
    given: dict[str, NewPartitions | int] = {"t": 3, "u": NewPartitions(2, [[1, 2]])}
    first, second = talk(create_partitions(call(), given)).asked[0][1].topics
    assert (first.count, first.assignments) == (3, None)
    assert (second.count, second.assignments[0].broker_ids) == (2, [1, 2])
