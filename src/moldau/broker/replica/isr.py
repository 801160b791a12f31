"""Who is in sync, and what is therefore replicated: arithmetic, no state of its own.

A follower sends with each fetch up to where it has everything. It is *caught up* at a moment when
its end was the leader's end; one that was not for `replica.lag.time.max.ms` leaves the in-sync
replicas (ISR). It may come back once it has all that is committed and all of before this leader
epoch.

The high watermark is the smallest end among the *maximal* ISR: the committed one, those of a
proposal that is still on its way, and those that are caught up and could join (else they could be
elected without a record that is acknowledged already). It stands still while the ISR is smaller
than `min.insync.replicas` (KIP-966), and never goes back.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

NO_OFFSET: Final = -1


class FollowerProgress:
    """What the leader knows of one follower."""

    __slots__ = (
        "broker_epoch", "caught_up_ms", "fetched_ms", "leader_end_at_fetch", "log_end_offset",
        "log_start_offset",
    )  # fmt: skip

    def __init__(self, log_end_offset: int = NO_OFFSET, *, caught_up_ms: int = 0) -> None:
        self.log_end_offset = log_end_offset
        self.log_start_offset = NO_OFFSET
        self.caught_up_ms = caught_up_ms
        """When it last had everything."""
        self.fetched_ms = 0
        self.leader_end_at_fetch = NO_OFFSET
        self.broker_epoch = -1

    def __repr__(self) -> str:
        return f"FollowerProgress(up to {self.log_end_offset}, caught up at {self.caught_up_ms} ms)"

    def note_fetch(
        self, offset: int, log_start_offset: int, leader_end: int, now_ms: int, broker_epoch: int
    ) -> None:
        """It asks for what comes at `offset`, so it has everything below."""
        if offset >= leader_end:
            self.caught_up_ms = max(self.caught_up_ms, now_ms)
        elif offset >= self.leader_end_at_fetch:
            self.caught_up_ms = max(self.caught_up_ms, self.fetched_ms)
        self.log_end_offset = offset
        self.log_start_offset = log_start_offset
        self.leader_end_at_fetch = leader_end
        self.fetched_ms = now_ms
        self.broker_epoch = broker_epoch

    def is_caught_up(self, leader_end: int, now_ms: int, lag_max_ms: int) -> bool:
        return self.log_end_offset == leader_end or now_ms - self.caught_up_ms <= lag_max_ms


def effective_min_isr(min_insync_replicas: int, replica_count: int) -> int:
    """What `min.insync.replicas` can ask of a partition with so few replicas."""
    return max(1, min(min_insync_replicas, replica_count))


def replicated_up_to(
    leader_end: int,
    followers: Mapping[int, FollowerProgress],
    maximal_isr: Collection[int],
    joining: Collection[int] = (),
) -> int:
    """The offset below which all have everything that must have it."""
    ends = [
        progress.log_end_offset
        for broker_id, progress in followers.items()
        if broker_id in maximal_isr or broker_id in joining
    ]
    return min([leader_end, *ends])


def lagging(
    isr: Iterable[int],
    followers: Mapping[int, FollowerProgress],
    leader_end: int,
    now_ms: int,
    lag_max_ms: int,
) -> list[int]:
    """Members of the ISR that have been behind for too long."""
    return [
        broker_id
        for broker_id in isr
        if broker_id in followers
        and not followers[broker_id].is_caught_up(leader_end, now_ms, lag_max_ms)
    ]


def may_join(progress: FollowerProgress, high_watermark: int, epoch_start_offset: int) -> bool:
    """Whether it has all that is committed and all that this leader found when it took over."""
    return progress.log_end_offset >= max(high_watermark, epoch_start_offset)
