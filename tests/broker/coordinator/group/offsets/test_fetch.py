"""Reading offsets."""

from __future__ import annotations

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.offsets.words import commit, commit_pending, fetch, offsets
from tests.broker.coordinator.group.play import Play, Reply

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
    play = Play()
    play >> commit(7, metadata="m", leader_epoch=3)
    assert answers(play >> fetch(0, 1)) == [(0, 7, 3, "m", 0), (1, -1, -1, "", 0)]


def test_of_a_group_that_is_not_there_nothing_is_known():
    play = Play()
    assert answers(play >> fetch(0)) == [(0, -1, -1, "", 0)]
    assert offsets(play) == {}


def test_everything_can_be_asked_for():
    play = Play()
    for topic in "tu":
        for partition in (0, 3):
            play >> commit(partition, topic=topic, partition=partition)
    assert offsets(play) == {("t", 0): 0, ("t", 3): 3, ("u", 0): 0, ("u", 3): 3}


def test_an_unstable_offset_goes_only_to_those_that_do_not_mind():
    play = Play()
    play >> commit(7)
    play >> commit_pending(8)
    assert answers(play >> fetch(stable=True)) == [
        (0, -1, -1, "", ErrorCode.UNSTABLE_OFFSET_COMMIT)
    ]
    assert answers(play >> fetch()) == [(0, 7, -1, "", 0)]
    play.end_transaction(9, is_commit=False)
    assert answers(play >> fetch(stable=True)) == [(0, 7, -1, "", 0)]


def test_an_offset_of_a_topic_that_was_there_before_under_the_name_is_none():
    play = Play()
    play >> commit(7, topic_id=ONE)
    assert answers(play >> fetch(topic_id=OTHER)) == [(0, -1, -1, "", 0)]
    assert answers(play >> fetch(topic_id=ONE)) == [(0, 7, -1, "", 0)]
