"""Who may let a topic grow."""

from moldau.broker.security.access import Operation, Resource
from moldau.protocol.messages.topic.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import Judge, handled


def test_only_topics_that_the_caller_may_alter_go_to_the_controller():
    topic = CreatePartitionsRequest.CreatePartitionsTopic
    request = CreatePartitionsRequest(
        topics=[topic(name=name, count=2, assignments=None) for name in ("a", "b")],
        timeout_ms=1000,
        validate_only=True,
    )
    answer, asked = handled(
        "topic.create_partitions",
        request,
        judge=Judge((Operation.ALTER, Resource.TOPIC, "a")),
        answers=[CreatePartitionsResponse(throttle_time_ms=0, results=[])],
    )
    assert [one.name for one in asked[0].topics] == ["a"]
    assert asked[0].validate_only
    codes = [(one.name, one.error_code) for one in answer.results]
    assert codes == [("b", ErrorCode.TOPIC_AUTHORIZATION_FAILED)]


def test_a_refusal_needs_no_decision_and_so_no_time():
    topic = CreatePartitionsRequest.CreatePartitionsTopic
    request = CreatePartitionsRequest(
        topics=[topic(name="b", count=2, assignments=None)], timeout_ms=0, validate_only=True
    )
    answer, asked = handled(
        "topic.create_partitions", request, judge=Judge((Operation.ALTER, Resource.TOPIC, "a"))
    )
    assert asked == []
    assert [one.error_code for one in answer.results] == [ErrorCode.TOPIC_AUTHORIZATION_FAILED]


def test_what_is_named_twice_is_refused_to_every_client():
    topic = CreatePartitionsRequest.CreatePartitionsTopic
    request = CreatePartitionsRequest(
        topics=[topic(name="b", count=count, assignments=None) for count in (2, 3)],
        timeout_ms=0,
        validate_only=True,
    )
    answer, asked = handled("topic.create_partitions", request, judge=Judge())
    assert asked == []
    assert [(one.name, one.error_code) for one in answer.results] == [
        ("b", ErrorCode.INVALID_REQUEST)
    ]
