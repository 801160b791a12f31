"""What a group's settings allow in its share partitions."""

from __future__ import annotations

from math import ceil

from moldau.platform.quick_dataclass import dataclass

ALWAYS_AT_ONCE = 2
"""Deliveries that are never made in smaller portions."""


@dataclass(frozen=True, slots=True)
class ShareLimits:
    """The limits of a share partition, with Kafka's defaults."""

    lock_ms: int = 30_000
    """`share.record.lock.duration.ms`."""
    delivery_count_max: int = 5
    """`share.delivery.count.limit`."""
    locks_max: int = 2_000
    """`share.partition.max.record.locks`: how far the end may be from the start."""
    may_renew: bool = True
    """`share.renew.acknowledge.enable`."""

    @property
    def portions_from(self) -> int:
        """From so many deliveries on a run is handed out in portions.

        One record that brings its consumer down takes its neighbours along each time. So suspects
        are handed out in ever smaller company, and alone the last time.
        """
        return max(ALWAYS_AT_ONCE, ceil(self.delivery_count_max / 2))

    def is_last_chance(self, delivery_count: int) -> bool:
        """Whether records that were handed out so often may be once more, and no more."""
        has_portions = self.delivery_count_max > ALWAYS_AT_ONCE
        return has_portions and delivery_count == self.delivery_count_max - 1

    def portion(self, delivery_count: int, origin_count: int) -> int | None:
        """How many of such records may go out together; None for no limit."""
        if delivery_count < self.portions_from:
            return None
        if self.is_last_chance(delivery_count):
            return 1
        return max(1, origin_count >> (delivery_count - self.portions_from + 1))
