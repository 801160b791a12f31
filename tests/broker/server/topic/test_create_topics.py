"""Who may create topics, and who may see what they were created with."""

from moldau.broker.security.access import Operation, Resource
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.controller_asking import Judge, handled

TOPIC = CreateTopicsRequest.CreatableTopic
CREATE_A = (Operation.CREATE, Resource.TOPIC, "a")
SEE_A = (Operation.DESCRIBE_CONFIGS, Resource.TOPIC, "a")


def ask(*rules, names=("a", "b"), timeout_ms=1000):
    request = CreateTopicsRequest(
        topics=[
            TOPIC(name=name, num_partitions=1, replication_factor=1, assignments=[], configs=[])
            for name in names
        ],
        timeout_ms=timeout_ms,
    )
    created = CreateTopicsResponse.CreatableTopicResult(
        name="a",
        error_code=0,
        error_message=None,
        num_partitions=1,
        replication_factor=1,
        configs=[],
    )
    reply = CreateTopicsResponse(topics=[created])
    return handled("topic.create_topics", request, judge=Judge(*rules), answers=[reply])


def test_only_topics_that_the_caller_may_create_go_to_the_controller():
    answer, asked = ask(CREATE_A, SEE_A)
    assert [topic.name for topic in asked[0].topics] == ["a"]
    codes = [(topic.name, topic.error_code) for topic in answer.topics]
    assert codes == [("a", 0), ("b", ErrorCode.TOPIC_AUTHORIZATION_FAILED)]


def test_who_may_create_in_the_cluster_may_create_every_topic():
    _, asked = ask((Operation.CREATE, Resource.CLUSTER))
    assert [topic.name for topic in asked[0].topics] == ["a", "b"]


def test_who_may_not_see_settings_is_not_shown_them():
    shown, hidden = (ask(CREATE_A, *rules)[0].topics[0] for rules in ([SEE_A], []))
    assert (shown.num_partitions, shown.configs, shown.topic_config_error_code) == (1, [], 0)
    assert (hidden.num_partitions, hidden.replication_factor, hidden.configs) == (-1, -1, [])
    assert hidden.topic_config_error_code == ErrorCode.TOPIC_AUTHORIZATION_FAILED


def test_what_is_named_twice_and_the_clusters_own_log_are_refused_to_every_client():
    names = ("b", "__cluster_metadata", "b")
    answer, asked = ask(names=names, timeout_ms=0)
    codes = [(topic.name, topic.error_code) for topic in answer.topics]
    assert codes == [(name, ErrorCode.INVALID_REQUEST) for name in ("b", "__cluster_metadata")]
    prohibited = "Creation of internal topic __cluster_metadata is prohibited."
    assert answer.topics[1].error_message == prohibited
    assert asked == []
