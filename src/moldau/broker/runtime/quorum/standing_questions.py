"""What a node asks its leader about its own entry in the voter set, as requests (KIP-853)."""

from __future__ import annotations

from moldau.broker.quorum.effects import AskAddVoter, AskRemoveVoter, AskUpdateVoter
from moldau.broker.quorum.events import VoterChangeAnswered
from moldau.broker.runtime.quorum.membership import Identity
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

__all__ = ["StandingQuestion", "StandingResponse", "answered", "standing_request"]

StandingQuestion = AskAddVoter | AskRemoveVoter | AskUpdateVoter
StandingResponse = AddRaftVoterResponse | RemoveRaftVoterResponse | UpdateRaftVoterResponse


def standing_request(
    question: StandingQuestion, identity: Identity, timeout_ms: int
) -> AddRaftVoterRequest | RemoveRaftVoterRequest | UpdateRaftVoterRequest:
    """The request that asks this."""
    match question:
        case AskAddVoter():
            return _addition(question, identity, timeout_ms)
        case AskUpdateVoter():
            return _update(question, identity)
        case AskRemoveVoter():
            return RemoveRaftVoterRequest(
                cluster_id=identity.cluster_id,
                voter_id=question.key.node_id,
                voter_directory_id=question.key.directory_id,
            )


def _addition(question: AskAddVoter, identity: Identity, timeout_ms: int) -> AddRaftVoterRequest:
    """Answered when it is appended: its commit may need this very node (KIP-1186)."""
    key, endpoints = question.voter.key, question.voter.endpoints
    return AddRaftVoterRequest(
        cluster_id=identity.cluster_id,
        timeout_ms=timeout_ms,
        voter_id=key.node_id,
        voter_directory_id=key.directory_id,
        listeners=[
            AddRaftVoterRequest.Listener(name=name, host=host, port=port)
            for name, (host, port) in endpoints.items()
        ],
        ack_when_committed=False,
    )


def _update(question: AskUpdateVoter, identity: Identity) -> UpdateRaftVoterRequest:
    voter = question.voter
    return UpdateRaftVoterRequest(
        cluster_id=identity.cluster_id,
        current_leader_epoch=question.epoch,
        voter_id=voter.key.node_id,
        voter_directory_id=voter.key.directory_id,
        listeners=[
            UpdateRaftVoterRequest.Listener(name=name, host=host, port=port)
            for name, (host, port) in voter.endpoints.items()
        ],
        kraft_version_feature=UpdateRaftVoterRequest.KRaftVersionFeature(
            min_supported_version=voter.kraft_version_min,
            max_supported_version=voter.kraft_version_max,
        ),
    )


def answered(question: StandingQuestion, response: StandingResponse) -> VoterChangeAnswered:
    """What this answer means."""
    is_update = isinstance(question, AskUpdateVoter)
    return VoterChangeAnswered(question.epoch, is_update, ErrorCode.read(response.error_code))
