"""Topics go, by either of their names, with all that was set for them."""

from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID
from tests.broker.controller.conversation import Conversation, SmallQuota, names


def deletion(*topics):
    state = DeleteTopicsRequest.DeleteTopicState
    return DeleteTopicsRequest(
        topics=[state(name=name, topic_id=topic_id) for name, topic_id in topics],
        topic_names=[],
        timeout_ms=0,
    )


def codes(reply):
    return {topic.name: topic.error_code for topic in reply.responses}


def test_a_topic_goes_with_its_settings():
    cluster = Conversation(brokers=1)
    topic_id = cluster.create("t", (1,), retention_ms="5")
    records, reply = cluster.ask(deletion(("t", NULL_UUID)))
    assert (names(records), codes(reply)) == (["RemoveTopic"], {"t": 0})
    assert reply.responses[0].topic_id == topic_id
    assert cluster.image.configs.of(2, "t") == {}


def test_a_topic_goes_by_its_id():
    cluster = Conversation(brokers=1)
    topic_id = cluster.create("t", (1,))
    assert codes(cluster.ask(deletion((None, topic_id)))[1]) == {"t": 0}


def test_old_requests_know_names_alone():
    cluster = Conversation(brokers=1)
    cluster.create("t", (1,))
    request = DeleteTopicsRequest(topics=[], topic_names=["t", "gone"], timeout_ms=0)
    _, reply = cluster.ask(request, version=5)
    assert codes(reply) == {"t": 0, "gone": ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}


def test_what_is_not_there_or_not_clear_is_answered_by_itself():
    cluster = Conversation(brokers=1)
    topic_id = cluster.create("t", (1,))
    cases = [("gone", NULL_UUID), (None, bytes(15) + b"\x09"), (None, NULL_UUID), ("t", topic_id)]
    records, reply = cluster.ask(deletion(*cases))
    assert records == []
    assert [topic.error_code for topic in reply.responses] == [
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.INVALID_REQUEST,
    ]


def test_a_topic_named_twice_stays_in_whatever_way_it_is_named():
    cluster = Conversation(brokers=1)
    topic_id = cluster.create("t", (1,))
    records, reply = cluster.ask(deletion(("t", NULL_UUID), (None, topic_id)))
    assert (records, len(reply.responses)) == ([], 1)
    assert reply.responses[0].error_code == ErrorCode.INVALID_REQUEST


def test_a_cluster_may_forbid_deletion():
    cluster = Conversation(brokers=1, delete_topic_enable="false")
    cluster.create("t", (1,))
    assert cluster.refusal(deletion(("t", NULL_UUID))) == ErrorCode.TOPIC_DELETION_DISABLED
    old = DeleteTopicsRequest(topics=[], topic_names=["t"], timeout_ms=0)
    assert cluster.refusal(old, version=2) == ErrorCode.INVALID_REQUEST


def test_a_quota_counts_partitions_and_refuses_topics_one_by_one():
    cluster = Conversation(brokers=1)
    cluster.create("a", (1,), (1,))
    cluster.create("b", (1,))
    quota = SmallQuota()
    both = deletion(("a", NULL_UUID), ("nowhere", NULL_UUID), ("b", NULL_UUID))
    records, reply = cluster.ask(both, charge=quota)
    assert codes(reply) == {"a": 0, "nowhere": 3, "b": ErrorCode.THROTTLING_QUOTA_EXCEEDED}
    assert (len(records), quota.asked) == (1, [2, 1])
    assert all(one.topic_id != NULL_UUID for one in reply.responses if one.name != "nowhere")
