"""The quorum of controllers that keeps the metadata: who leads, who votes, how far each is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil_one
from moldau.client.core.admin.routes import ToController
from moldau.client.core.dialogue import Dialogue
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.quorum.add_raft_voter import AddRaftVoterRequest, AddRaftVoterResponse
from moldau.protocol.messages.quorum.describe_quorum import (
    DescribeQuorumRequest,
    DescribeQuorumResponse,
)
from moldau.protocol.messages.quorum.remove_raft_voter import (
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.uuids import is_null_uuid, parse_uuid, uuid_text

__all__ = [
    "QuorumReplica",
    "QuorumView",
    "VoterEndpoint",
    "add_raft_voter",
    "describe_metadata_quorum",
    "remove_raft_voter",
]

TOPIC = "__cluster_metadata"
NOT_KNOWN = -1
MOVED = frozenset({ErrorCode.NOT_LEADER_OR_FOLLOWER})
Asked = DescribeQuorumRequest.TopicData


class VoterEndpoint(NamedTuple):
    """Where a controller listens."""

    listener: str
    host: str
    port: int


@dataclass(frozen=True, slots=True)
class QuorumReplica:
    """How far a controller or broker is; times are milliseconds since 1970."""

    replica_id: int
    directory_id: str | None
    """The disk that votes; None where the quorum has no ids of disks."""
    log_end_offset: int
    last_fetch_ms: int | None
    last_caught_up_ms: int | None


@dataclass(frozen=True, slots=True)
class QuorumView:
    """The quorum, as its leader sees it."""

    leader_id: int
    leader_epoch: int
    high_watermark: int
    voters: tuple[QuorumReplica, ...]
    observers: tuple[QuorumReplica, ...]
    endpoints: Mapping[int, tuple[VoterEndpoint, ...]]
    """Of the voters, where brokers report them (Kafka 3.9 and later)."""


@declared
def describe_metadata_quorum(call: AdminCall) -> Dialogue[QuorumView]:
    asked = Asked(topic_name=TOPIC, partitions=[Asked.PartitionData(partition_index=0)])
    plan = Plan(
        what="describing the quorum",
        route=ToController[None](),
        request=lambda keys: DescribeQuorumRequest(topics=[asked]),
        read=_described,
        noun=lambda key: "quorum",
        retried=MOVED,
    )
    return fulfil_one(call, plan)


@declared
def add_raft_voter(
    call: AdminCall,
    voter_id: int,
    directory_id: str,
    endpoints: Sequence[VoterEndpoint],
    *,
    cluster_id: str | None = None,
) -> Dialogue[None]:
    """A controller that has caught up votes from now on."""
    listener = AddRaftVoterRequest.Listener
    request = AddRaftVoterRequest(
        cluster_id=cluster_id,
        timeout_ms=call.request_timeout_ms,
        voter_id=voter_id,
        voter_directory_id=parse_uuid(directory_id),
        listeners=[listener(name=one.listener, host=one.host, port=one.port) for one in endpoints],
    )
    plan = Plan(
        what=f"adding voter {voter_id}",
        route=ToController[None](),
        request=lambda keys: request,
        read=_changed,
        noun=lambda key: f"voter {voter_id}",
        retried=MOVED,
    )
    return fulfil_one(call, plan)


@declared
def remove_raft_voter(
    call: AdminCall, voter_id: int, directory_id: str, *, cluster_id: str | None = None
) -> Dialogue[None]:
    """It votes no more."""
    request = RemoveRaftVoterRequest(
        cluster_id=cluster_id, voter_id=voter_id, voter_directory_id=parse_uuid(directory_id)
    )
    plan = Plan(
        what=f"removing voter {voter_id}",
        route=ToController[None](),
        request=lambda keys: request,
        read=_changed,
        noun=lambda key: f"voter {voter_id}",
        retried=MOVED,
    )
    return fulfil_one(call, plan)


def _described(
    answer: DescribeQuorumResponse, keys: Sequence[None]
) -> Iterator[tuple[None, QuorumView | Failure]]:
    if answer.error_code:
        yield None, Failure(ErrorCode.read(answer.error_code), answer.error_message)
        return
    row = answer.topics[0].partitions[0]
    view = QuorumView(
        row.leader_id,
        row.leader_epoch,
        row.high_watermark,
        tuple(_replica(one) for one in row.current_voters),
        tuple(_replica(one) for one in row.observers),
        {
            node.node_id: tuple(VoterEndpoint(at.name, at.host, at.port) for at in node.listeners)
            for node in answer.nodes
        },
    )
    yield None, failure_or(row.error_code, row.error_message, view)


def _replica(row: DescribeQuorumResponse.ReplicaState) -> QuorumReplica:
    directory = row.replica_directory_id
    return QuorumReplica(
        row.replica_id,
        None if is_null_uuid(directory) else uuid_text(directory),
        row.log_end_offset,
        _known(row.last_fetch_timestamp),
        _known(row.last_caught_up_timestamp),
    )


def _known(time_ms: int) -> int | None:
    return None if time_ms == NOT_KNOWN else time_ms


def _changed(
    answer: AddRaftVoterResponse | RemoveRaftVoterResponse, keys: Sequence[None]
) -> Iterator[tuple[None, Failure | None]]:
    yield None, failure_or(answer.error_code, answer.error_message, None)
