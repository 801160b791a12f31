"""Who may delete topics, and who may not even know of them."""

from moldau.broker.security.access import Operation, Resource
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID
from tests.broker.server.controller_asking import Judge, handled
from tests.broker.server.images import image_of, topic, topic_id

STATE = DeleteTopicsRequest.DeleteTopicState
DELETE, DESCRIBE = ((one, Resource.TOPIC, "a") for one in (Operation.DELETE, Operation.DESCRIBE))
DENIED = ErrorCode.TOPIC_AUTHORIZATION_FAILED


ASKED = [("a", NULL_UUID), ("b", NULL_UUID), (None, topic_id("b")), (None, topic_id("gone"))]


def ask(*rules, version=6, asked=ASKED, timeout_ms=1000):
    request = DeleteTopicsRequest(
        topics=[STATE(name=name, topic_id=known) for name, known in asked],
        topic_names=["a", "b"],
        timeout_ms=timeout_ms,
    )
    return handled(
        "topic.delete_topics",
        request,
        version=version,
        judge=Judge(*rules),
        image=image_of(*topic("a"), *topic("b")),
        answers=[DeleteTopicsResponse(responses=[])],
    )


def test_only_what_the_caller_may_delete_goes_to_the_controller():
    answer, asked = ask(DELETE, DESCRIBE)
    assert [(one.name, one.topic_id) for one in asked[0].topics] == [
        ("a", NULL_UUID),
        (None, topic_id("gone")),
    ]
    codes = [(one.name, one.error_code) for one in answer.responses]
    assert codes == [("b", DENIED), (None, DENIED)]


def test_who_may_only_see_a_topic_learns_its_name():
    answer, _ = ask((Operation.DESCRIBE, Resource.TOPIC))
    assert [one.name for one in answer.responses] == ["a", "b", "b"]


def test_who_may_delete_in_the_cluster_may_delete_every_topic():
    answer, asked = ask((Operation.DELETE, Resource.CLUSTER))
    assert (len(asked[0].topics), answer.responses) == (4, [])


def test_old_requests_name_topics_alone():
    _, asked = ask(DELETE, DESCRIBE, version=5)
    assert asked[0].topic_names == ["a"]


def test_what_is_named_twice_is_refused_to_every_client():
    by_name, by_id = ("b", NULL_UUID), (None, topic_id("a"))
    answer, asked = ask(asked=[by_name, by_id, by_name, by_id])
    assert asked[0].topics == []
    refused = [(one.name, one.topic_id, one.error_code) for one in answer.responses]
    assert refused == [(*one, ErrorCode.INVALID_REQUEST) for one in (by_name, by_id)]


def test_who_sees_a_topic_learns_that_it_is_not_there():
    _, asked = ask((Operation.DESCRIBE, Resource.TOPIC), asked=[("gone", NULL_UUID)])
    assert [one.name for one in asked[0].topics] == ["gone"]


def test_an_id_of_what_may_be_deleted_needs_no_right_to_see_it():
    _, asked = ask(DELETE, asked=[(None, topic_id("a"))])
    assert len(asked[0].topics) == 1


def test_a_request_of_which_nothing_is_left_to_delete_does_not_run_out_of_time():
    _, asked = ask(DELETE, asked=[("a", topic_id("a")), (None, NULL_UUID)], timeout_ms=0)
    assert asked[0].timeout_ms == 30_000
    _, asked = ask(DELETE, DESCRIBE, timeout_ms=5)
    assert asked[0].timeout_ms == 5
