"""What a member of the quorum asks others: effects become requests, responses become events."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Protocol

from moldau.broker.quorum.effects import (
    Announce,
    AskAddVoter,
    AskRemoveVoter,
    AskUpdateVoter,
    AskVote,
    EndQuorumEpoch,
    Fetch,
    FetchSnapshot,
)
from moldau.broker.quorum.events import Event, FetchAnswered, VoteAnswered, VoterAnswered
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.runtime.quorum.membership import Identity
from moldau.errors import KafkaError, MoldauError
from moldau.network.outgoing.traffic import Traffic
from moldau.platform.ports.network import Address
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterResponse
from moldau.protocol.messages.quorum.begin_quorum_epoch import (
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
)
from moldau.protocol.messages.quorum.end_quorum_epoch import (
    EndQuorumEpochRequest,
    EndQuorumEpochResponse,
)
from moldau.protocol.messages.quorum.fetch_snapshot import FetchSnapshotRequest
from moldau.protocol.messages.quorum.remove_raft_voter import RemoveRaftVoterResponse
from moldau.protocol.messages.quorum.update_raft_voter import UpdateRaftVoterResponse
from moldau.protocol.messages.quorum.vote import VoteRequest, VoteResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.uuids import METADATA_TOPIC_ID

TOPIC = "__cluster_metadata"
STANDING = "moldau.broker.runtime.quorum.outgoing_voter_changes"
"""Imported when there is something to ask for."""
FETCH_WAIT_MS = 500
"""How long the leader may hold a fetch that finds nothing."""

RequestEffect = (
    AskVote | Announce | EndQuorumEpoch | Fetch | AskAddVoter | AskRemoveVoter | AskUpdateVoter
)


class Peers(Protocol):
    """A way to the other controllers."""

    @property
    def traffic(self) -> Traffic:
        """What went both ways, since the start."""
        ...

    async def ask(self, address: Address, request: Message, timeout_ms: int) -> Message:
        """Its answer, or `NetworkError`, `TimeoutError`, or `KafkaError` for an unknown version."""
        ...


def request_for(
    effect: RequestEffect, identity: Identity, max_bytes: int, timeout_ms: int
) -> Message:
    """The request that asks this."""
    match effect:
        case AskVote():
            return _vote(effect, identity)
        case Announce():
            return _announcement(effect, identity)
        case EndQuorumEpoch():
            return _end_quorum_epoch(effect, identity)
        case Fetch():
            return _fetch(effect, identity, max_bytes)
        case _:
            request: Message = import_module(STANDING).voter_change_request(
                effect, identity, timeout_ms
            )
            return request


def _vote(effect: AskVote, identity: Identity) -> VoteRequest:
    partition = VoteRequest.TopicData.PartitionData(
        partition_index=0,
        replica_epoch=effect.epoch,
        replica_id=identity.node_id,
        replica_directory_id=identity.directory_id,
        voter_directory_id=effect.to.directory_id,
        last_offset_epoch=effect.log_end.epoch,
        last_offset=effect.log_end.offset,
        pre_vote=effect.pre_vote,
    )
    return VoteRequest(
        cluster_id=identity.cluster_id,
        voter_id=effect.to.node_id,
        topics=[VoteRequest.TopicData(topic_name=TOPIC, partitions=[partition])],
    )


def _announcement(effect: Announce, identity: Identity) -> BeginQuorumEpochRequest:
    partition = BeginQuorumEpochRequest.TopicData.PartitionData(
        partition_index=0,
        voter_directory_id=effect.to.directory_id,
        leader_id=identity.node_id,
        leader_epoch=effect.epoch,
    )
    return BeginQuorumEpochRequest(
        cluster_id=identity.cluster_id,
        voter_id=effect.to.node_id,
        topics=[BeginQuorumEpochRequest.TopicData(topic_name=TOPIC, partitions=[partition])],
        leader_endpoints=[
            BeginQuorumEpochRequest.LeaderEndpoint(name=name, host=host, port=port)
            for name, (host, port) in identity.endpoints.items()
        ],
    )


def _end_quorum_epoch(effect: EndQuorumEpoch, identity: Identity) -> EndQuorumEpochRequest:
    partition_class = EndQuorumEpochRequest.TopicData.PartitionData
    partition = partition_class(
        partition_index=0,
        leader_id=identity.node_id,
        leader_epoch=effect.epoch,
        preferred_successors=[key.node_id for key in effect.successors],
        preferred_candidates=[
            partition_class.ReplicaInfo(
                candidate_id=key.node_id, candidate_directory_id=key.directory_id
            )
            for key in effect.successors
        ],
    )
    return EndQuorumEpochRequest(
        cluster_id=identity.cluster_id,
        topics=[EndQuorumEpochRequest.TopicData(topic_name=TOPIC, partitions=[partition])],
        leader_endpoints=[
            EndQuorumEpochRequest.LeaderEndpoint(name=name, host=host, port=port)
            for name, (host, port) in identity.endpoints.items()
        ],
    )


def _fetch(effect: Fetch, identity: Identity, max_bytes: int) -> FetchRequest:
    partition = FetchRequest.FetchTopic.FetchPartition(
        partition=0,
        current_leader_epoch=effect.epoch,
        fetch_offset=effect.log_end.offset,
        last_fetched_epoch=effect.log_end.epoch,
        log_start_offset=-1,
        partition_max_bytes=max_bytes,
        replica_directory_id=identity.directory_id,
        high_watermark=effect.high_watermark,
    )
    topic = FetchRequest.FetchTopic(topic=TOPIC, topic_id=METADATA_TOPIC_ID, partitions=[partition])
    return FetchRequest(
        cluster_id=identity.cluster_id,
        replica_state=FetchRequest.ReplicaState(replica_id=identity.node_id),
        max_wait_ms=FETCH_WAIT_MS,
        min_bytes=0,
        max_bytes=max_bytes,
        topics=[topic],
        forgotten_topics_data=[],
    )


def snapshot_request(
    effect: FetchSnapshot, identity: Identity, position: int, max_bytes: int
) -> FetchSnapshotRequest:
    """The request for one piece of a snapshot."""
    partition_class = FetchSnapshotRequest.TopicSnapshot.PartitionSnapshot
    partition = partition_class(
        partition=0,
        current_leader_epoch=effect.epoch,
        snapshot_id=partition_class.SnapshotId(
            end_offset=effect.snapshot.end_offset, epoch=effect.snapshot.epoch
        ),
        position=position,
        replica_directory_id=identity.directory_id,
    )
    return FetchSnapshotRequest(
        cluster_id=identity.cluster_id,
        replica_id=identity.node_id,
        max_bytes=max_bytes,
        topics=[FetchSnapshotRequest.TopicSnapshot(name=TOPIC, partitions=[partition])],
    )


def event_from(effect: RequestEffect, from_id: int, response: Message) -> Event | None:
    """What this answer means; None where it is no use."""
    match response:
        case VoteResponse() if isinstance(effect, AskVote):
            return _voted(effect, from_id, response)
        case BeginQuorumEpochResponse() | EndQuorumEpochResponse():
            return _noticed(from_id, response)
        case FetchResponse() if isinstance(effect, Fetch):
            return _fetched(effect, from_id, response)
        case AddRaftVoterResponse() | RemoveRaftVoterResponse() | UpdateRaftVoterResponse():
            event: Event = import_module(STANDING).answered(effect, response)
            return event
        case _:
            return None


def refusal_of(response: Message) -> str | None:
    """Why the other node refuses the whole request; None where it does not."""
    code = ErrorCode.read(getattr(response, "error_code", ErrorCode.NONE))
    if code is ErrorCode.INCONSISTENT_CLUSTER_ID:
        return "it belongs to another cluster; compare cluster.id in meta.properties there and here"
    return None if code is ErrorCode.NONE else code.message.removesuffix(".")


def event_from_refusal(effect: RequestEffect, error: MoldauError) -> Event | None:
    """An old voter does not know pre-votes, and counts as granted."""
    unsupported = isinstance(error, KafkaError) and error.code == ErrorCode.UNSUPPORTED_VERSION
    if unsupported and isinstance(effect, AskVote) and effect.pre_vote:
        epoch = effect.epoch
        return VoteAnswered(effect.to.node_id, True, epoch, epoch, None, False, False)
    return None


def _voted(effect: AskVote, from_id: int, response: VoteResponse) -> Event | None:
    if response.error_code or not response.topics:
        return None
    partition = response.topics[0].partitions[0]
    return VoteAnswered(
        from_id,
        effect.pre_vote,
        effect.epoch,
        partition.leader_epoch,
        known(partition.leader_id),
        partition.vote_granted,
    )


def _noticed(
    from_id: int, response: BeginQuorumEpochResponse | EndQuorumEpochResponse
) -> Event | None:
    if response.error_code or not response.topics:
        return None
    partition = response.topics[0].partitions[0]
    accepted = partition.error_code == ErrorCode.NONE
    leader_id = known(partition.leader_id)
    return VoterAnswered(from_id, partition.leader_epoch, leader_id, accepted)


def _fetched(effect: Fetch, from_id: int, response: FetchResponse) -> Event | None:
    if response.error_code or not response.responses:
        return None
    partition = response.responses[0].partitions[0]
    diverging, snapshot = partition.diverging_epoch, partition.snapshot_id
    return FetchAnswered(
        from_id=from_id,
        asked=effect.log_end,
        number=effect.number,
        epoch=partition.current_leader.leader_epoch,
        leader_id=known(partition.current_leader.leader_id),
        succeeded=partition.error_code == ErrorCode.NONE,
        high_watermark=partition.high_watermark,
        diverging=None if diverging.epoch < 0 else LogEnd(diverging.epoch, diverging.end_offset),
        snapshot=None if snapshot.epoch < 0 else SnapshotId(snapshot.end_offset, snapshot.epoch),
        records=partition.records,
    )


def known(node_id: int) -> int | None:
    """On the wire -1 stands for no node."""
    return None if node_id < 0 else node_id


Post = Callable[[Event], None]
