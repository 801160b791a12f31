"""Requests that change the voters."""

from __future__ import annotations

from moldau.messages.quorum.add_raft_voter import AddRaftVoterRequest
from moldau.messages.quorum.remove_raft_voter import RemoveRaftVoterRequest
from moldau.messages.quorum.update_raft_voter import UpdateRaftVoterRequest
from moldau.ports.network import Address
from moldau.quorum.events import AddVoterAsked, RemoveVoterAsked, UpdateVoterAsked
from moldau.quorum.voters import ReplicaKey, Voter
from moldau.runtime.quorum.changes import change_event
from moldau.wire.error_codes import ErrorCode
from tests.runtime.quorum_world import OneNode

DISK = b"2" * 16
KEY = ReplicaKey(2, DISK)
PLACE = {"CONTROLLER": Address("host", 9093)}


def addition(**fields):
    listener = AddRaftVoterRequest.Listener(name="CONTROLLER", host="host", port=9093)
    return AddRaftVoterRequest(
        cluster_id=fields.pop("cluster_id", "cluster"),
        timeout_ms=0,
        voter_id=2,
        voter_directory_id=DISK,
        listeners=[listener],
        **fields,
    )


def update():
    return UpdateRaftVoterRequest(
        cluster_id="cluster",
        current_leader_epoch=1,
        voter_id=2,
        voter_directory_id=DISK,
        listeners=[UpdateRaftVoterRequest.Listener(name="CONTROLLER", host="host", port=9093)],
        kraft_version_feature=UpdateRaftVoterRequest.KRaftVersionFeature(
            min_supported_version=0, max_supported_version=1
        ),
    )


def removal():
    return RemoveRaftVoterRequest(cluster_id=None, voter_id=2, voter_directory_id=DISK)


def test_each_request_is_its_event():
    voter = Voter(KEY, PLACE)
    assert change_event(addition(), 7) == AddVoterAsked(7, voter)
    without_waiting = AddVoterAsked(7, voter, ack_when_committed=False)
    assert change_event(addition(ack_when_committed=False), 7) == without_waiting
    assert change_event(removal(), 7) == RemoveVoterAsked(7, KEY)
    assert change_event(update(), 7) == UpdateVoterAsked(7, voter, 1)


def test_configured_voters_cannot_be_changed_and_the_answer_says_so():
    async def scene(quorum, tasks):
        return [await quorum.answer(one, 0) for one in (addition(), removal(), update())]

    added, removed, updated = OneNode().play(scene)
    unsupported = ErrorCode.UNSUPPORTED_VERSION
    assert [one.error_code for one in (added, removed, updated)] == [unsupported] * 3
    assert added.error_message == unsupported.says
    leader = updated.current_leader
    assert (leader.leader_id, leader.host, leader.port) == (1, "localhost", 9093)


def test_another_clusters_changes_are_refused():
    async def scene(quorum, tasks):
        return (await quorum.answer(addition(cluster_id="other"), 0)).error_code

    assert OneNode().play(scene) == ErrorCode.INCONSISTENT_CLUSTER_ID
