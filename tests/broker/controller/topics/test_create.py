"""Topics come with their settings and partitions, or with a reason why not."""

import pytest

from moldau.broker.controller.topics.create import fresh_topic_id
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import uuid_text
from tests.broker.controller.conversation import (
    Conversation,
    SmallQuota,
    creation,
    directory,
    names,
)


def both(*requests: CreateTopicsRequest) -> CreateTopicsRequest:
    return CreateTopicsRequest(topics=[request.topics[0] for request in requests])


def codes(reply):
    return [topic.error_code for topic in reply.topics]


def test_the_topic_comes_before_its_settings_and_those_before_its_partitions():
    cluster = Conversation(brokers=1)
    settings = {"retention.ms": "1000", "cleanup.policy": "compact"}
    records, reply = cluster.ask(creation("t", 2, 1, settings=settings))
    assert names(records) == ["Topic", "Config", "Config", "Partition", "Partition"]
    assert [record.name for record in records[1:3]] == ["cleanup.policy", "retention.ms"]
    assert {record.topic_id for record in (records[0], *records[3:])} == {reply.topics[0].topic_id}
    first = records[3]
    assert (first.replicas, first.isr, first.leader) == ([1], [1], 1)
    assert (first.leader_epoch, first.partition_epoch) == (0, 0)
    assert first.directories == [directory(1)]


def test_the_answer_shows_shape_and_settings_with_their_sources():
    cluster = Conversation(brokers=1)
    _, reply = cluster.ask(creation("t", 2, 1, settings={"retention.ms": "1000"}))
    answer = reply.topics[0]
    assert (answer.num_partitions, answer.replication_factor) == (2, 1)
    shown = {config.name: (config.value, config.config_source) for config in answer.configs}
    assert shown["retention.ms"] == ("1000", 1)
    assert shown["cleanup.policy"] == ("delete", 5)
    assert len(shown) == 33


def test_defaults_are_the_clusters():
    cluster = Conversation(brokers=2, num_partitions="3", default_replication_factor="2")
    cluster.ask(creation("t"))
    assert len(cluster.image.topics.by_name["t"].partitions) == 3
    assert len(cluster.partition("t", 2).replicas) == 2


def test_checking_alone_creates_nothing_and_answers_the_same():
    cluster = Conversation(brokers=1)
    records, reply = cluster.ask(creation("t", 3, 1, validate_only=True))
    assert (records, codes(reply), reply.topics[0].num_partitions) == ([], [0], 3)


def test_what_is_there_cannot_come_again():
    cluster = Conversation(brokers=1)
    cluster.create("t", (1,))
    assert codes(cluster.ask(creation("t"))[1]) == [ErrorCode.TOPIC_ALREADY_EXISTS]


def test_names_that_metrics_cannot_tell_apart_collide():
    cluster = Conversation(brokers=1)
    cluster.create("a.b", (1,))
    assert codes(cluster.ask(creation("a_b"))[1]) == [ErrorCode.INVALID_TOPIC_EXCEPTION]
    assert codes(cluster.ask(creation("a-b"))[1]) == [ErrorCode.NONE]


def test_a_topic_named_twice_is_answered_once_and_the_others_are_created():
    cluster = Conversation(brokers=1)
    records, reply = cluster.ask(both(creation("a"), creation("b"), creation("a")))
    assert codes(reply) == [ErrorCode.INVALID_REQUEST, ErrorCode.NONE]
    assert names(records) == ["Topic", "Partition"]


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (creation("a b"), ErrorCode.INVALID_TOPIC_EXCEPTION),
        (creation("__cluster_metadata"), ErrorCode.INVALID_REQUEST),
        (creation("t", 0), ErrorCode.INVALID_PARTITIONS),
        (creation("t", -2), ErrorCode.INVALID_PARTITIONS),
        (creation("t", 1, 0), ErrorCode.INVALID_REPLICATION_FACTOR),
        (creation("t", 1, -2), ErrorCode.INVALID_REPLICATION_FACTOR),
        (creation("t", 1, 3), ErrorCode.INVALID_REPLICATION_FACTOR),
        (creation("t", 1, -1, assignments=[[1]]), ErrorCode.INVALID_REQUEST),
        (creation("t", -1, 1, assignments=[[1]]), ErrorCode.INVALID_REQUEST),
        (creation("t", assignments=[[]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (creation("t", assignments=[[9]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (creation("t", assignments=[[1, 1]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (creation("t", assignments=[[1], [1, 2]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (creation("t", settings={"nonsense": "1"}), ErrorCode.INVALID_CONFIG),
        (creation("t", settings={"retention.ms": "soon"}), ErrorCode.INVALID_CONFIG),
        (creation("t", settings={"retention.ms": None}), ErrorCode.INVALID_CONFIG),
    ],
)
def test_a_refusal_has_a_code_and_a_sentence_and_leaves_no_record(request_, code):
    records, reply = Conversation(brokers=2).ask(request_)
    assert (records, codes(reply)) == ([], [code])
    assert len(reply.topics[0].error_message) > 20


@pytest.mark.parametrize("indexes", [(0, 2), (1,), (0, 0)])
def test_partitions_are_numbered_without_gaps(indexes):
    request = creation("t", assignments=[[1]] * len(indexes))
    for assignment, index in zip(request.topics[0].assignments, indexes, strict=True):
        assignment.partition_index = index
    assert codes(Conversation(brokers=1).ask(request)[1]) == [ErrorCode.INVALID_REPLICA_ASSIGNMENT]


def test_an_assignment_to_fenced_brokers_alone_is_refused():
    cluster = Conversation(brokers=2)
    cluster.beat(1, want_fence=True)
    refused = cluster.ask(creation("t", assignments=[[1]]))[1]
    assert codes(refused) == [ErrorCode.INVALID_REPLICA_ASSIGNMENT]
    cluster.create("u", (1, 2))
    assert (cluster.partition("u").isr, cluster.partition("u").leader) == ((2,), 2)


def test_without_a_live_broker_there_are_no_topics():
    cluster = Conversation()
    assert codes(cluster.ask(creation("t"))[1]) == [ErrorCode.INVALID_REPLICATION_FACTOR]


def test_too_many_partitions_at_once_fail_the_whole_request():
    cluster = Conversation(brokers=1)
    too_many = both(creation("a", 6000, 1), creation("b", 4001, 1))
    assert cluster.refusal(too_many) == ErrorCode.POLICY_VIOLATION
    assert cluster.refusal(creation("a", 10_000, 1)) == ErrorCode.POLICY_VIOLATION


def test_a_fresh_id_never_looks_like_an_option():
    cluster = Conversation()
    situation = cluster.controller._situation(0, 0)
    texts = [uuid_text(fresh_topic_id(situation)) for _ in range(300)]
    assert len(set(texts)) == 300
    assert not any(text.startswith("-") for text in texts)


def test_a_quota_counts_partitions_and_refuses_topics_one_by_one():
    quota = SmallQuota()
    asked = both(creation("a", 3), creation("bad name"), creation("b", 1))
    records, reply = Conversation(brokers=1).ask(asked, charge=quota)
    assert codes(reply) == [
        0,
        ErrorCode.INVALID_TOPIC_EXCEPTION,
        ErrorCode.THROTTLING_QUOTA_EXCEEDED,
    ]
    assert (names(records).count("Partition"), quota.asked) == (3, [3, 1])


def test_a_quota_counts_what_is_only_to_be_checked():
    quota = SmallQuota()
    Conversation(brokers=1).ask(creation("a", 3, validate_only=True), charge=quota)
    assert quota.asked == [3]


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (creation("a.b"), "Topic 'a.b' already exists."),
        (creation("a_b"), "Topic 'a_b' collides with existing topic: a.b"),
        (
            creation("__cluster_metadata"),
            "Creation of internal topic __cluster_metadata is prohibited.",
        ),
        (
            creation("t", 1, 1, settings={"retention.ms": None}),
            "Null value not supported for topic configs: retention.ms",
        ),
        (
            creation("t", 1, 3),
            "Unable to replicate the partition 3 time(s): The target replication factor of 3 "
            "cannot be reached because only 1 broker(s) are registered or some brokers have all "
            "their log directories cordoned.",
        ),
    ],
)
def test_a_refusal_reads_as_kafkas(request_, message):
    cluster = Conversation(brokers=1)
    cluster.create("a.b", (1,))
    assert cluster.ask(request_)[1].topics[0].error_message == message
