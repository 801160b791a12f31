"""Reading offsets."""

from __future__ import annotations

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.coordinator import Coordinator, Reply
from tests.broker.coordinator.group.offsets.words import commit, commit_pending, fetch, offsets

ONE, OTHER = bytes(15) + b"\1", bytes(15) + b"\2"


def answers(reply: Reply) -> list[tuple[int, int, int, str, int]]:
    (group,) = reply.answer.groups
    return [
        (
            one.partition_index,
            one.committed_offset,
            one.committed_leader_epoch,
            one.metadata,
            one.error_code,
        )
        for topic in group.topics
        for one in topic.partitions
    ]


def test_what_was_committed_is_answered_and_the_rest_is_minus_one():
    coordinator = Coordinator()
    coordinator >> commit(7, metadata="m", leader_epoch=3)
    assert answers(coordinator >> fetch(0, 1)) == [(0, 7, 3, "m", 0), (1, -1, -1, "", 0)]


def test_of_a_group_that_is_not_there_nothing_is_known():
    coordinator = Coordinator()
    assert answers(coordinator >> fetch(0)) == [(0, -1, -1, "", 0)]
    assert offsets(coordinator) == {}


def test_everything_can_be_asked_for():
    coordinator = Coordinator()
    for topic in "tu":
        for partition in (0, 3):
            coordinator >> commit(partition, topic=topic, partition=partition)
    assert offsets(coordinator) == {("t", 0): 0, ("t", 3): 3, ("u", 0): 0, ("u", 3): 3}


def test_an_unstable_offset_goes_only_to_those_that_do_not_mind():
    coordinator = Coordinator()
    coordinator >> commit(7)
    coordinator >> commit_pending(8)
    assert answers(coordinator >> fetch(stable=True)) == [
        (0, -1, -1, "", ErrorCode.UNSTABLE_OFFSET_COMMIT)
    ]
    assert answers(coordinator >> fetch()) == [(0, 7, -1, "", 0)]
    coordinator.end_transaction(9, is_commit=False)
    assert answers(coordinator >> fetch(stable=True)) == [(0, 7, -1, "", 0)]


def test_an_offset_of_a_topic_that_was_there_before_under_the_name_is_none():
    coordinator = Coordinator()
    coordinator >> commit(7, topic_id=ONE)
    assert answers(coordinator >> fetch(topic_id=OTHER)) == [(0, -1, -1, "", 0)]
    assert answers(coordinator >> fetch(topic_id=ONE)) == [(0, 7, -1, "", 0)]
