"""Answering one partition of a fetch: epochs are compared before a byte is read (KIP-320, KIP-595).

A fetch has the epoch of the record before its offset. The leader looks up
where that epoch ended in its own log. If it knows only an older one, or if that end lies before
the wanted offset, the follower's log has parted from the leader's: it gets the leader's epoch and
its end, no records, and truncates.
"""

from __future__ import annotations

from typing import NamedTuple

from moldau.broker.log.epoch_checkpoint import UNDEFINED_EPOCH, UNDEFINED_OFFSET
from moldau.broker.log.reading import FetchResult, Isolation
from moldau.broker.replica.partition import NO_EPOCH, Partition
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode


class Divergence(NamedTuple):
    """Where the follower's log parts from the leader's."""

    epoch: int
    end_offset: int


def find_divergence(
    partition: Partition, offset: int, last_fetched_epoch: int
) -> Divergence | None:
    """None where the follower's log is a beginning of the leader's."""
    if last_fetched_epoch == NO_EPOCH:
        return None
    state = partition.log.state
    epoch, end_offset = state.epochs.end_offset_for(last_fetched_epoch, state.log_end_offset)
    if epoch == UNDEFINED_EPOCH or end_offset == UNDEFINED_OFFSET:
        raise KafkaError(
            ErrorCode.OFFSET_OUT_OF_RANGE,
            f"{partition.name}: epoch {last_fetched_epoch} of offset {offset} is unknown here",
        )
    if epoch < last_fetched_epoch or end_offset < offset:
        return Divergence(epoch, end_offset)
    return None


def upper_bound(partition: Partition, isolation: Isolation) -> int:
    """The first offset that such a reader may not see."""
    match isolation:
        case Isolation.LOG_END:
            return partition.log_end_offset
        case Isolation.HIGH_WATERMARK:
            return partition.high_watermark
        case Isolation.COMMITTED:
            return partition.last_stable_offset


def empty_result(partition: Partition, offset: int) -> FetchResult:
    """An answer without records, where the size limits are used up or the follower diverges.

    Aborted transactions are left out then, even for read_committed.
    """
    return FetchResult(
        None,
        offset,
        partition.high_watermark,
        partition.last_stable_offset,
        partition.log_start_offset,
        None,
    )
