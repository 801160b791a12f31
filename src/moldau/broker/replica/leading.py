"""What a leader makes of its followers' fetches: progress, and proposals for the ISR.

A proposal goes to the controller (AlterPartition), and counts for the high watermark while it is
on its way; the answer comes back as metadata. Only one is on its way for each partition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from moldau.broker.replica.isr import lagging, may_join
from moldau.broker.replica.partition import NO_EPOCH, Partition
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode


class FollowerEnds(NamedTuple):
    """The two ends of a follower's log, as its fetch has them."""

    fetch_offset: int
    log_start_offset: int


def check_replica(partition: Partition, replica_id: int, leader_epoch: int = NO_EPOCH) -> None:
    """Refuse one that is no replica, or not yet; -1 where its fetch has no epoch."""
    if replica_id not in partition.followers:
        has_epoch = leader_epoch != NO_EPOCH
        raise KafkaError(
            ErrorCode.UNKNOWN_LEADER_EPOCH if has_epoch else ErrorCode.NOT_LEADER_OR_FOLLOWER,
            f"{partition.name}: broker {replica_id} is no replica in epoch "
            f"{partition.leader_epoch}; its next fetch may succeed, with newer metadata",
        )


def note_fetch(
    partition: Partition, replica_id: int, ends: FollowerEnds, now_ms: int, broker_epoch: int
) -> None:
    """The follower has everything below the offset that it asks for.

    For this its log must be known to agree with the leader's so far: what lies below the offset of
    a log that has parted is something else.
    """
    check_replica(partition, replica_id)
    progress = partition.followers[replica_id]
    if broker_epoch < progress.broker_epoch:
        raise KafkaError(
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            f"{partition.name}: broker {replica_id} fetched in epoch {progress.broker_epoch} "
            f"already; its epoch {broker_epoch} is stale",
        )
    start_offset = progress.log_start_offset
    progress.note_fetch(
        ends.fetch_offset, ends.log_start_offset, partition.log_end_offset, now_ms, broker_epoch
    )
    if partition.advance_high_watermark() or ends.log_start_offset > start_offset:
        partition.wake()  # for DeleteRecords too, which waits until every replica begins later


def isr_with(
    partition: Partition, replica_id: int, is_alive: Callable[[int, int], bool]
) -> tuple[int, ...] | None:
    """The ISR with this follower, if it can join now."""
    if replica_id in partition.isr or partition.proposed_isr is not None:
        return None
    progress = partition.followers[replica_id]
    fits = may_join(progress, partition.high_watermark, partition.epoch_start_offset)
    if not fits or not is_alive(replica_id, progress.broker_epoch):
        return None
    return (*partition.isr, replica_id)


def isr_without_laggards(
    partition: Partition, now_ms: int, lag_max_ms: int
) -> tuple[int, ...] | None:
    """The ISR without those that have been behind for too long, if there are any."""
    if not partition.is_leader or partition.proposed_isr is not None:
        return None
    out = lagging(partition.isr, partition.followers, partition.log_end_offset, now_ms, lag_max_ms)
    return tuple(one for one in partition.isr if one not in out) if out else None
