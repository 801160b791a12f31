"""A member of a consumer group: its subscription, what it has, and in which epoch it is.

A member's epoch is the assignment epoch it has caught up with. While it is Unrevoked it has to let
go of partitions before it may go on; while it is Unreleased it has the newest epoch, and waits for
partitions that others still have.

Members of the classic protocol may be in the group too, while it migrates: they carry what they
sent in their JoinGroup.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import field
from enum import IntEnum

from moldau.broker.coordinator.group.classic.member import MemberProtocol
from moldau.platform.quick_dataclass import dataclass

LEFT = -1
"""The epoch of a member that leaves, or whose place was taken back."""
LEFT_FOR_LATER = -2
"""The epoch of a static member that leaves and keeps its place."""

Owned = Mapping[bytes, Mapping[int, int]]
"""Topic id and partition to the epoch in which the member got it; no topic without partitions."""


class MemberState(IntEnum):
    """Where a member is on its way to its target, by the numbers in its record."""

    STABLE = 0
    UNREVOKED = 1
    UNRELEASED = 2
    UNKNOWN = 127
    """Written by a coordinator of another time."""

    @classmethod
    def read(cls, number: int) -> MemberState:
        return cls(number) if number in cls._value2member_map_ else cls.UNKNOWN


@dataclass(frozen=True, slots=True)
class ClassicSide:
    """What a member of the classic protocol sent of itself."""

    session_timeout_ms: int
    protocols: tuple[MemberProtocol, ...]


@dataclass(frozen=True, slots=True)
class ConsumerMember:
    """One member, as a value."""

    member_id: str
    epoch: int = 0
    previous_epoch: int = -1
    state: MemberState = MemberState.STABLE
    instance_id: str | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    client_id: str = ""
    client_host: str = ""
    topic_names: tuple[str, ...] = ()
    """Sorted, each once."""
    topic_pattern: str | None = ""
    """A regular expression; empty or null where there is none."""
    assignor: str | None = None
    assigned: Owned = field(default_factory=dict)
    to_revoke: Owned = field(default_factory=dict)
    """Taken away, but not given up yet."""
    classic: ClassicSide | None = None

    @property
    def is_classic(self) -> bool:
        return self.classic is not None

    @property
    def pattern(self) -> str | None:
        """The regular expression, if it has one."""
        return self.topic_pattern or None

    @property
    def must_revoke(self) -> bool:
        return self.state is MemberState.UNREVOKED

    def is_reconciled_to(self, assignment_epoch: int) -> bool:
        return self.state is MemberState.STABLE and self.epoch == assignment_epoch

    def epoch_of(self, topic_id: bytes, partition: int) -> int | None:
        """In which epoch it got a partition that it still has."""
        for owned in (self.assigned, self.to_revoke):
            if partition in owned.get(topic_id, ()):
                return owned[topic_id][partition]
        return None

    def has_all(self, reported: Mapping[bytes, Collection[int]] | None) -> bool:
        """Whether it reported partitions, and all of them are assigned to it."""
        if reported is None:
            return False
        return all(
            topic_id in self.assigned and self.assigned[topic_id].keys() >= set(partitions)
            for topic_id, partitions in reported.items()
        )

    def has_same_partitions(self, other: ConsumerMember) -> bool:
        """Whether both are assigned the same, whenever it was."""
        return partitions_of(self.assigned) == partitions_of(other.assigned)


def partitions_of(owned: Owned) -> dict[bytes, set[int]]:
    """The partitions of each topic, without the epochs."""
    return {topic_id: set(partitions) for topic_id, partitions in owned.items()}


def owned_since(epoch: int, assignment: Mapping[bytes, Iterable[int]]) -> Owned:
    """These partitions, all from the same epoch."""
    return {
        topic_id: dict.fromkeys(partitions, epoch) for topic_id, partitions in assignment.items()
    }
