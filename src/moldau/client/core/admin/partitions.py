"""Deleting records, electing leaders, and moving partitions to other brokers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.choices import ElectionType
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil, fulfil_one
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import Leaders, ToController
from moldau.client.core.dialogue import Dialogue
from moldau.client.errors import refusal
from moldau.client.topic_partition import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.cluster.elect_leaders import ElectLeadersRequest, ElectLeadersResponse
from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest, DeleteRecordsResponse
from moldau.protocol.messages.topic.alter_partition_reassignments import (
    AlterPartitionReassignmentsRequest,
    AlterPartitionReassignmentsResponse,
)
from moldau.protocol.messages.topic.list_partition_reassignments import (
    ListPartitionReassignmentsRequest,
    ListPartitionReassignmentsResponse,
)
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = [
    "Reassignment",
    "alter_partition_reassignments",
    "by_topic",
    "delete_records",
    "elect_leaders",
    "list_partition_reassignments",
]

UP_TO_HIGH_WATERMARK = -1
PREFERRED_ONLY, TYPED_ELECTIONS = 0, 1
DeletedTopic = DeleteRecordsRequest.DeleteRecordsTopic
MovedTopic = AlterPartitionReassignmentsRequest.ReassignableTopic
ElectedTopic = ElectLeadersRequest.TopicPartitions
ListedMoves = ListPartitionReassignmentsRequest.ListPartitionReassignmentsTopics


@dataclass(frozen=True, slots=True)
class Reassignment:
    """A partition that is moving, by the numbers of brokers."""

    replicas: tuple[int, ...]
    """Those that are there, with those that come and those that go."""
    adding: tuple[int, ...]
    removing: tuple[int, ...]


def by_topic(parts: Iterable[TopicPartition]) -> dict[str, list[TopicPartition]]:
    """Partitions as most requests have them."""
    grouped: dict[str, list[TopicPartition]] = defaultdict(list)
    for part in parts:
        grouped[part.topic].append(part)
    return grouped


@declared
def delete_records(
    call: AdminCall, before: Mapping[TopicPartition, int | None]
) -> Dialogue[Outcomes[TopicPartition, int]]:
    """Where each log begins after it; None deletes all that is committed."""

    def row(part: TopicPartition) -> DeletedTopic.DeleteRecordsPartition:
        offset = before[part]
        kept = UP_TO_HIGH_WATERMARK if offset is None else offset
        return DeletedTopic.DeleteRecordsPartition(partition_index=part.partition, offset=kept)

    def request(parts: Sequence[TopicPartition]) -> DeleteRecordsRequest:
        return DeleteRecordsRequest(
            topics=[
                DeletedTopic(name=topic, partitions=[row(part) for part in rows])
                for topic, rows in by_topic(parts).items()
            ],
            timeout_ms=call.request_timeout_ms,
        )

    plan = Plan(
        what="deleting records",
        route=Leaders[TopicPartition](lambda part: part),
        request=request,
        read=_deleted,
        noun=str,
    )
    return fulfil(call, plan, before)


@declared
def elect_leaders(
    call: AdminCall,
    parts: Iterable[TopicPartition] | None,
    election: ElectionType = ElectionType.PREFERRED,
) -> Dialogue[Outcomes[TopicPartition, None]]:
    """None: every partition that has another leader than it should have."""
    wanted = None if parts is None else list(parts)

    def request(keys: Sequence[None]) -> ElectLeadersRequest:
        return ElectLeadersRequest(
            election_type=election,
            topic_partitions=None if wanted is None else _elected(wanted),
            timeout_ms=call.request_timeout_ms,
        )

    def read(answer: ElectLeadersResponse, keys: Sequence[None]) -> Iterator[tuple[None, Elected]]:
        yield None, failure_or(answer.error_code, None, answer)

    plan = Plan(
        what="electing leaders",
        route=ToController[None](),
        request=request,
        read=read,
        noun=lambda key: "election",
        oldest=lambda key: PREFERRED_ONLY if election is PREFERRED else TYPED_ELECTIONS,
    )
    answer = yield from fulfil_one(call, plan)
    outcomes: Outcomes[TopicPartition, None] = Outcomes()
    for topic in answer.replica_election_results:
        for row in topic.partition_result:
            part = TopicPartition(topic.topic, row.partition_id)
            if row.error_code:
                code = ErrorCode.read(row.error_code)
                outcomes.errors[part] = refusal(
                    str(part), code, row.error_message, ApiKey.ELECT_LEADERS
                )
            else:
                outcomes.values[part] = None
    return outcomes


PREFERRED = ElectionType.PREFERRED
Elected = ElectLeadersResponse | Failure


@declared
def alter_partition_reassignments(
    call: AdminCall,
    replicas: Mapping[TopicPartition, Sequence[int] | None],
    *,
    allow_replication_factor_change: bool = True,
) -> Dialogue[Outcomes[TopicPartition, None]]:
    """New replicas, the preferred leader first; None gives up the move of that partition."""

    def request(parts: Sequence[TopicPartition]) -> AlterPartitionReassignmentsRequest:
        return AlterPartitionReassignmentsRequest(
            timeout_ms=call.request_timeout_ms,
            allow_replication_factor_change=allow_replication_factor_change,
            topics=[
                MovedTopic(name=topic, partitions=[_moved(part, replicas[part]) for part in rows])
                for topic, rows in by_topic(parts).items()
            ],
        )

    plan = Plan(
        what="moving partitions",
        route=ToController[TopicPartition](),
        request=request,
        read=_moving,
        noun=str,
    )
    return fulfil(call, plan, replicas)


@declared
def list_partition_reassignments(
    call: AdminCall, parts: Iterable[TopicPartition] | None = None
) -> Dialogue[dict[TopicPartition, Reassignment]]:
    """Those that are moving, of these or of all."""
    wanted = None if parts is None else list(parts)

    def request(keys: Sequence[None]) -> ListPartitionReassignmentsRequest:
        topics = None
        if wanted is not None:
            topics = [
                ListedMoves(name=topic, partition_indexes=[part.partition for part in rows])
                for topic, rows in by_topic(wanted).items()
            ]
        return ListPartitionReassignmentsRequest(timeout_ms=call.request_timeout_ms, topics=topics)

    plan = Plan(
        what="listing moves of partitions",
        route=ToController[None](),
        request=request,
        read=_ongoing,
        noun=lambda key: "moves of partitions",
    )
    return fulfil_one(call, plan)


def _deleted(
    answer: DeleteRecordsResponse, parts: Sequence[TopicPartition]
) -> Iterator[tuple[TopicPartition, int | Failure]]:
    for topic in answer.topics:
        for row in topic.partitions:
            part = TopicPartition(topic.name, row.partition_index)
            yield part, failure_or(row.error_code, None, row.low_watermark)


def _elected(parts: Iterable[TopicPartition]) -> list[ElectedTopic]:
    return [
        ElectedTopic(topic=topic, partitions=[part.partition for part in rows])
        for topic, rows in by_topic(parts).items()
    ]


def _moved(part: TopicPartition, brokers: Sequence[int] | None) -> MovedTopic.ReassignablePartition:
    replicas = None if brokers is None else list(brokers)
    return MovedTopic.ReassignablePartition(partition_index=part.partition, replicas=replicas)


def _moving(
    answer: AlterPartitionReassignmentsResponse, parts: Sequence[TopicPartition]
) -> Iterator[tuple[TopicPartition, Failure | None]]:
    if answer.error_code:
        failure = Failure(ErrorCode.read(answer.error_code), answer.error_message)
        yield from ((part, failure) for part in parts)
    for topic in answer.responses:
        for row in topic.partitions:
            part = TopicPartition(topic.name, row.partition_index)
            yield part, failure_or(row.error_code, row.error_message, None)


def _ongoing(
    answer: ListPartitionReassignmentsResponse, keys: Sequence[None]
) -> Iterator[tuple[None, dict[TopicPartition, Reassignment] | Failure]]:
    moves = {
        TopicPartition(topic.name, row.partition_index): Reassignment(
            tuple(row.replicas), tuple(row.adding_replicas), tuple(row.removing_replicas)
        )
        for topic in answer.topics
        for row in topic.partitions
    }
    yield None, failure_or(answer.error_code, answer.error_message, moves)
