"""What a leader's answer about one partition asks of its follower.

records, or none                      append, and fetch on
diverging epoch                       cut, then fetch again
OFFSET_OUT_OF_RANGE                   ask for the leader's ends, and begin within them
FENCED_LEADER_EPOCH                   the metadata here are old: wait for newer ones
UNKNOWN_LEADER_EPOCH, not leader…     the leader's metadata are old: ask again after a pause
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum, auto

from moldau.broker.replica.fetching import Divergence
from moldau.broker.replica.following import LeaderEnds
from moldau.protocol.messages.data.fetch import FetchResponse
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.unseen import is_seen

__all__ = ["Demand", "PartitionData", "demand_of", "divergence_in", "each_answer", "leader_ends"]

PartitionData = FetchResponse.FetchableTopicResponse.PartitionData


class Demand(Enum):
    """What is to be done."""

    APPEND = auto()
    CUT = auto()
    FIND_RANGE = auto()
    WAIT_FOR_METADATA = auto()
    PAUSE = auto()


_OF_ERROR = {
    ErrorCode.OFFSET_OUT_OF_RANGE: Demand.FIND_RANGE,
    ErrorCode.FENCED_LEADER_EPOCH: Demand.WAIT_FOR_METADATA,
}


def each_answer(response: FetchResponse) -> Iterator[tuple[tuple[bytes, int], PartitionData]]:
    """Each partition of the response."""
    for topic in response.responses:
        for data in topic.partitions:
            yield (topic.topic_id, data.partition_index), data


def demand_of(data: PartitionData) -> Demand:
    """What this answer asks for."""
    if data.error_code != ErrorCode.NONE:
        return _OF_ERROR.get(ErrorCode.read(data.error_code), Demand.PAUSE)
    return Demand.CUT if divergence_in(data) is not None else Demand.APPEND


def divergence_in(data: PartitionData) -> Divergence | None:
    """Where the logs part, if the leader found that they do."""
    if not is_seen(data, "diverging_epoch"):
        return None
    diverging = data.diverging_epoch
    return None if diverging.end_offset < 0 else Divergence(diverging.epoch, diverging.end_offset)


def leader_ends(data: PartitionData) -> LeaderEnds:
    """How far the leader's log is replicated, and where it begins."""
    return LeaderEnds(data.high_watermark, data.log_start_offset)
