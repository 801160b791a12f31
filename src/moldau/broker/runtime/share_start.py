"""Where a share group begins that has not begun yet: at the end, at the start, or at a time."""

from __future__ import annotations

from moldau.broker.log.reading import Isolation
from moldau.broker.replica.partition import Partition
from moldau.broker.replica.positions import EARLIEST, LATEST, find_offset
from moldau.config.durations import ago_ms


def first_offset(partition: Partition, reset: str, now_ms: int) -> int:
    """The offset by the group's `share.auto.offset.reset`."""
    if reset.lower() == "earliest":
        return _find(partition, EARLIEST)
    ago = ago_ms(reset)
    return _find(partition, LATEST if ago is None else max(0, now_ms - ago))


def _find(partition: Partition, place: int) -> int:
    found = find_offset(partition, place, Isolation.HIGH_WATERMARK)
    return partition.high_watermark if found is None else found.offset
