"""Where the members of the quorum listen."""

from __future__ import annotations

from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterSet
from moldau.broker.runtime.quorum.places import Places
from moldau.platform.ports.network import Address
from moldau.protocol.messages.quorum.begin_quorum_epoch import BeginQuorumEpochRequest
from moldau.protocol.messages.quorum.vote import VoteResponse

INSIDE, OUTSIDE = Address("in", 1), Address("out", 2)
VOTERS = VoterSet([Voter(ReplicaKey(1), {"A": OUTSIDE, "B": INSIDE}), Voter(ReplicaKey(2))])
Begun = BeginQuorumEpochRequest


def begun(leader_id: int, **ends: Address) -> BeginQuorumEpochRequest:
    part = Begun.TopicData.PartitionData(
        partition_index=0, leader_id=leader_id, leader_epoch=3, voter_directory_id=bytes(16)
    )
    return Begun(
        topics=[Begun.TopicData(topic_name="__cluster_metadata", partitions=[part])],
        leader_endpoints=[
            Begun.LeaderEndpoint(name=name, host=host, port=port)
            for name, (host, port) in ends.items()
        ],
    )


def test_the_preferred_listener_is_taken_and_any_other_where_it_is_not_there():
    assert Places("B").of(1, VOTERS) == INSIDE
    assert Places("C").of(1, VOTERS) == OUTSIDE
    assert Places(None).of(1, VOTERS) == OUTSIDE


def test_who_is_not_placed_by_the_voter_set_is_where_it_registered():
    places = Places("B")
    assert places.of(2, VOTERS) is None
    places.note_announced(begun(2, A=OUTSIDE, B=INSIDE))
    assert places.of(2, VOTERS) == INSIDE
    places.note_announced(begun(7, A=OUTSIDE))
    assert places.of(7, VOTERS) == OUTSIDE


def test_who_is_named_beside_an_answer_is_there():
    places = Places("B")
    end = VoteResponse.NodeEndpoint(node_id=9, host="in", port=1)
    places.note_answer(VoteResponse(error_code=0, topics=[], node_endpoints=[end]))
    assert places.of(9, VOTERS) == INSIDE


def test_strangers_do_not_fill_the_memory():
    places = Places("B")
    for node_id in range(2_000):
        places.note_announced(begun(node_id, B=INSIDE))
    assert places.of(999, VOTERS) == INSIDE
    assert places.of(1_999, VOTERS) is None
