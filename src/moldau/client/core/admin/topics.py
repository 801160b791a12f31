"""Creating and deleting topics, and adding partitions to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.routes import ToController
from moldau.client.core.dialogue import Dialogue
from moldau.platform.quick_dataclass import dataclass, field
from moldau.protocol.messages.topic.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
)
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest, DeleteTopicsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.types import NULL_UUID
from moldau.protocol.wire.uuids import parse_uuid, uuid_text

__all__ = [
    "AnyTopic",
    "CreatedTopic",
    "NewPartitions",
    "NewTopic",
    "create_partitions",
    "create_topics",
    "delete_topics",
    "delete_topics_by_id",
    "topic_noun",
]

BY_ID_FROM = 6
DEFAULT = -1
THROTTLED = frozenset({ErrorCode.THROTTLING_QUOTA_EXCEEDED})

Creatable = CreateTopicsRequest.CreatableTopic
Wished = CreatePartitionsRequest.CreatePartitionsTopic
Deletable = DeleteTopicsRequest.DeleteTopicState


@dataclass(frozen=True, slots=True)
class NewTopic:
    """A topic that shall be created."""

    name: str
    partitions: int | None = None
    """None: as the cluster has it, or as `assignments` say."""
    replication_factor: int | None = None
    configs: Mapping[str, str] = field(default_factory=dict)
    assignments: Mapping[int, Sequence[int]] = field(default_factory=dict)
    """Brokers by partition, the preferred leader first; instead of the two numbers."""


@dataclass(frozen=True, slots=True)
class CreatedTopic:
    """A topic as it was created."""

    name: str
    topic_id: str
    partitions: int | None
    """None where the caller may not see it."""
    replication_factor: int | None
    configs: Mapping[str, str | None] | None


@dataclass(frozen=True, slots=True)
class NewPartitions:
    """How many partitions a topic shall have."""

    total: int
    assignments: Sequence[Sequence[int]] | None = None
    """Brokers for each of the partitions that are added."""


AnyTopic: TypeAlias = NewTopic | str
"""A topic, or the name of one with the cluster's defaults."""


def topic_noun(name: str) -> str:
    return f"topic {name}"


@declared
def create_topics(
    call: AdminCall,
    topics: AnyTopic | Iterable[AnyTopic],
    *,
    validate_only: bool = False,
    retries_throttled: bool = True,
) -> Dialogue[Outcomes[str, CreatedTopic]]:
    wanted = [_topic(given) for given in _each(topics)]
    by_name = {topic.name: topic for topic in wanted}

    def request(names: Sequence[str]) -> CreateTopicsRequest:
        return CreateTopicsRequest(
            topics=[_creatable(by_name[name]) for name in names],
            timeout_ms=call.request_timeout_ms,
            validate_only=validate_only,
        )

    plan = Plan(
        what="creating topics",
        route=ToController[str](),
        request=request,
        read=_created,
        noun=topic_noun,
        retried=THROTTLED if retries_throttled else frozenset(),
    )
    return fulfil(call, plan, by_name)


@declared
def delete_topics(
    call: AdminCall, names: str | Iterable[str], *, retries_throttled: bool = True
) -> Dialogue[Outcomes[str, None]]:
    def request(names: Sequence[str]) -> DeleteTopicsRequest:
        return DeleteTopicsRequest(
            topics=[Deletable(name=name, topic_id=NULL_UUID) for name in names],
            topic_names=list(names),
            timeout_ms=call.request_timeout_ms,
        )

    plan = Plan(
        what="deleting topics",
        route=ToController[str](),
        request=request,
        read=_deleted,
        noun=topic_noun,
        retried=THROTTLED if retries_throttled else frozenset(),
    )
    return fulfil(call, plan, _texts(names))


@declared
def delete_topics_by_id(
    call: AdminCall, ids: str | Iterable[str], *, retries_throttled: bool = True
) -> Dialogue[Outcomes[str, None]]:
    def request(ids: Sequence[str]) -> DeleteTopicsRequest:
        return DeleteTopicsRequest(
            topics=[Deletable(name=None, topic_id=parse_uuid(text)) for text in ids],
            timeout_ms=call.request_timeout_ms,
        )

    plan = Plan(
        what="deleting topics",
        route=ToController[str](),
        request=request,
        read=_deleted_by_id,
        noun=topic_noun,
        retried=THROTTLED if retries_throttled else frozenset(),
        oldest=lambda text: BY_ID_FROM,
    )
    return fulfil(call, plan, _texts(ids))


@declared
def create_partitions(
    call: AdminCall,
    counts: Mapping[str, NewPartitions | int],
    *,
    validate_only: bool = False,
    retries_throttled: bool = True,
) -> Dialogue[Outcomes[str, None]]:
    def request(names: Sequence[str]) -> CreatePartitionsRequest:
        return CreatePartitionsRequest(
            topics=[_wished(name, counts[name]) for name in names],
            timeout_ms=call.request_timeout_ms,
            validate_only=validate_only,
        )

    plan = Plan(
        what="adding partitions",
        route=ToController[str](),
        request=request,
        read=_widened,
        noun=topic_noun,
        retried=THROTTLED if retries_throttled else frozenset(),
    )
    return fulfil(call, plan, counts)


def _each(given: AnyTopic | Iterable[AnyTopic]) -> Iterable[AnyTopic]:
    return [given] if isinstance(given, str | NewTopic) else given


def _texts(given: str | Iterable[str]) -> Iterable[str]:
    return [given] if isinstance(given, str) else given


def _topic(given: AnyTopic) -> NewTopic:
    return NewTopic(given) if isinstance(given, str) else given


def _creatable(topic: NewTopic) -> Creatable:
    assigned = Creatable.CreatableReplicaAssignment
    count, factor = topic.partitions, topic.replication_factor
    return Creatable(
        name=topic.name,
        num_partitions=DEFAULT if count is None else count,
        replication_factor=DEFAULT if factor is None else factor,
        assignments=[
            assigned(partition_index=partition, broker_ids=list(brokers))
            for partition, brokers in topic.assignments.items()
        ],
        configs=[
            Creatable.CreatableTopicConfig(name=name, value=value)
            for name, value in topic.configs.items()
        ],
    )


def _wished(name: str, given: NewPartitions | int) -> Wished:
    new = NewPartitions(given) if isinstance(given, int) else given
    assigned = Wished.CreatePartitionsAssignment
    rows = new.assignments
    return Wished(
        name=name,
        count=new.total,
        assignments=None if rows is None else [assigned(broker_ids=list(row)) for row in rows],
    )


def _created(
    answer: CreateTopicsResponse, names: Sequence[str]
) -> Iterator[tuple[str, CreatedTopic | Failure]]:
    for row in answer.topics:
        configs = row.configs
        created = CreatedTopic(
            row.name,
            uuid_text(row.topic_id),
            None if row.num_partitions < 0 else row.num_partitions,
            None if row.replication_factor < 0 else row.replication_factor,
            None if configs is None else {config.name: config.value for config in configs},
        )
        yield row.name, failure_or(row.error_code, row.error_message, created)


def _deleted(
    answer: DeleteTopicsResponse, names: Sequence[str]
) -> Iterator[tuple[str, Failure | None]]:
    for row in answer.responses:
        assert row.name is not None, "what was named by name is answered so"
        yield row.name, failure_or(row.error_code, row.error_message, None)


def _deleted_by_id(
    answer: DeleteTopicsResponse, ids: Sequence[str]
) -> Iterator[tuple[str, Failure | None]]:
    for row in answer.responses:
        yield uuid_text(row.topic_id), failure_or(row.error_code, row.error_message, None)


def _widened(
    answer: CreatePartitionsResponse, names: Sequence[str]
) -> Iterator[tuple[str, Failure | None]]:
    for row in answer.results:
        yield row.name, failure_or(row.error_code, row.error_message, None)
