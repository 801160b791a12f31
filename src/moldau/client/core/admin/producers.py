"""What leaders know of producers, and ending a transaction that hangs in one partition."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.partitions import by_topic
from moldau.client.core.admin.routes import AtBroker, Leaders, Route
from moldau.client.core.dialogue import Dialogue
from moldau.client.topic_partition import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.transaction.describe_producers import (
    DescribeProducersRequest,
    DescribeProducersResponse,
)
from moldau.protocol.messages.transaction.write_txn_markers import (
    WriteTxnMarkersRequest,
    WriteTxnMarkersResponse,
)

__all__ = ["ProducerState", "abort_transaction", "describe_producers"]

NOT_KNOWN = -1
Asked = DescribeProducersRequest.TopicRequest
Row = DescribeProducersResponse.TopicResponse.PartitionResponse.ProducerState
Marker = WriteTxnMarkersRequest.WritableTxnMarker


@dataclass(frozen=True, slots=True)
class ProducerState:
    """What a partition's leader knows of a producer."""

    producer_id: int
    producer_epoch: int
    last_sequence: int | None
    last_timestamp: int | None
    coordinator_epoch: int | None
    """Of its last marker."""
    transaction_start_offset: int | None
    """None: no transaction is open."""


States: TypeAlias = tuple[ProducerState, ...]


@declared
def describe_producers(
    call: AdminCall, parts: Iterable[TopicPartition], node_id: int | None = None
) -> Dialogue[Outcomes[TopicPartition, States]]:
    """As their leaders see them, or this broker."""
    route: Route[TopicPartition] = Leaders(lambda part: part)
    if node_id is not None:
        route = AtBroker(lambda part: node_id)
    plan = Plan(
        what="describing producers",
        route=route,
        request=lambda parts: DescribeProducersRequest(
            topics=[
                Asked(name=topic, partition_indexes=[part.partition for part in rows])
                for topic, rows in by_topic(parts).items()
            ]
        ),
        read=_described,
        noun=str,
    )
    return fulfil(call, plan, parts)


@declared
def abort_transaction(
    call: AdminCall,
    part: TopicPartition,
    producer_id: int,
    producer_epoch: int,
    coordinator_epoch: int,
) -> Dialogue[None]:
    """Write the marker that its coordinator has left out (KIP-664)."""
    topic = Marker.WritableTxnMarkerTopic(name=part.topic, partition_indexes=[part.partition])
    marker = Marker(
        producer_id=producer_id,
        producer_epoch=producer_epoch,
        coordinator_epoch=coordinator_epoch,
        transaction_result=False,
        topics=[topic],
    )
    plan = Plan(
        what=f"aborting a transaction in {part}",
        route=Leaders[TopicPartition](lambda part: part),
        request=lambda parts: WriteTxnMarkersRequest(markers=[marker]),
        read=_marked,
        noun=lambda part: f"transaction of producer {producer_id} in {part}",
    )
    outcomes = yield from fulfil(call, plan, [part])
    return outcomes[part]


def _described(
    answer: DescribeProducersResponse, parts: Sequence[TopicPartition]
) -> Iterator[tuple[TopicPartition, States | Failure]]:
    for topic in answer.topics:
        for row in topic.partitions:
            states = tuple(_state(one) for one in row.active_producers)
            part = TopicPartition(topic.name, row.partition_index)
            yield part, failure_or(row.error_code, row.error_message, states)


def _state(row: Row) -> ProducerState:
    return ProducerState(
        row.producer_id,
        row.producer_epoch,
        _known(row.last_sequence),
        _known(row.last_timestamp),
        _known(row.coordinator_epoch),
        _known(row.current_txn_start_offset),
    )


def _known(number: int) -> int | None:
    return None if number == NOT_KNOWN else number


def _marked(
    answer: WriteTxnMarkersResponse, parts: Sequence[TopicPartition]
) -> Iterator[tuple[TopicPartition, Failure | None]]:
    for marker in answer.markers:
        for topic in marker.topics:
            for row in topic.partitions:
                part = TopicPartition(topic.name, row.partition_index)
                yield part, failure_or(row.error_code, None, None)
