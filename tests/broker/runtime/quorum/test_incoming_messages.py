"""Requests as events, verdicts as responses."""

from __future__ import annotations

import pytest

from moldau.broker.controller.decision import Call
from moldau.broker.quorum.effects import Announce, Answer, AskVote, EndQuorumEpoch, FetchSnapshot
from moldau.broker.quorum.events import LeaderAnnounced, LeaderResigned, VoteRequested
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.voters import ReplicaKey
from moldau.broker.runtime.quorum import incoming_messages
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.outgoing_messages import request_for, snapshot_request
from moldau.broker.runtime.quorum.snapshotting import SnapshotSettings
from moldau.protocol.messages.quorum.begin_quorum_epoch import BeginQuorumEpochRequest
from moldau.protocol.messages.quorum.end_quorum_epoch import EndQuorumEpochRequest
from moldau.protocol.messages.quorum.fetch_snapshot import FetchSnapshotRequest
from moldau.protocol.messages.quorum.vote import VoteRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.quorum_world import OneNode

SENDER = Identity(2, b"s" * 16, "cluster")
ME = Identity(1, b"d" * 16, "cluster")
TO_ME = ReplicaKey(1, b"d" * 16)


@pytest.mark.parametrize(
    ("effect", "event"),
    [
        (
            AskVote(TO_ME, 5, LogEnd(3, 9), True),
            VoteRequested(7, SENDER.key, 5, LogEnd(3, 9), True, TO_ME),
        ),
        (Announce(TO_ME, 5), LeaderAnnounced(7, 2, 5, TO_ME)),
        (EndQuorumEpoch(TO_ME, 5, (TO_ME, ReplicaKey(3))), LeaderResigned(7, 2, 5, (1, 3))),
    ],
)
def test_what_one_member_sends_another_one_receives(effect, event):
    request = request_for(effect, SENDER, 0, 0)
    assert isinstance(request, VoteRequest | BeginQuorumEpochRequest | EndQuorumEpochRequest)
    assert incoming_messages.refusal(request, ME) is None
    assert incoming_messages.event_of(request, 7) == event


def test_a_request_about_another_partition_is_not_valid():
    request = request_for(Announce(TO_ME, 5), SENDER, 0, 0)
    assert isinstance(request, BeginQuorumEpochRequest)
    request.topics[0].partitions[0].partition_index = 1
    assert incoming_messages.refusal(request, ME) is ErrorCode.INVALID_REQUEST
    refused = incoming_messages.refused(request, ErrorCode.INVALID_REQUEST)
    assert refused.error_code == ErrorCode.INVALID_REQUEST  # type: ignore[attr-defined]


def test_a_verdict_names_the_leader_or_none():
    request = request_for(AskVote(TO_ME, 5, LogEnd(3, 9), False), SENDER, 0, 0)
    assert isinstance(request, VoteRequest)
    known = incoming_messages.member_response(request, Answer(7, ErrorCode.NONE, 5, 3, True))
    unknown = incoming_messages.member_response(request, Answer(7, ErrorCode.NONE, 5, None))
    votes = [one.topics[0].partitions[0] for one in (known, unknown)]  # type: ignore[attr-defined]
    assert [(vote.leader_id, vote.vote_granted) for vote in votes] == [(3, True), (-1, False)]


def snapshot_asked(node, position=0, epoch=1, snapshot=None, partition=0):
    """What the node answers about its newest snapshot."""

    async def scene(quorum, tasks):
        await tasks.sleep(3000)
        wanted = snapshot or quorum.node.log.latest_snapshot
        effect = FetchSnapshot(1, epoch, wanted)
        request = snapshot_request(effect, SENDER, position, 1 << 20)
        request.topics[0].partitions[0].partition = partition
        assert isinstance(request, FetchSnapshotRequest)
        return (await quorum.answer(request, Call(1))).topics[0].partitions[0]

    return node.run(scene)


def node_with_snapshots():
    return OneNode(snapshots=SnapshotSettings(interval_ms=1000))


def test_a_snapshot_is_given_out_in_pieces():
    whole = snapshot_asked(node_with_snapshots())
    rest = snapshot_asked(node_with_snapshots(), position=100)
    assert len(whole.unaligned_records) == whole.size
    assert rest.unaligned_records == whole.unaligned_records[100:]


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"epoch": 0}, ErrorCode.FENCED_LEADER_EPOCH),
        ({"epoch": 9}, ErrorCode.UNKNOWN_LEADER_EPOCH),
        ({"snapshot": SnapshotId(3, 3)}, ErrorCode.SNAPSHOT_NOT_FOUND),
        ({"position": 1 << 30}, ErrorCode.POSITION_OUT_OF_RANGE),
        ({"partition": 1}, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
    ],
)
def test_what_cannot_be_given_is_refused(fields, error):
    piece = snapshot_asked(node_with_snapshots(), **fields)
    assert (piece.error_code, bytes(piece.unaligned_records)) == (error, b"")


@pytest.mark.parametrize("counts", [[], [0], [0, 1], [2, 1]])
def test_a_request_for_no_piece_or_for_many_is_not_valid(counts):
    asked = FetchSnapshotRequest.TopicSnapshot
    piece = snapshot_request(FetchSnapshot(1, 1, SnapshotId(0, 0)), SENDER, 0, 1 << 20)
    one = piece.topics[0].partitions[0]
    piece.topics = [
        asked(name=incoming_messages.TOPIC, partitions=[one] * count) for count in counts
    ]

    async def scene(quorum, tasks):
        return await quorum.answer(piece, Call(1))

    answer = node_with_snapshots().run(scene)
    assert (answer.error_code, answer.topics) == (ErrorCode.INVALID_REQUEST, [])
