"""OffsetCommit, read from its message."""

from __future__ import annotations

from moldau.broker.coordinator.group.offsets.offset_commit import OffsetCommit, respond
from moldau.broker.coordinator.group.offsets.store import Place
from moldau.protocol.messages.group.offset_commit import OffsetCommitRequest
from moldau.protocol.wire.error_codes import ErrorCode

Topic = OffsetCommitRequest.OffsetCommitRequestTopic
ID = bytes(range(16))


def request() -> OffsetCommitRequest:
    return OffsetCommitRequest(
        group_id="g",
        member_id="m",
        topics=[
            Topic(
                name=name,
                topic_id=ID,
                partitions=[
                    Topic.OffsetCommitRequestPartition(
                        partition_index=index, committed_offset=7 + index, committed_metadata=None
                    )
                    for index in indexes
                ],
            )
            for name, indexes in (("t", (2, 0)), ("u", (1,)))
        ],
    )


def codes_in(response):
    return [(topic.name, [(one.partition_index, one.error_code) for one in topic.partitions])
            for topic in response.topics]  # fmt: skip


def test_positions_stand_in_the_order_of_the_request():
    commit = OffsetCommit.of(request(), 9)
    assert commit.committer.places == [Place("t", 2), Place("t", 0), Place("u", 1)]
    assert [(one.offset, one.metadata) for one in commit.positions] == [(9, ""), (7, ""), (8, "")]
    assert commit.message() == request()


def test_a_part_of_it_keeps_what_belongs_together():
    part = OffsetCommit.of(request(), 9).with_only([True, False, True])
    assert part.committer.places == [Place("t", 2), Place("u", 1)]
    assert [one.offset for one in part.positions] == [9, 8]
    assert part.committer.group_id == "g"


def test_the_answer_repeats_the_partitions_with_their_codes():
    assert codes_in(OffsetCommit.of(request(), 9).committer.response) == [
        ("t", [(2, 0), (0, 0)]), ("u", [(1, 0)]),
    ]  # fmt: skip
    late = ErrorCode.OFFSET_METADATA_TOO_LARGE
    assert codes_in(respond(request(), iter([0, late, 0]))) == [
        ("t", [(2, 0), (0, late)]), ("u", [(1, 0)]),
    ]  # fmt: skip
