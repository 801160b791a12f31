"""A partition moves when all that are to come are in sync, and can go back until then."""

import pytest

from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
)
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
)
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.controller.conversation import Conversation, names
from tests.broker.controller.partitions.test_alter_partition import proposal

TOPIC = AlterPartitionReassignmentsRequest.ReassignableTopic


def move(name, replicas, index=0, may_resize=True):
    partition = TOPIC.ReassignablePartition(partition_index=index, replicas=replicas)
    return AlterPartitionReassignmentsRequest(
        topics=[TOPIC(name=name, partitions=[partition])],
        allow_replication_factor_change=may_resize,
    )


def code(reply):
    return reply.responses[0].partitions[0].error_code


def four():
    cluster = Conversation(brokers=4)
    cluster.create("t", (1, 2))
    return cluster


def test_a_move_begins_lasts_and_ends():
    cluster = four()
    records, reply = cluster.ask(move("t", [3, 2]))
    state = cluster.partition("t")
    assert (names(records), code(reply)) == (["PartitionChange"], 0)
    assert (state.replicas, state.adding_replicas, state.removing_replicas) == (
        (3, 2, 1),
        (3,),
        (1,),
    )
    _, reply = cluster.ask(proposal(cluster, "t", [1, 2, 3]))
    assert reply.topics[0].partitions[0].error_code == ErrorCode.NEW_LEADER_ELECTED
    state = cluster.partition("t")
    assert (state.replicas, state.isr, state.leader) == ((3, 2), (2, 3), 3)
    assert not state.adding_replicas
    assert not state.removing_replicas


def test_fewer_replicas_take_effect_at_once():
    cluster = four()
    cluster.ask(move("t", [2]))
    state = cluster.partition("t")
    assert (state.replicas, state.isr, state.leader, state.removing_replicas) == ((2,), (2,), 2, ())


def test_a_move_is_given_up():
    cluster = four()
    cluster.ask(move("t", [3, 4]))
    cluster.ask(move("t", None))
    state = cluster.partition("t")
    assert (state.replicas, state.adding_replicas, state.removing_replicas) == ((1, 2), (), ())


def test_a_changed_move_still_waits_for_who_was_coming():
    cluster = four()
    cluster.ask(move("t", [3, 2]))
    cluster.ask(move("t", [3, 4]))
    state = cluster.partition("t")
    assert (state.adding_replicas, state.removing_replicas) == ((3, 4), (1, 2))
    cluster.ask(move("t", [1, 2]))
    assert cluster.partition("t").replicas == (1, 2)


@pytest.mark.parametrize(
    ("request_", "expected"),
    [
        (move("t", None), ErrorCode.NO_REASSIGNMENT_IN_PROGRESS),
        (move("t", [9]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (move("t", []), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (move("t", [3, 3]), ErrorCode.INVALID_REPLICA_ASSIGNMENT),
        (move("t", [1], 7), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (move("gone", [1]), ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
        (move("t", [1], may_resize=False), ErrorCode.INVALID_REPLICATION_FACTOR),
    ],
)
def test_a_move_that_cannot_be_is_refused(request_, expected):
    records, reply = four().ask(request_)
    assert (records, code(reply)) == ([], expected)


def test_no_move_goes_back_to_replicas_that_would_lose_records():
    cluster = four()
    cluster.ask(move("t", [3, 4]))
    cluster.ask(proposal(cluster, "t", [1, 3]))
    cluster.beat(1, want_fence=True)
    assert cluster.partition("t").isr == (3,)
    assert code(cluster.ask(move("t", None))[1]) == ErrorCode.INVALID_REPLICA_ASSIGNMENT


def test_moves_are_listed_until_they_end():
    cluster = four()
    cluster.create("u", (1,))
    cluster.ask(move("t", [3, 2]))
    asked = ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics
    every, named, other = (
        cluster.ask(ListPartitionReassignmentsRequest(topics=topics))[1].topics
        for topics in (
            None,
            [asked(name="t", partition_indexes=[0, 5]), asked(name="gone", partition_indexes=[0])],
            [asked(name="u", partition_indexes=[0])],
        )
    )
    assert every == named
    assert (every[0].name, every[0].partitions[0].adding_replicas, other) == ("t", [3], [])
