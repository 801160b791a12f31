"""OffsetCommit through its handler."""

from __future__ import annotations

from moldau.messages.group.offset_commit import OffsetCommitRequest
from moldau.wire.error_codes import ErrorCode
from tests.coordinator.group.offsets.words import commit
from tests.server.data_broker import DataBroker, topic_id
from tests.server.group_broker import Forbids, play

Topic = OffsetCommitRequest.OffsetCommitRequestTopic
UNKNOWN = ErrorCode.UNKNOWN_TOPIC_OR_PARTITION


def several(*topics: tuple[str, bytes, tuple[int, ...]]) -> OffsetCommitRequest:
    return OffsetCommitRequest(
        group_id="g",
        member_id="",
        topics=[
            Topic(
                name=name,
                topic_id=one,
                partitions=[
                    Topic.OffsetCommitRequestPartition(
                        partition_index=index, committed_offset=7, committed_metadata=""
                    )
                    for index in indexes
                ],
            )
            for name, one, indexes in topics
        ],
    )


def told(answer):
    return [
        (topic.name, [(one.partition_index, one.error_code) for one in topic.partitions])
        for topic in answer.topics
    ]


def asked(request, version=9, forbids=()):
    async def story(one: DataBroker):
        one.broker.authorizer = Forbids(*forbids)
        answer = await one.ask(request, version)
        offsets = one.broker.groups.running(0).shard.groups.offsets.of_group("g")
        return answer, offsets

    return play(story)


def test_what_is_unknown_is_refused_alone_and_stands_first():
    answer, _ = asked(several(("t", bytes(16), (0, 9)), ("gone", bytes(16), (0,))))
    assert told(answer) == [("t", [(9, UNKNOWN), (0, 0)]), ("gone", [(0, UNKNOWN)])]


def test_an_unknown_topic_is_told_even_without_partitions():
    answer, _ = asked(several(("t", bytes(16), ()), ("gone", bytes(16), ())))
    assert told(answer) == [("gone", [])]


def test_a_topic_that_is_named_twice_is_told_once():
    answer, _ = asked(several(("t", bytes(16), (8, 0)), ("t", bytes(16), (9,))))
    assert told(answer) == [("t", [(8, UNKNOWN), (9, UNKNOWN), (0, 0)])]


def test_the_id_of_the_topic_is_written_down():
    _, offsets = asked(several(("t", bytes(16), (0,))))
    assert [one.topic_id for one in offsets.values()] == [topic_id("t")]


def test_topics_can_be_named_by_id():
    request = several(("", topic_id("t"), (1,)), ("", b"?" * 16, (0,)))
    answer, offsets = asked(request, 10)
    assert told(answer) == [("", [(0, ErrorCode.UNKNOWN_TOPIC_ID)]), ("", [(1, 0)])]
    assert [place.topic for place in offsets] == ["t"]


def test_a_forbidden_topic_is_refused_alone():
    answer, offsets = asked(several(("t", bytes(16), (0,))), forbids=["t"])
    assert told(answer) == [("t", [(0, ErrorCode.TOPIC_AUTHORIZATION_FAILED)])]
    assert offsets == {}


def test_a_refusal_of_the_coordinator_is_told_for_every_partition():
    answer, _ = asked(commit(7, "m", 3).request)
    assert told(answer) == [("t", [(0, ErrorCode.GROUP_ID_NOT_FOUND)])]


def test_nothing_to_commit_is_fine():
    answer, _ = asked(several())
    assert told(answer) == []
