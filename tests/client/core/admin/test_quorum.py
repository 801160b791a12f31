"""The quorum, as conversations."""

from __future__ import annotations

from moldau.client.core.admin.quorum import (
    VoterEndpoint,
    add_raft_voter,
    describe_metadata_quorum,
    remove_raft_voter,
)
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterResponse
from moldau.protocol.messages.quorum.describe_quorum import DescribeQuorumResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, talk

Answer = DescribeQuorumResponse
ID = "AAAAAAAAAAAAAAAAAAAABw"


def described(code: ErrorCode = ErrorCode.NONE) -> DescribeQuorumResponse:
    replica = Answer.ReplicaState(replica_id=1, replica_directory_id=bytes(16), log_end_offset=9)
    row = Answer.TopicData.PartitionData(
        partition_index=0,
        error_code=code,
        leader_id=1,
        leader_epoch=2,
        high_watermark=8,
        current_voters=[replica],
        observers=[],
    )
    topics = [Answer.TopicData(topic_name="__cluster_metadata", partitions=[row])]
    listener = Answer.Node.Listener(name="C", host="h", port=9)
    return Answer(error_code=0, topics=topics, nodes=[Answer.Node(node_id=1, listeners=[listener])])


def test_a_leader_that_moved_is_asked_for_again():
    held = talk(describe_metadata_quorum(call()))
    held.receives(described(ErrorCode.NOT_LEADER_OR_FOLLOWER)).rests().receives(described())
    view = held.result
    assert view.endpoints == {1: (VoterEndpoint("C", "h", 9),)}
    assert (view.voters[0].directory_id, view.voters[0].last_fetch_ms) == (None, None)


def test_voters_are_named_with_their_disks():
    held = talk(add_raft_voter(call(), 3, ID, [VoterEndpoint("C", "h", 9)]))
    request = held.asked[0][1]
    assert (request.voter_directory_id[-1], request.listeners[0].port) == (7, 9)
    answer = AddRaftVoterResponse(throttle_time_ms=0, error_code=0, error_message=None)
    assert held.receives(answer).result is None
    assert talk(remove_raft_voter(call(), 3, ID)).asked[0][1].voter_id == 3
