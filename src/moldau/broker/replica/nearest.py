"""Which replica a consumer shall read from: one in its own rack, if there is one (KIP-392).

The leader decides, with each fetch of a consumer that has a rack. A replica that is not in
sync may lag behind for ever, and one whose log does not hold the wanted offset cannot serve it:
neither is chosen. Of several in the rack it is the one that is furthest; where the leader itself is
in the rack, no other replica is better.
"""

from __future__ import annotations

from collections.abc import Callable

from moldau.broker.replica.partition import Partition

__all__ = ["nearest_replica"]


def nearest_replica(
    partition: Partition, offset: int, rack: str, rack_of: Callable[[int], str | None]
) -> int | None:
    """The follower that a consumer in this rack shall ask; None for the leader."""
    if not rack or rack_of(partition.node_id) == rack:
        return None
    near = [
        (progress.log_end_offset, progress.caught_up_ms, broker_id)
        for broker_id, progress in partition.followers.items()
        if broker_id in partition.isr
        and progress.log_start_offset <= offset <= progress.log_end_offset
        and rack_of(broker_id) == rack
    ]
    return max(near)[2] if near else None
