"""What an assignor is given and what it gives back.

Topics are ids, and an assignment maps them to partitions. Partitions stand in the order in which
Java's sets would have them, because assignors go through them in this order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field

from moldau.broker.coordinator.group.java_order import JavaSet, id_hash, text_hash
from moldau.platform.quick_dataclass import dataclass

Assignment = Mapping[bytes, tuple[int, ...]]
"""Topic id to partitions; no topic without partitions."""


@dataclass(frozen=True, slots=True)
class MemberSpec:
    """One member, as an assignor sees it."""

    topic_ids: tuple[bytes, ...]
    """What it reads, as far as it exists."""
    assignment: Assignment = field(default_factory=dict)
    """What it shall own until now."""
    instance_id: str | None = None
    name_count: int = 0
    """How many topics it asked for, whether they exist or not; 0: as many as exist."""


@dataclass(frozen=True, slots=True)
class GroupSpec:
    """All members, and the topics they read."""

    members: Mapping[str, MemberSpec]
    partition_counts: Mapping[bytes, int]
    """Of every topic that a member reads."""
    is_homogeneous: bool
    """All members read the same topics."""

    def member_ids(self) -> list[str]:
        """The members in Java's order."""
        return list(JavaSet(text_hash, self.members))


Assignor = Callable[[GroupSpec], dict[str, Assignment]]
"""A member that is not in its answer gets nothing."""


def subscribed_ids(member: MemberSpec) -> JavaSet[bytes]:
    """The member's topics as a set that Java made from its subscription."""
    return JavaSet.copied(id_hash, member.topic_ids, max(member.name_count, len(member.topic_ids)))
