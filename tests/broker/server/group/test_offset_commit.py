"""OffsetCommit through its handler."""

from __future__ import annotations

from moldau.broker.replica.isr import FollowerProgress
from moldau.broker.server.topic.creation import OFFSETS_TOPIC
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.offsets.words import commit
from tests.broker.server.data_broker import NOT_YET, DataBroker, topic_id
from tests.broker.server.group_broker import Forbids, result_of

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


def codes_in(answer):
    return [
        (topic.name, [(one.partition_index, one.error_code) for one in topic.partitions])
        for topic in answer.topics
    ]


def asked(request, version=9, forbids=()):
    async def scenario(one: DataBroker):
        one.broker.authorizer = Forbids(*forbids)
        answer = await one.ask(request, version)
        offsets = one.broker.groups.running(0).shard.groups.offsets.of_group("g")
        return answer, offsets

    return result_of(scenario)


def test_what_is_unknown_is_refused_alone_and_stands_first():
    answer, _ = asked(several(("t", bytes(16), (0, 9)), ("gone", bytes(16), (0,))))
    assert codes_in(answer) == [("t", [(9, UNKNOWN), (0, 0)]), ("gone", [(0, UNKNOWN)])]


def test_an_unknown_topic_is_reported_even_without_partitions():
    answer, _ = asked(several(("t", bytes(16), ()), ("gone", bytes(16), ())))
    assert codes_in(answer) == [("gone", [])]


def test_a_topic_that_is_named_twice_is_reported_once():
    answer, _ = asked(several(("t", bytes(16), (8, 0)), ("t", bytes(16), (9,))))
    assert codes_in(answer) == [("t", [(8, UNKNOWN), (9, UNKNOWN), (0, 0)])]


def test_beside_a_refused_topic_the_others_are_reported_once_too():
    twice = ("t", bytes(16), (0,)), ("t", bytes(16), (1,))
    answer, _ = asked(several(*twice))
    assert codes_in(answer) == [("t", [(0, 0)]), ("t", [(1, 0)])]
    answer, _ = asked(several(("gone", bytes(16), (0,)), *twice))
    assert codes_in(answer) == [("gone", [(0, UNKNOWN)]), ("t", [(0, 0), (1, 0)])]


def test_the_id_of_the_topic_is_written_down():
    _, offsets = asked(several(("t", bytes(16), (0,))))
    assert [one.topic_id for one in offsets.values()] == [topic_id("t")]


def test_topics_can_be_named_by_id():
    request = several(("", topic_id("t"), (1,)), ("", b"?" * 16, (0,)))
    answer, offsets = asked(request, 10)
    assert codes_in(answer) == [("", [(0, ErrorCode.UNKNOWN_TOPIC_ID)]), ("", [(1, 0)])]
    assert [place.topic for place in offsets] == ["t"]


def test_a_forbidden_topic_is_refused_alone():
    answer, offsets = asked(several(("t", bytes(16), (0,))), forbids=["t"])
    assert codes_in(answer) == [("t", [(0, ErrorCode.TOPIC_AUTHORIZATION_FAILED)])]
    assert offsets == {}


def test_a_refusal_of_the_coordinator_is_reported_for_every_partition():
    answer, _ = asked(commit(7, "m", 3).request)
    assert codes_in(answer) == [("t", [(0, ErrorCode.GROUP_ID_NOT_FOUND)])]


def test_nothing_to_commit_is_fine():
    answer, _ = asked(several())
    assert codes_in(answer) == []


def met(scenario):
    """The answers of a scenario whose request names a known and an unknown partition."""
    request = several(("t", bytes(16), (0, 9)), ("gone", bytes(16), (0,)))
    asked, answers = result_of(lambda stage: scenario(stage, request))
    (known, refused), (gone,) = (topic.partitions for topic in asked.answer.topics)
    assert (known.error_code, gone.error_code) == (UNKNOWN, UNKNOWN)
    return refused.error_code, answers


def test_a_group_that_commits_alone_is_answered_at_once():
    async def scenario(stage: DataBroker, request):
        stage.begin(several(("t", bytes(16), (1,))), 9)
        await stage.tasks.sleep(1)
        asked = stage.begin(request, 9)
        return asked, asked.answer is not NOT_YET

    assert met(scenario) == (ErrorCode.NONE, True)


def test_an_append_that_is_refused_is_reported_for_every_partition_that_is_known():
    async def scenario(stage: DataBroker, request):
        stage.partition(OFFSETS_TOPIC).min_isr = 2
        asked = stage.begin(request, 9)
        at_once = asked.answer
        await stage.tasks.sleep(1)
        return asked, at_once

    assert met(scenario) == (ErrorCode.COORDINATOR_NOT_AVAILABLE, NOT_YET)


def test_who_waits_learns_when_the_coordinator_moves():
    async def scenario(stage: DataBroker, request):
        asked = stage.begin(request, 9)
        stage.delete(OFFSETS_TOPIC)
        await stage.tasks.sleep(1)
        return asked, stage.partition("t").log_end_offset

    assert met(scenario) == (ErrorCode.NOT_COORDINATOR, 0)


def test_who_waits_learns_when_the_node_stops():
    async def scenario(stage: DataBroker, request):
        asked = stage.begin(request, 9)
        stage.broker.groups.close()
        await stage.tasks.sleep(1)
        return asked, await stage.ask(several(("t", bytes(16), (0,))), 9)

    code, later = met(scenario)
    assert code == ErrorCode.NOT_COORDINATOR
    assert codes_in(later) == [("t", [(0, ErrorCode.NOT_COORDINATOR)])]


def test_what_is_committed_is_answered_when_it_is_replicated():
    async def scenario(stage: DataBroker, request):
        partition = stage.partition(OFFSETS_TOPIC)
        partition.isr, partition.is_alone = (*partition.isr, 2), False
        partition.followers[2] = FollowerProgress()
        asked = stage.begin(request, 9)
        await stage.tasks.sleep(10)
        before = asked.answer
        partition.followers[2].log_end_offset = partition.log_end_offset
        partition.advance_high_watermark()
        await stage.tasks.sleep(1)
        return asked, before

    assert met(scenario) == (ErrorCode.NONE, NOT_YET)
