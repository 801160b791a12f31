"""Votes, epochs, fetches and snapshots between members: requests as events, verdicts as responses.

Everything is about `__cluster_metadata-0`. A request meant for another cluster is refused as a
whole, one about another partition is not valid.
"""

from __future__ import annotations

from moldau.broker.quorum.effects import Answer, AnswerFetch
from moldau.broker.quorum.events import (
    Event,
    FetchRequested,
    LeaderAnnounced,
    LeaderResigned,
    SnapshotRequested,
    Ticket,
    VoteRequested,
)
from moldau.broker.quorum.log_view import LogEnd, SnapshotId
from moldau.broker.quorum.node import QuorumNode
from moldau.broker.quorum.roles import Leader
from moldau.broker.quorum.voters import ReplicaKey
from moldau.broker.runtime.quorum.membership import Identity
from moldau.broker.runtime.quorum.metadata_log import MetadataLog
from moldau.protocol.messages.data.fetch import FetchRequest, FetchResponse
from moldau.protocol.messages.quorum.begin_quorum_epoch import (
    BeginQuorumEpochRequest,
    BeginQuorumEpochResponse,
)
from moldau.protocol.messages.quorum.end_quorum_epoch import (
    EndQuorumEpochRequest,
    EndQuorumEpochResponse,
)
from moldau.protocol.messages.quorum.fetch_snapshot import (
    FetchSnapshotRequest,
    FetchSnapshotResponse,
)
from moldau.protocol.messages.quorum.vote import VoteRequest, VoteResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message
from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.uuids import METADATA_TOPIC_ID

TOPIC = "__cluster_metadata"
NO_VOTER_ID = -1
FETCH_WITH_IDS = 13
"""From this version of Fetch on, topics are named by their ids."""
FETCH_WITH_REPLICA_STATE = 15
FETCH_OF_REPLICAS = 12
"""From this version on a fetch gets the leader, where logs diverge, and snapshots."""

MemberRequest = VoteRequest | BeginQuorumEpochRequest | EndQuorumEpochRequest
FetchedPartition = FetchResponse.FetchableTopicResponse.PartitionData


def refusal(request: MemberRequest, identity: Identity) -> ErrorCode | None:
    """Why the request as a whole is not for this node."""
    if request.cluster_id is not None and request.cluster_id != identity.cluster_id:
        return ErrorCode.INCONSISTENT_CLUSTER_ID
    names = [topic.topic_name for topic in request.topics]
    indexes = [part.partition_index for topic in request.topics for part in topic.partitions]
    return None if (names, indexes) == ([TOPIC], [0]) else ErrorCode.INVALID_REQUEST


def refused(request: MemberRequest, error: ErrorCode) -> Message:
    """The response with this error."""
    match request:
        case VoteRequest():
            return VoteResponse(error_code=error, topics=[])
        case BeginQuorumEpochRequest():
            return BeginQuorumEpochResponse(error_code=error, topics=[])
        case EndQuorumEpochRequest():
            return EndQuorumEpochResponse(error_code=error, topics=[])


def event_of(request: MemberRequest, ticket: Ticket) -> Event:
    """What the request means to the state machine."""
    match request:
        case VoteRequest():
            return _vote_requested(request, ticket)
        case BeginQuorumEpochRequest():
            announced = request.topics[0].partitions[0]
            asked = _asked(request.voter_id, announced.voter_directory_id)
            return LeaderAnnounced(ticket, announced.leader_id, announced.leader_epoch, asked)
        case EndQuorumEpochRequest():
            resigned = request.topics[0].partitions[0]
            candidates = [one.candidate_id for one in resigned.preferred_candidates]
            successors = tuple(candidates or resigned.preferred_successors)
            return LeaderResigned(ticket, resigned.leader_id, resigned.leader_epoch, successors)


def _vote_requested(request: VoteRequest, ticket: Ticket) -> VoteRequested:
    partition = request.topics[0].partitions[0]
    return VoteRequested(
        ticket,
        ReplicaKey(partition.replica_id, partition.replica_directory_id),
        partition.replica_epoch,
        LogEnd(partition.last_offset_epoch, partition.last_offset),
        partition.pre_vote,
        _asked(request.voter_id, partition.voter_directory_id),
    )


def _asked(voter_id: int, directory_id: bytes) -> ReplicaKey | None:
    return None if voter_id == NO_VOTER_ID else ReplicaKey(voter_id, directory_id)


def member_response(request: MemberRequest, answer: Answer) -> Message:
    """The verdict of the state machine on the wire."""
    leader_id = NO_VOTER_ID if answer.leader_id is None else answer.leader_id
    match request:
        case VoteRequest():
            voted = VoteResponse.TopicData.PartitionData(
                partition_index=0,
                error_code=answer.error,
                leader_id=leader_id,
                leader_epoch=answer.epoch,
                vote_granted=answer.granted,
            )
            vote = VoteResponse.TopicData(topic_name=TOPIC, partitions=[voted])
            return VoteResponse(error_code=ErrorCode.NONE, topics=[vote])
        case BeginQuorumEpochRequest():
            begun = BeginQuorumEpochResponse.TopicData.PartitionData(
                partition_index=0,
                error_code=answer.error,
                leader_id=leader_id,
                leader_epoch=answer.epoch,
            )
            begin = BeginQuorumEpochResponse.TopicData(topic_name=TOPIC, partitions=[begun])
            return BeginQuorumEpochResponse(error_code=ErrorCode.NONE, topics=[begin])
        case EndQuorumEpochRequest():
            ended = EndQuorumEpochResponse.TopicData.PartitionData(
                partition_index=0,
                error_code=answer.error,
                leader_id=leader_id,
                leader_epoch=answer.epoch,
            )
            end = EndQuorumEpochResponse.TopicData(topic_name=TOPIC, partitions=[ended])
            return EndQuorumEpochResponse(error_code=ErrorCode.NONE, topics=[end])


# Fetches.


def fetch_refusal(request: FetchRequest, identity: Identity, version: int) -> ErrorCode | None:
    """Why the fetch as a whole is not for this node's metadata log."""
    if request.cluster_id is not None and request.cluster_id != identity.cluster_id:
        return ErrorCode.INCONSISTENT_CLUSTER_ID
    topics = request.topics
    if len(topics) != 1 or [part.partition for part in topics[0].partitions] != [0]:
        return ErrorCode.INVALID_REQUEST
    by_id = version >= FETCH_WITH_IDS
    named = topics[0].topic_id == METADATA_TOPIC_ID if by_id else topics[0].topic == TOPIC
    return None if named else ErrorCode.INVALID_REQUEST


def fetch_refused(error: ErrorCode) -> FetchResponse:
    return FetchResponse(error_code=error, responses=[])


def fetch_event(request: FetchRequest, ticket: Ticket, version: int) -> FetchRequested:
    """What the fetch has of its sender."""
    partition = request.topics[0].partitions[0]
    by_state = version >= FETCH_WITH_REPLICA_STATE
    replica_id = request.replica_state.replica_id if by_state else request.replica_id
    return FetchRequested(
        ticket,
        ReplicaKey(replica_id, partition.replica_directory_id or NULL_UUID),
        partition.current_leader_epoch,
        partition.fetch_offset,
        partition.last_fetched_epoch,
    )


def finds_nothing(
    request: FetchRequest, verdict: AnswerFetch, node: QuorumNode, log: MetadataLog
) -> bool:
    """Whether the answer should wait: no news in the log, and none about what is committed.

    That a NoOpRecord is committed is none. Replicas get it with the next record, half a second
    later; an idle quorum would have twice the requests otherwise.
    """
    partition = request.topics[0].partitions[0]
    return (
        verdict.error is ErrorCode.NONE
        and verdict.diverging is None
        and verdict.snapshot is None
        and request.max_wait_ms > 0
        and partition.fetch_offset >= log.end.offset
        and min(node.high_watermark, log.news_end) <= partition.high_watermark
    )


def fetch_response(
    request: FetchRequest, version: int, verdict: AnswerFetch, node: QuorumNode, log: MetadataLog
) -> FetchResponse:
    """What the replica gets: of now, for it may have waited since the verdict."""
    partition = request.topics[0].partitions[0]
    answer = FetchedPartition(
        partition_index=0, error_code=verdict.error, high_watermark=-1, records=b""
    )
    answer.aborted_transactions = None
    answer.current_leader = FetchedPartition.LeaderIdAndEpoch(
        leader_id=NO_VOTER_ID if node.leader_id is None else node.leader_id, leader_epoch=node.epoch
    )
    if verdict.error is ErrorCode.NONE and not _still_leads(node, verdict.epoch):
        answer.error_code = ErrorCode.NOT_LEADER_OR_FOLLOWER
    elif verdict.error is ErrorCode.NONE:
        _fill(answer, partition, verdict, node, log)
    if version < FETCH_OF_REPLICAS:
        answer = _in_old_terms(answer)
    topic = FetchResponse.FetchableTopicResponse(
        topic=TOPIC, topic_id=METADATA_TOPIC_ID, partitions=[answer]
    )
    return FetchResponse(error_code=ErrorCode.NONE, responses=[topic])


def _in_old_terms(answer: FetchedPartition) -> FetchedPartition:
    """Without what only replicas of today understand: a request like this is of none."""
    answer = FetchedPartition(
        partition_index=answer.partition_index,
        error_code=answer.error_code,
        high_watermark=answer.high_watermark,
        log_start_offset=answer.log_start_offset,
        records=answer.records,
    )
    answer.aborted_transactions = None
    return answer


def _still_leads(node: QuorumNode, epoch: int) -> bool:
    return isinstance(node.role, Leader) and node.epoch == epoch


def _fill(
    answer: FetchedPartition,
    asked: FetchRequest.FetchTopic.FetchPartition,
    verdict: AnswerFetch,
    node: QuorumNode,
    log: MetadataLog,
) -> None:
    answer.high_watermark = node.high_watermark
    answer.log_start_offset = log.start_offset
    if verdict.snapshot is not None:
        answer.snapshot_id = FetchedPartition.SnapshotId(
            end_offset=verdict.snapshot.end_offset, epoch=verdict.snapshot.epoch
        )
    elif verdict.diverging is not None:
        answer.diverging_epoch = FetchedPartition.EpochEndOffset(
            epoch=verdict.diverging.epoch, end_offset=verdict.diverging.offset
        )
    elif log.start_offset <= asked.fetch_offset < log.end.offset:
        answer.records = log.read(asked.fetch_offset, asked.partition_max_bytes).read()


# Snapshots.


def snapshot_response(
    request: FetchSnapshotRequest, identity: Identity, node: QuorumNode, log: MetadataLog
) -> FetchSnapshotResponse:
    """A piece of a snapshot."""
    if request.cluster_id is not None and request.cluster_id != identity.cluster_id:
        return FetchSnapshotResponse(error_code=ErrorCode.INCONSISTENT_CLUSTER_ID, topics=[])
    if not _asks_for_a_piece(request):
        return FetchSnapshotResponse(error_code=ErrorCode.INVALID_REQUEST, topics=[])
    topics = [
        FetchSnapshotResponse.TopicSnapshot(
            name=topic.name,
            partitions=[
                _piece(topic.name, partition, request.max_bytes, node, log)
                for partition in topic.partitions
            ],
        )
        for topic in request.topics
    ]
    return FetchSnapshotResponse(error_code=ErrorCode.NONE, topics=topics)


def snapshot_event(
    request: FetchSnapshotRequest, response: FetchSnapshotResponse
) -> SnapshotRequested | None:
    """That a replica is loading; None where it got no piece."""
    if response.error_code or response.topics[0].partitions[0].error_code:
        return None
    asked = request.topics[0].partitions[0]
    replica = ReplicaKey(request.replica_id, asked.replica_directory_id)
    return SnapshotRequested(replica, asked.current_leader_epoch)


def _asks_for_a_piece(request: FetchSnapshotRequest) -> bool:
    """Whether one topic or one partition is named, as Kafka demands.

    Apache Kafka 4.3.1 looks into the first one without asking whether there is any, and its node
    ends over such a request; ours refuses it.
    """
    topics = request.topics
    if not topics or not topics[0].partitions:
        return False
    return len(topics) == 1 or len(topics[0].partitions) == 1


def _piece(
    name: str,
    asked: FetchSnapshotRequest.TopicSnapshot.PartitionSnapshot,
    max_bytes: int,
    node: QuorumNode,
    log: MetadataLog,
) -> FetchSnapshotResponse.TopicSnapshot.PartitionSnapshot:
    answer_class = FetchSnapshotResponse.TopicSnapshot.PartitionSnapshot
    snapshot = SnapshotId(asked.snapshot_id.end_offset, asked.snapshot_id.epoch)
    answer = answer_class(
        index=asked.partition,
        error_code=_piece_refusal(name, asked, snapshot, node, log),
        snapshot_id=answer_class.SnapshotId(end_offset=snapshot.end_offset, epoch=snapshot.epoch),
        size=0,
        position=asked.position,
        unaligned_records=b"",
    )
    answer.current_leader = answer_class.LeaderIdAndEpoch(
        leader_id=NO_VOTER_ID if node.leader_id is None else node.leader_id, leader_epoch=node.epoch
    )
    if answer.error_code == ErrorCode.NONE:
        answer.size = log.snapshots.size(snapshot)
        answer.unaligned_records = log.snapshots.read(snapshot, asked.position, max_bytes)
    return answer


def _piece_refusal(
    name: str,
    asked: FetchSnapshotRequest.TopicSnapshot.PartitionSnapshot,
    snapshot: SnapshotId,
    node: QuorumNode,
    log: MetadataLog,
) -> ErrorCode:
    if (name, asked.partition) != (TOPIC, 0):
        return ErrorCode.UNKNOWN_TOPIC_OR_PARTITION
    if 0 <= asked.current_leader_epoch < node.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if asked.current_leader_epoch > node.epoch:
        return ErrorCode.UNKNOWN_LEADER_EPOCH
    if not isinstance(node.role, Leader):
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    if snapshot not in log.snapshots.ids:
        return ErrorCode.SNAPSHOT_NOT_FOUND
    if not 0 <= asked.position < log.snapshots.size(snapshot):
        return ErrorCode.POSITION_OUT_OF_RANGE
    return ErrorCode.NONE
