"""Topics grow, never shrink, and new partitions look like the old ones."""

import pytest

from moldau.protocol.messages.topic.create_partitions import CreatePartitionsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, SmallQuota, names


def growth(name, count, assignments=None, validate_only=False):
    topic = CreatePartitionsRequest.CreatePartitionsTopic
    chosen = assignments and [
        topic.CreatePartitionsAssignment(broker_ids=brokers) for brokers in assignments
    ]
    asked = topic(name=name, count=count, assignments=chosen)
    return CreatePartitionsRequest(topics=[asked], timeout_ms=0, validate_only=validate_only)


def topic_of_two():
    cluster = Conversation(brokers=3)
    cluster.create("t", (1, 2), (2, 1))
    return cluster


def test_new_partitions_are_numbered_on_and_have_as_many_replicas():
    cluster = topic_of_two()
    records, reply = cluster.ask(growth("t", 4))
    assert (names(records), reply.results[0].error_code) == (["Partition"] * 2, 0)
    assert [record.partition_id for record in records] == [2, 3]
    assert all(len(record.replicas) == 2 for record in records)


def test_new_partitions_may_be_placed_by_hand():
    cluster = topic_of_two()
    cluster.ask(growth("t", 3, [[3, 1]]))
    assert cluster.partition("t", 2).replicas == (3, 1)


def test_checking_alone_adds_nothing():
    cluster = topic_of_two()
    records, reply = cluster.ask(growth("t", 9, validate_only=True))
    assert (records, reply.results[0].error_code) == ([], 0)


@pytest.mark.parametrize(
    ("request_", "code"),
    [
        (growth("nowhere", 3), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (growth("t", 2), ErrorCode.INVALID_PARTITIONS),
        (growth("t", 1), ErrorCode.INVALID_PARTITIONS),
        (growth("t", -1), ErrorCode.INVALID_PARTITIONS),
        (growth("t", 4, [[1, 2]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (growth("t", 3, [[1, 2], [2, 3]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (growth("t", 3, [[1]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (growth("t", 3, [[1, 9]]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (growth("t", 2_000_000_000), ErrorCode.POLICY_VIOLATION),
    ],
)
def test_a_refusal_leaves_no_record(request_, code):
    records, reply = topic_of_two().ask(request_)
    assert (records, [result.error_code for result in reply.results]) == ([], [code])


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        (growth("nowhere", 3), None),
        (growth("t", 2), "Topic already has 2 partition(s)."),
        (growth("t", 1), "The topic t currently has 2 partition(s); 1 would not be an increase."),
        (
            growth("t", 4, [[1, 2]]),
            "Attempted to add 2 additional partition(s), but only 1 assignment(s) were specified.",
        ),
        (
            growth("t", 3, [[1, 1]]),
            "The manual partition assignment includes the broker 1 more than once.",
        ),
        (
            growth("t", 3, [[1, 9]]),
            "The manual partition assignment includes broker 9, but no such broker is registered.",
        ),
        (
            growth("t", 3, [[1]]),
            "The manual partition assignment includes a partition with 1 replica(s), but this is "
            "not consistent with previous partitions, which have 2 replica(s).",
        ),
    ],
)
def test_a_refusal_reads_as_kafkas(request_, message):
    _, reply = topic_of_two().ask(request_)
    assert reply.results[0].error_message == message


def test_a_topic_named_twice_is_answered_once():
    request = growth("t", 3)
    request.topics *= 2
    _, reply = topic_of_two().ask(request)
    assert [result.error_code for result in reply.results] == [ErrorCode.INVALID_REQUEST]


def test_too_many_partitions_at_once_fail_the_whole_request():
    cluster = topic_of_two()
    cluster.create("u", (1,))
    request = growth("t", 6000)
    request.topics += growth("u", 6000).topics
    assert cluster.refusal(request) == ErrorCode.POLICY_VIOLATION


def test_what_could_be_added_is_counted_and_what_could_not_is_free():
    counted: list[int] = []
    cluster = topic_of_two()
    for request in (growth("t", 1), growth("t", 4, [[1, 2]]), growth("nowhere", 3)):
        cluster.ask(request, charge=counted.append)
    assert counted == []
    cluster.ask(growth("t", 4, validate_only=True), charge=counted.append)
    cluster.ask(growth("t", 5), charge=counted.append)
    assert counted == [2, 3]


def test_a_quota_refuses_its_topic_alone():
    both = growth("t", 4)
    both.topics += growth("u", 4).topics
    cluster = topic_of_two()
    cluster.create("u", (1, 2), (2, 1))
    records, reply = cluster.ask(both, charge=SmallQuota())
    codes = {one.name: one.error_code for one in reply.results}
    assert codes == {"t": 0, "u": ErrorCode.THROTTLING_QUOTA_EXCEEDED}
    assert len(records) == 2
