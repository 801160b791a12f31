"""`uniform`: as many partitions for each member as for any other, and as few moves as possible."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.assignor.equal_subscriptions import assign_equal
from moldau.broker.coordinator.group.consumer.assignor.mixed_subscriptions import assign_mixed
from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment, GroupSpec


def assign_uniformly(spec: GroupSpec) -> dict[str, Assignment]:
    """The assignment of every member."""
    if not spec.members:
        return {}
    return assign_equal(spec) if spec.is_homogeneous else assign_mixed(spec)
