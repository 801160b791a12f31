"""What a node asks about its own entry in the voter set crosses the wire whole."""

from __future__ import annotations

import pytest

from moldau.broker.quorum.effects import AskAddVoter, AskRemoveVoter, AskUpdateVoter
from moldau.broker.quorum.events import (
    AddVoterAsked,
    RemoveVoterAsked,
    UpdateVoterAsked,
    VoterChangeAnswered,
)
from moldau.broker.quorum.voters import ReplicaKey, Voter
from moldau.broker.runtime.quorum.incoming_voter_changes import addition_event, change_event
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.outgoing_voter_changes import answered, voter_change_request
from moldau.platform.ports.network import Address
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest, AddRaftVoterResponse
from moldau.protocol.messages.quorum.update_raft_voter import UpdateRaftVoterResponse
from moldau.protocol.wire.error_codes import ErrorCode

KEY = ReplicaKey(2, b"2" * 16)
VOTER = Voter(KEY, {"CONTROLLER": Address("host", 9093), "OTHER": Address("host", 9094)})
OWN = Identity(2, KEY.directory_id, "cluster")


def test_an_addition_does_not_wait_for_the_commit_that_may_need_the_new_voter():
    request = voter_change_request(AskAddVoter(1, 3, VOTER), OWN, 2000)
    assert isinstance(request, AddRaftVoterRequest)
    assert addition_event(request, 7, (0, 1)) == AddVoterAsked(7, VOTER, ack_when_committed=False)
    assert (request.cluster_id, request.timeout_ms) == ("cluster", 2000)


@pytest.mark.parametrize(
    ("effect", "event"),
    [
        (AskUpdateVoter(1, 3, VOTER), UpdateVoterAsked(7, VOTER, 3)),
        (AskRemoveVoter(1, 3, KEY), RemoveVoterAsked(7, KEY)),
    ],
)
def test_the_leader_reads_what_the_follower_meant(effect, event):
    request = voter_change_request(effect, OWN, 0)
    assert not isinstance(request, AddRaftVoterRequest)
    assert change_event(request, 7) == event


def test_an_answer_is_about_the_epoch_in_which_was_asked():
    updated = UpdateRaftVoterResponse(throttle_time_ms=0, error_code=0)
    assert answered(AskUpdateVoter(1, 3, VOTER), updated) == VoterChangeAnswered(
        3, True, ErrorCode.NONE
    )
    refused = AddRaftVoterResponse(throttle_time_ms=0, error_code=7, error_message=None)
    late = VoterChangeAnswered(3, False, ErrorCode.REQUEST_TIMED_OUT)
    assert answered(AskAddVoter(1, 3, VOTER), refused) == late
