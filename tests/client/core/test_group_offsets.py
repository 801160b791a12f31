"""Keeping offsets for a group, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.committed_offset import CommittedOffset
from moldau.client.core.group_offsets import commit_offsets, fetch_committed, fetch_offsets
from moldau.client.core.metadata import UNKNOWN_TRIES_MAX
from moldau.client.errors import AccessDeniedError, RefusedError, UnreachableError
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest, OffsetCommitResponse
from moldau.protocol.messages.group.offset_fetch import OffsetFetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import TOPIC_ID, coordinator, metadata
from tests.client.conversation import Conversation, context

ONE, TWO = TopicPartition("t", 0), TopicPartition("t", 1)
NOTED = CommittedOffset(17, 4, "note")
METADATA = metadata({"t": {0: (1, 3), 1: (2, 4)}})
CommittedTopic = OffsetCommitResponse.OffsetCommitResponseTopic
CommittedRow = CommittedTopic.OffsetCommitResponsePartition
FetchedGroup = OffsetFetchResponse.OffsetFetchResponseGroup
FetchedTopic = FetchedGroup.OffsetFetchResponseTopics
FetchedRow = FetchedTopic.OffsetFetchResponsePartitions


def committed(codes: dict[int, ErrorCode], **named) -> OffsetCommitResponse:
    rows = [CommittedRow(partition_index=index, error_code=code) for index, code in codes.items()]
    return OffsetCommitResponse(
        topics=[CommittedTopic(**(named or {"name": "t"}), partitions=rows)]
    )


def kept(offsets: dict[int, int], code: ErrorCode = ErrorCode.NONE, **named) -> OffsetFetchResponse:
    rows = [
        FetchedRow(partition_index=index, committed_offset=offset, metadata="", error_code=0)
        for index, offset in offsets.items()
    ]
    topics = [FetchedTopic(**(named or {"name": "t"}), partitions=rows)]
    return OffsetFetchResponse(groups=[FetchedGroup(group_id="g", topics=topics, error_code=code)])


def committing(offsets=None):
    dialogue = commit_offsets(context(), "g", offsets or {ONE: NOTED}, 0)
    return Conversation(dialogue).receives(METADATA).receives(coordinator(2))


def fetching(parts=(ONE, TWO)):
    return (
        Conversation(fetch_offsets(context(), "g", parts, 0))
        .receives(METADATA)
        .receives(coordinator(2))
    )


def test_a_commit_goes_to_the_coordinator_from_outside_of_the_protocol():
    talk = committing().receives(committed({0: ErrorCode.NONE}))
    node, request = talk.asked[-1]
    assert isinstance(request, OffsetCommitRequest)
    assert (node, request.generation_id_or_member_epoch, request.member_id) == (2, -1, "")
    row = request.topics[0].partitions[0]
    kept = (row.committed_offset, row.committed_leader_epoch, row.committed_metadata)
    assert kept == (17, 4, "note")
    assert request.topics[0].topic_id == TOPIC_ID
    assert talk.is_over


def test_an_answer_that_names_topics_by_id_is_understood():
    assert committing().receives(committed({0: ErrorCode.NONE}, topic_id=TOPIC_ID)).is_over
    assert fetching((ONE,)).receives(kept({0: 5}, topic_id=TOPIC_ID)).result == {ONE: 5}


def test_what_is_kept_beside_an_offset_comes_back_with_it():
    rows = [
        FetchedRow(
            partition_index=index, committed_offset=offset, committed_leader_epoch=epoch,
            metadata=note, error_code=0,
        )
        for index, offset, epoch, note in ((0, 17, 4, "note"), (1, -1, -1, None))
    ]  # fmt: skip
    group = FetchedGroup(group_id="g", topics=[FetchedTopic(name="t", partitions=rows)])
    talk = Conversation(fetch_committed(context(), "g", (ONE, TWO), 0))
    talk.receives(METADATA).receives(coordinator(2)).receives(OffsetFetchResponse(groups=[group]))
    assert talk.result == {ONE: NOTED, TWO: None}


def test_a_coordinator_that_moved_is_found_anew_and_only_the_rest_is_committed():
    talk = committing({ONE: CommittedOffset(1), TWO: CommittedOffset(2)})
    talk.receives(committed({0: ErrorCode.NONE, 1: ErrorCode.NOT_COORDINATOR})).rests()
    talk.receives(coordinator(1)).receives(committed({1: ErrorCode.NONE}))
    node, request = talk.asked[-1]
    assert isinstance(request, OffsetCommitRequest)
    assert node == 1
    assert [row.partition_index for row in request.topics[0].partitions] == [1]


def test_a_coordinator_that_is_away_is_found_anew():
    talk = committing().receives(UnreachableError("b2:9092", "gone")).rests()
    assert talk.receives(coordinator(1)).receives(committed({0: ErrorCode.NONE})).is_over


def test_a_coordinator_that_loads_is_asked_again():
    talk = committing().receives(committed({0: ErrorCode.COORDINATOR_LOAD_IN_PROGRESS})).rests()
    assert talk.receives(committed({0: ErrorCode.NONE})).is_over


def test_a_coordinator_that_is_not_there_yet_is_asked_for_again():
    talk = Conversation(commit_offsets(context(), "g", {ONE: CommittedOffset(1)}, 0)).receives(
        METADATA
    )
    talk.receives(coordinator(-1, ErrorCode.COORDINATOR_NOT_AVAILABLE)).rests()
    assert talk.receives(coordinator(1)).receives(committed({0: ErrorCode.NONE})).is_over


def test_where_no_broker_names_a_coordinator_it_is_asked_for_again():
    talk = Conversation(commit_offsets(context(), "g", {ONE: CommittedOffset(1)}, 0)).receives(
        METADATA
    )
    talk.receives(UnreachableError("b1:9092", "gone")).rests()
    assert talk.receives(coordinator(1)).receives(committed({0: ErrorCode.NONE})).is_over


def test_a_group_that_may_not_be_used_is_refused_where_its_coordinator_is_asked_for():
    talk = Conversation(commit_offsets(context(), "g", {ONE: CommittedOffset(1)}, 0)).receives(
        METADATA
    )
    with pytest.raises(AccessDeniedError, match="group g"):
        talk.receives(coordinator(-1, ErrorCode.GROUP_AUTHORIZATION_FAILED))


def test_a_topic_whose_id_has_changed_is_asked_for_again():
    talk = committing().receives(committed({0: ErrorCode.UNKNOWN_TOPIC_ID})).rests()
    assert talk.receives(METADATA).receives(committed({0: ErrorCode.NONE})).is_over


def test_what_was_read_in_a_former_topic_is_not_committed_in_the_one_that_has_its_name():
    offsets = {ONE: CommittedOffset(1), TWO: CommittedOffset(2)}
    dialogue = commit_offsets(context(), "g", offsets, 0, read_in={ONE: b"f" * 16, TWO: TOPIC_ID})
    talk = Conversation(dialogue).receives(METADATA).receives(coordinator(2))
    _, request = talk.asked[-1]
    assert isinstance(request, OffsetCommitRequest)
    assert [row.partition_index for row in request.topics[0].partitions] == [1]
    assert talk.receives(committed({1: ErrorCode.NONE})).result == {TWO: CommittedOffset(2)}


def test_where_all_was_read_in_a_former_topic_nothing_is_committed():
    dialogue = commit_offsets(context(), "g", {ONE: NOTED}, 0, read_in={ONE: b"f" * 16})
    talk = Conversation(dialogue).receives(METADATA)
    assert (talk.is_over, talk.result) == (True, {})


def test_a_partition_that_stays_unknown_is_refused_when_the_others_are_kept():
    talk = committing({ONE: CommittedOffset(1), TWO: CommittedOffset(2)})
    unknown = {1: ErrorCode.UNKNOWN_TOPIC_OR_PARTITION}
    talk.receives(committed({0: ErrorCode.NONE, **unknown})).rests()
    for _ in range(UNKNOWN_TRIES_MAX - 1):
        talk.receives(METADATA).receives(committed(unknown)).rests()
    talk.receives(METADATA)
    with pytest.raises(RefusedError, match="offset of t-1 in group g"):
        talk.receives(committed(unknown))


def test_topics_without_an_answer_are_asked_for_later():
    talk = Conversation(commit_offsets(context(), "g", {ONE: CommittedOffset(1)}, 0))
    talk.receives(UnreachableError("b1:9092", "gone")).rests().receives(METADATA).receives(
        coordinator(2)
    )
    assert talk.receives(committed({0: ErrorCode.NONE})).is_over


def test_a_group_with_members_of_its_own_is_no_place_for_our_offsets():
    with pytest.raises(RefusedError, match="members of its own: keep the offsets under another"):
        committing().receives(committed({0: ErrorCode.UNKNOWN_MEMBER_ID}))


@pytest.mark.parametrize(
    ("code", "what"),
    [
        (ErrorCode.GROUP_AUTHORIZATION_FAILED, "group g"),
        (ErrorCode.TOPIC_AUTHORIZATION_FAILED, "topic t"),
    ],
)
def test_a_missing_right_is_reported_by_what_it_is_for(code, what):
    with pytest.raises(AccessDeniedError, match=what):
        committing().receives(committed({0: code}))


def test_what_is_kept_is_reported_and_what_is_not_is_none():
    assert fetching().receives(kept({0: 17, 1: -1})).result == {ONE: 17, TWO: None}


def test_an_error_of_the_whole_group_is_judged_like_one_of_a_partition():
    talk = fetching().receives(kept({}, ErrorCode.NOT_COORDINATOR)).rests()
    assert talk.receives(coordinator(1)).receives(kept({0: 1, 1: 2})).result == {ONE: 1, TWO: 2}


def test_an_answer_that_leaves_a_partition_out_is_asked_again():
    talk = fetching().receives(kept({0: 1})).rests()
    assert talk.receives(kept({1: 2})).result == {ONE: 1, TWO: 2}
