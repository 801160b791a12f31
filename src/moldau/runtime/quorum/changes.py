"""Requests that change who votes, as events, and their responses (KIP-853)."""

from __future__ import annotations

from moldau.messages.quorum.add_raft_voter import AddRaftVoterRequest, AddRaftVoterResponse
from moldau.messages.quorum.remove_raft_voter import (
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
)
from moldau.messages.quorum.update_raft_voter import (
    UpdateRaftVoterRequest,
    UpdateRaftVoterResponse,
)
from moldau.ports.network import Address
from moldau.quorum.effects import Answer
from moldau.quorum.events import (
    AddVoterAsked,
    Event,
    RemoveVoterAsked,
    Ticket,
    UpdateVoterAsked,
)
from moldau.quorum.node import QuorumNode
from moldau.quorum.voters import ReplicaKey, Voter
from moldau.wire.error_codes import ErrorCode
from moldau.wire.schema import Message

Change = AddRaftVoterRequest | RemoveRaftVoterRequest | UpdateRaftVoterRequest
NOBODY = -1


def change_event(request: Change, ticket: Ticket) -> Event:
    """What the request asks."""
    key = ReplicaKey(request.voter_id, request.voter_directory_id)
    if isinstance(request, RemoveRaftVoterRequest):
        return RemoveVoterAsked(ticket, key)
    endpoints = {end.name: Address(end.host, end.port) for end in request.listeners}
    if isinstance(request, AddRaftVoterRequest):
        return AddVoterAsked(ticket, Voter(key, endpoints), request.ack_when_committed)
    levels = request.kraft_version_feature
    voter = Voter(key, endpoints, levels.min_supported_version, levels.max_supported_version)
    return UpdateVoterAsked(ticket, voter, request.current_leader_epoch)


def change_response(request: Change, answer: Answer, node: QuorumNode) -> Message:
    """How it went."""
    error = answer.error
    message = None if error is ErrorCode.NONE else error.says
    if isinstance(request, AddRaftVoterRequest):
        return AddRaftVoterResponse(throttle_time_ms=0, error_code=error, error_message=message)
    if isinstance(request, RemoveRaftVoterRequest):
        return RemoveRaftVoterResponse(throttle_time_ms=0, error_code=error, error_message=message)
    return UpdateRaftVoterResponse(
        throttle_time_ms=0, error_code=error, current_leader=_current_leader(answer, node)
    )


def _current_leader(answer: Answer, node: QuorumNode) -> UpdateRaftVoterResponse.CurrentLeader:
    leader = None if answer.leader_id is None else node.voters.get(answer.leader_id)
    places = [] if leader is None else list(leader.endpoints.values())
    host, port = places[0] if places else ("", 0)
    return UpdateRaftVoterResponse.CurrentLeader(
        leader_id=NOBODY if answer.leader_id is None else answer.leader_id,
        leader_epoch=answer.epoch,
        host=host,
        port=port,
    )
