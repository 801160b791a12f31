"""Requests that change the voters."""

from __future__ import annotations

from random import Random

from moldau.broker.controller.decision import Call
from moldau.broker.quorum.events import AddVoterAsked, RemoveVoterAsked, Started, UpdateVoterAsked
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.voters import ReplicaKey, Voter, VoterHistory, VoterSet
from moldau.broker.runtime.quorum.incoming_voter_changes import (
    addition_event,
    change_event,
    refusal,
)
from moldau.broker.runtime.quorum.membership import Identity
from moldau.platform.ports.network import Address
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest
from moldau.protocol.messages.quorum.remove_raft_voter import RemoveRaftVoterRequest
from moldau.protocol.messages.quorum.update_raft_voter import UpdateRaftVoterRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.runtime.quorum_world import OneNode
from tests.simulation.quorum_log import MemoryLog

DISK = b"2" * 16
KEY = ReplicaKey(2, DISK)
PLACE = {"CONTROLLER": Address("host", 9093)}
VOTERS = VoterSet([Voter(ReplicaKey(1), PLACE)])


def addition(listener_name="CONTROLLER", **fields):
    listener = AddRaftVoterRequest.Listener(name=listener_name, host="host", port=9093)
    return AddRaftVoterRequest(
        cluster_id=fields.pop("cluster_id", "cluster"),
        timeout_ms=0,
        voter_id=2,
        voter_directory_id=fields.pop("directory_id", DISK),
        listeners=[listener],
        **fields,
    )


def update(epoch=1, levels=(0, 1), node_id=2):
    return UpdateRaftVoterRequest(
        cluster_id="cluster",
        current_leader_epoch=epoch,
        voter_id=node_id,
        voter_directory_id=DISK,
        listeners=[UpdateRaftVoterRequest.Listener(name="CONTROLLER", host="host", port=9093)],
        kraft_version_feature=UpdateRaftVoterRequest.KRaftVersionFeature(
            min_supported_version=levels[0], max_supported_version=levels[1]
        ),
    )


def removal(node_id=2, directory_id=DISK):
    return RemoveRaftVoterRequest(
        cluster_id=None, voter_id=node_id, voter_directory_id=directory_id
    )


def refused(request):
    """What a leader in epoch 1 says before it looks at its voters."""
    node = QuorumNode(ReplicaKey(1), MemoryLog(), VoterHistory(VOTERS), Random(1))
    node.step(Started(), 0)
    assert node.epoch == 1
    reason = refusal(request, Identity(1, bytes(16), "cluster", PLACE), node)
    return None if reason is None else reason[0]


def test_each_request_is_its_event():
    voter = Voter(KEY, PLACE)
    assert addition_event(addition(), 7, (0, 1)) == AddVoterAsked(7, voter)
    without_waiting = AddVoterAsked(7, voter, ack_when_committed=False)
    assert addition_event(addition(ack_when_committed=False), 7, (0, 1)) == without_waiting
    assert change_event(removal(), 7) == RemoveVoterAsked(7, KEY)
    assert change_event(update(), 7) == UpdateVoterAsked(7, voter, 1)


def test_configured_voters_cannot_be_changed_and_the_answer_says_so():
    async def scene(quorum, tasks):
        return [await quorum.answer(one, Call(0)) for one in (addition(), removal(), update())]

    added, removed, updated = OneNode().run(scene)
    unsupported = ErrorCode.UNSUPPORTED_VERSION
    assert [one.error_code for one in (added, removed)] == [unsupported] * 2
    assert updated.error_code == ErrorCode.VOTER_NOT_FOUND
    assert added.error_message == unsupported.message
    leader = updated.current_leader
    assert (leader.leader_id, leader.host, leader.port) == (1, "localhost", 9093)


def test_a_request_that_names_no_voter_is_invalid_for_all_voters():
    no_voter = bytes(16)
    requests = [removal(directory_id=no_voter), removal(-1), addition(directory_id=no_voter)]
    requests += [addition("ANOTHER"), update(levels=(1, 0)), update(levels=(-1, 1)), update(-1)]
    invalid = ErrorCode.INVALID_REQUEST
    fenced = ErrorCode.FENCED_LEADER_EPOCH
    assert [refused(one) for one in requests] == [invalid] * 6 + [fenced]
    assert [refused(one) for one in (removal(), addition(), update())] == [None] * 3


def test_the_cluster_is_looked_at_before_the_epoch_and_that_before_the_voter():
    other = update(9, node_id=-1)
    assert refused(other) is ErrorCode.UNKNOWN_LEADER_EPOCH
    other.cluster_id = "other"
    assert refused(other) is ErrorCode.INCONSISTENT_CLUSTER_ID


def test_another_clusters_changes_are_refused():
    async def scene(quorum, tasks):
        return (await quorum.answer(addition(cluster_id="other"), Call(0))).error_code

    assert OneNode().run(scene) == ErrorCode.INCONSISTENT_CLUSTER_ID
