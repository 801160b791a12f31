"""Asking leaders for offsets: of places in the log, and of moments in time.

Places are negative timestamps, and each came with a version of the request: an older broker refuses
those that it does not know, and answers the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import IntEnum
from typing import TypeAlias

from moldau.client.core.admin.calls import AdminCall
from moldau.client.core.admin.declared import declared
from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.core.admin.partitions import by_topic
from moldau.client.core.admin.routes import Leaders
from moldau.client.core.dialogue import Dialogue
from moldau.client.core.offset_lookups import Isolation
from moldau.client.topic_partition import TopicPartition
from moldau.platform.quick_dataclass import dataclass
from moldau.protocol.messages.data.list_offsets import ListOffsetsRequest, ListOffsetsResponse

__all__ = ["OffsetPlace", "OffsetView", "list_offsets"]

CONSUMER = -1
NOT_KNOWN = -1
WantedTopic = ListOffsetsRequest.ListOffsetsTopic


class OffsetPlace(IntEnum):
    """A place in a log; the numbers are the wire's."""

    LATEST = -1
    EARLIEST = -2
    MAX_TIMESTAMP = -3
    """The record with the latest timestamp (KIP-734)."""
    EARLIEST_LOCAL = -4
    """Where the part on the broker's own disk begins (KIP-405)."""
    LATEST_TIERED = -5
    """The last offset that is in remote storage (KIP-1005)."""
    EARLIEST_PENDING_UPLOAD = -6
    """The first that is not there yet (KIP-1023)."""


SINCE = {
    OffsetPlace.MAX_TIMESTAMP: 7,
    OffsetPlace.EARLIEST_LOCAL: 8,
    OffsetPlace.LATEST_TIERED: 9,
    OffsetPlace.EARLIEST_PENDING_UPLOAD: 11,
}


@dataclass(frozen=True, slots=True)
class OffsetView:
    """An offset that was looked up."""

    offset: int | None
    """None where no record is that late, or nothing is at that place."""
    timestamp: int | None
    """The record's own; None for places that are no records."""
    leader_epoch: int | None


Wanted: TypeAlias = OffsetPlace | int
"""A place, or milliseconds since 1970: the first record that is not older."""


@declared
def list_offsets(
    call: AdminCall,
    wanted: Mapping[TopicPartition, Wanted],
    isolation: Isolation = Isolation.READ_UNCOMMITTED,
) -> Dialogue[Outcomes[TopicPartition, OffsetView]]:
    def row(part: TopicPartition) -> WantedTopic.ListOffsetsPartition:
        leader = call.context.cluster.leader(part)
        return WantedTopic.ListOffsetsPartition(
            partition_index=part.partition,
            current_leader_epoch=NOT_KNOWN if leader is None else leader.epoch,
            timestamp=int(wanted[part]),
        )

    def request(parts: Sequence[TopicPartition]) -> ListOffsetsRequest:
        return ListOffsetsRequest(
            replica_id=CONSUMER,
            isolation_level=isolation,
            topics=[
                WantedTopic(name=topic, partitions=[row(part) for part in rows])
                for topic, rows in by_topic(parts).items()
            ],
            timeout_ms=call.request_timeout_ms,
        )

    plan = Plan(
        what="looking up offsets",
        route=Leaders[TopicPartition](lambda part: part),
        request=request,
        read=_found,
        noun=str,
        oldest=lambda part: _since(wanted[part]),
    )
    return fulfil(call, plan, wanted)


def _since(wanted: Wanted) -> int:
    return 0 if wanted >= OffsetPlace.EARLIEST else SINCE[OffsetPlace(wanted)]


def _found(
    answer: ListOffsetsResponse, parts: Sequence[TopicPartition]
) -> Iterator[tuple[TopicPartition, OffsetView | Failure]]:
    for topic in answer.topics:
        for row in topic.partitions:
            view = OffsetView(_known(row.offset), _known(row.timestamp), _known(row.leader_epoch))
            part = TopicPartition(topic.name, row.partition_index)
            yield part, failure_or(row.error_code, None, view)


def _known(number: int) -> int | None:
    return None if number == NOT_KNOWN else number
