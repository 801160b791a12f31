"""Requests that change who votes, as events, and their responses (KIP-853).

They are looked at in Kafka's order: whose cluster, which epoch, does this node lead, is the
request whole. Only then the state machine decides whether the change can be.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module

from moldau.broker.quorum.effects import Answer, AnswerFetch
from moldau.broker.quorum.events import (
    AddVoterAsked,
    Event,
    RemoveVoterAsked,
    Ticket,
    UpdateVoterAsked,
)
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.voter_changes import cannot_begin_to_add, leader_error
from moldau.broker.quorum.voters import ReplicaKey, Voter
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.outgoing_messages import Peers
from moldau.platform.ports.network import Address
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest, AddRaftVoterResponse
from moldau.protocol.messages.quorum.remove_raft_voter import (
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
)
from moldau.protocol.messages.quorum.update_raft_voter import (
    UpdateRaftVoterRequest,
    UpdateRaftVoterResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.uuids import uuid_text

KRAFT_LEVELS = "moldau.broker.runtime.quorum.kraft_levels"
"""Imported when the first voter is to be added."""
Refusal = tuple[ErrorCode, str]
Levels = tuple[int, int]
Change = AddRaftVoterRequest | RemoveRaftVoterRequest | UpdateRaftVoterRequest
Ask = Callable[[Callable[[Ticket], Event]], Awaitable[Answer | AnswerFetch]]
"""Gives the state machine an event, and waits for its verdict."""
NO_LEADER = -1


async def answer_change(
    request: Change, identity: Identity, node: QuorumNode, peers: Peers | None, ask: Ask
) -> Message:
    """The response, once it is decided."""
    reason = refusal(request, identity, node)
    if reason is not None:
        return refused(request, reason, node)
    if isinstance(request, AddRaftVoterRequest):
        return await _answer_addition(request, identity, node, peers, ask)
    verdict = await ask(lambda ticket: change_event(request, ticket))
    assert isinstance(verdict, Answer)
    return change_response(request, verdict, node)


async def _answer_addition(
    request: AddRaftVoterRequest,
    identity: Identity,
    node: QuorumNode,
    peers: Peers | None,
    ask: Ask,
) -> Message:
    """The node that is to vote is asked what it supports, so it has to be there to be added."""
    error = cannot_begin_to_add(node, key_of(request))
    if error is not None:
        return refused(request, (error, error.message), node)
    address = added_place(request, next(iter(identity.endpoints), None))
    asking = import_module(KRAFT_LEVELS).ask_kraft_levels
    levels = await asking(peers, address, node.settings.request_timeout_ms)
    if levels is None:
        reason = f"no controller at {address} reports which levels of kraft.version it supports"
        return refused(request, (ErrorCode.REQUEST_TIMED_OUT, reason), node)
    verdict = await ask(lambda ticket: addition_event(request, ticket, levels))
    assert isinstance(verdict, Answer)
    return change_response(request, verdict, node)


def refusal(request: Change, identity: Identity, node: QuorumNode) -> Refusal | None:
    """Why the request goes no further, whatever the voters are."""
    cluster_id = request.cluster_id
    if cluster_id is not None and cluster_id != identity.cluster_id:
        text = f"the request is for cluster {cluster_id!r}, and this is {identity.cluster_id!r}"
        return ErrorCode.INCONSISTENT_CLUSTER_ID, text
    epoch = node.epoch
    if isinstance(request, UpdateRaftVoterRequest):
        epoch = request.current_leader_epoch
    error = leader_error(node, epoch)
    if error is not None:
        return error, error.message
    reason = _not_whole(request, next(iter(identity.endpoints), None))
    return None if reason is None else (ErrorCode.INVALID_REQUEST, reason)


def _not_whole(request: Change, listener: str | None) -> str | None:
    """What the request lacks to name a voter; `listener` is the one that voters talk through."""
    if request.voter_id < 0 or request.voter_directory_id == NULL_UUID:
        return (
            f"{request.voter_id} with directory {uuid_text(request.voter_directory_id)} names no "
            "voter; give the id of a node and of its metadata directory"
        )
    if isinstance(request, RemoveRaftVoterRequest):
        return None
    if listener is not None and listener not in {end.name for end in request.listeners}:
        return f"voter {request.voter_id} has no endpoint for listener {listener}; name one"
    if isinstance(request, UpdateRaftVoterRequest):
        levels = request.kraft_version_feature
        if not 0 <= levels.min_supported_version <= levels.max_supported_version:
            return "the levels of kraft.version that the voter supports are no range"
    return None


def added_place(request: AddRaftVoterRequest, listener: str | None) -> Address:
    """Where the node listens that is to vote; the request has been found whole."""
    ends = {end.name: end for end in request.listeners}
    end = request.listeners[0] if listener is None else ends[listener]
    return Address(end.host, end.port)


def addition_event(request: AddRaftVoterRequest, ticket: Ticket, levels: Levels) -> Event:
    """What the request asks of the leader, now that it is known what the node supports."""
    return AddVoterAsked(
        ticket, Voter(key_of(request), _ends(request), *levels), request.ack_when_committed
    )


def key_of(request: Change) -> ReplicaKey:
    """Whom it is about."""
    return ReplicaKey(request.voter_id, request.voter_directory_id)


def _ends(request: AddRaftVoterRequest | UpdateRaftVoterRequest) -> dict[str, Address]:
    return {end.name: Address(end.host, end.port) for end in request.listeners}


def change_event(request: RemoveRaftVoterRequest | UpdateRaftVoterRequest, ticket: Ticket) -> Event:
    """The event for the state machine that the request asks for."""
    if isinstance(request, RemoveRaftVoterRequest):
        return RemoveVoterAsked(ticket, key_of(request))
    levels = request.kraft_version_feature
    low, high = levels.min_supported_version, levels.max_supported_version
    voter = Voter(key_of(request), _ends(request), low, high)
    return UpdateVoterAsked(ticket, voter, request.current_leader_epoch)


def refused(request: Change, reason: Refusal, node: QuorumNode) -> Message:
    """The response with this error."""
    error, text = reason
    return change_response(request, Answer(0, error, node.epoch, node.leader_id), node, text)


def change_response(
    request: Change, answer: Answer, node: QuorumNode, text: str | None = None
) -> Message:
    """The response with the outcome."""
    error = answer.error
    message = None if error is ErrorCode.NONE else text or error.message
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
        leader_id=NO_LEADER if answer.leader_id is None else answer.leader_id,
        leader_epoch=answer.epoch,
        host=host,
        port=port,
    )
