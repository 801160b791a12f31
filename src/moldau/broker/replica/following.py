"""What a follower does with its leader's answers: append, or cut what the leader does not have.

Batches come with their offsets and are kept as they are. The high watermark is the leader's,
as far as the own log goes; so it lags by one fetch. A divergence names an epoch of the leader's and
where it ended: the follower cuts to where both agree. Where it does not know that epoch itself, it
cuts to the end of the one before, and its next fetch asks again (KIP-101, KIP-279).

After a cut the lowered recovery point is on disk before anything is appended, or a crash would
leave new records unchecked behind an old number.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

from moldau.broker.log.appending.result import AppendResult
from moldau.broker.log.epoch_checkpoint import UNDEFINED_EPOCH
from moldau.broker.replica.fetching import Divergence
from moldau.broker.replica.partition import Partition
from moldau.errors import StorageError
from moldau.platform.buffers import Buffer


class LeaderEnds(NamedTuple):
    """What an answer has of the leader's log."""

    high_watermark: int
    log_start_offset: int


class Cut(NamedTuple):
    """Where to truncate."""

    offset: int
    is_final: bool
    """Whether both logs agree from then on; otherwise the next fetch diverges again."""


class Owner(Protocol):
    """Gives a partition's log to one piece of blocking work."""

    async def in_turn(self, partition: Partition, work: Callable[[], object]) -> None: ...


def append_fetched(partition: Partition, records: Buffer, ends: LeaderEnds) -> AppendResult | None:
    """Take what the leader sent; None where not one whole batch came."""
    assert not partition.is_leader, f"{partition.name} is led here"
    try:
        result = (
            partition.log.append_as_follower(records, partition.leader_epoch)
            if len(records)
            else None
        )
        before = partition.high_watermark, partition.log_start_offset
        partition.log.high_watermark = max(partition.high_watermark, ends.high_watermark)
        start_offset = min(ends.log_start_offset, partition.high_watermark)
        if start_offset > partition.log_start_offset:
            partition.log.advance_start_offset(start_offset)
    except StorageError as error:
        raise partition.failed(error) from error
    if result is not None or before != (partition.high_watermark, partition.log_start_offset):
        partition.wake()
    return result


async def begin_at(
    owner: Owner, partition: Partition, offset: int, checkpoint: Callable[[], Awaitable[None]]
) -> None:
    """Drop what there is, and go on at this offset; the recovery point may have gone back."""
    await owner.in_turn(partition, lambda: partition.log.truncate_fully_and_start_at(offset))
    partition.wake()
    await checkpoint()


def cut_for(partition: Partition, divergence: Divergence) -> Cut:
    """Where this log agrees with a leader that answered so."""
    end = partition.log_end_offset
    if divergence.epoch == UNDEFINED_EPOCH:
        return Cut(min(divergence.end_offset, end), is_final=True)
    epoch, own_end = partition.log.epochs.end_offset_for(divergence.epoch, end)
    if epoch == UNDEFINED_EPOCH:
        return Cut(min(divergence.end_offset, end), is_final=True)
    if epoch != divergence.epoch:
        return Cut(min(own_end, end), is_final=False)
    return Cut(min(own_end, divergence.end_offset, end), is_final=True)


async def truncate(
    owner: Owner, partition: Partition, offset: int, checkpoint: Callable[[], Awaitable[None]]
) -> None:
    """Cut, and write the lowered recovery point down."""
    await owner.in_turn(partition, lambda: partition.log.truncate_to(offset))
    partition.wake()
    await checkpoint()


async def begin_in_range(
    owner: Owner,
    partition: Partition,
    leader: tuple[int, int],
    checkpoint: Callable[[], Awaitable[None]],
) -> int:
    """After OFFSET_OUT_OF_RANGE: where to fetch on, given the leader's start and end.

    A leader that ends before us has lost what we have: cut. One that starts behind our end has
    deleted what we lack: begin anew at its start.
    """
    start, end = leader
    if end < partition.log_end_offset:
        await truncate(owner, partition, end, checkpoint)
    elif start > partition.log_end_offset:
        await begin_at(owner, partition, start, checkpoint)
    return partition.log_end_offset
