"""A member of a streams group: one thread of an application, what it runs and in which epoch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import IntEnum

from moldau.broker.coordinator.group.streams.tasks import OwnedTasks
from moldau.platform.quick_dataclass import dataclass


class StreamsState(IntEnum):
    """Where a member is on its way to its target, by the numbers in its record."""

    STABLE = 1
    UNREVOKED = 2
    UNRELEASED = 3
    UNKNOWN = 127
    """Written by a coordinator of another time."""

    @classmethod
    def read(cls, number: int) -> StreamsState:
        return cls(number) if number in cls._value2member_map_ else cls.UNKNOWN


@dataclass(frozen=True, slots=True)
class StreamsMember:
    """One member, as a value."""

    member_id: str
    epoch: int = 0
    previous_epoch: int = 0
    state: StreamsState = StreamsState.STABLE
    instance_id: str | None = None
    rack_id: str | None = None
    rebalance_timeout_ms: int = -1
    client_id: str = ""
    client_host: str = ""
    topology_epoch: int = -1
    process_id: str = ""
    """Shared by the threads of one process, which share their state."""
    endpoint: tuple[str, int] | None = None
    """Where interactive queries reach it."""
    client_tags: Mapping[str, str] = field(default_factory=dict)
    assigned: OwnedTasks = field(default_factory=OwnedTasks)
    to_revoke: OwnedTasks = field(default_factory=OwnedTasks)
    """Taken away, but not given up yet."""

    @property
    def must_revoke(self) -> bool:
        return self.state is StreamsState.UNREVOKED

    def is_reconciled_to(self, assignment_epoch: int) -> bool:
        return self.state is StreamsState.STABLE and self.epoch == assignment_epoch

    def epoch_of(self, subtopology_id: str, partition: int) -> int | None:
        """In which epoch it got an active task that it still has."""
        for owned in (self.assigned.active, self.to_revoke.active):
            if partition in owned.get(subtopology_id, ()):
                return owned[subtopology_id][partition]
        return None
