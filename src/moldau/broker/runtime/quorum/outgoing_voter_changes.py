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

__all__ = ["VoterChangeEffect", "VoterChangeResponse", "answered", "voter_change_request"]

VoterChangeEffect = AskAddVoter | AskRemoveVoter | AskUpdateVoter
VoterChangeResponse = AddRaftVoterResponse | RemoveRaftVoterResponse | UpdateRaftVoterResponse


def voter_change_request(
    effect: VoterChangeEffect, identity: Identity, timeout_ms: int
) -> AddRaftVoterRequest | RemoveRaftVoterRequest | UpdateRaftVoterRequest:
    """The request that asks this."""
    match effect:
        case AskAddVoter():
            return _addition(effect, identity, timeout_ms)
        case AskUpdateVoter():
            return _update(effect, identity)
        case AskRemoveVoter():
            return RemoveRaftVoterRequest(
                cluster_id=identity.cluster_id,
                voter_id=effect.key.node_id,
                voter_directory_id=effect.key.directory_id,
            )


def _addition(effect: AskAddVoter, identity: Identity, timeout_ms: int) -> AddRaftVoterRequest:
    """Answered when it is appended: its commit may need this very node (KIP-1186)."""
    key, endpoints = effect.voter.key, effect.voter.endpoints
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


def _update(effect: AskUpdateVoter, identity: Identity) -> UpdateRaftVoterRequest:
    voter = effect.voter
    return UpdateRaftVoterRequest(
        cluster_id=identity.cluster_id,
        current_leader_epoch=effect.epoch,
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


def answered(effect: VoterChangeEffect, response: VoterChangeResponse) -> VoterChangeAnswered:
    """The event for the state machine that this answer is."""
    is_update = isinstance(effect, AskUpdateVoter)
    return VoterChangeAnswered(effect.epoch, is_update, ErrorCode.read(response.error_code))
