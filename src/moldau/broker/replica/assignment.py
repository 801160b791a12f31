"""What the metadata has of one partition, as far as a replica needs it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

NO_LEADER = -1


class Assignment(Protocol):
    """The part of the metadata's partition state that is read here."""

    @property
    def replicas(self) -> Sequence[int]: ...

    @property
    def directories(self) -> Sequence[bytes]:
        """The id of each replica's log directory, in the order of `replicas`."""
        ...

    @property
    def adding_replicas(self) -> Sequence[int]:
        """Those that a reassignment adds."""
        ...

    @property
    def isr(self) -> Sequence[int]: ...

    @property
    def leader(self) -> int: ...

    @property
    def leader_epoch(self) -> int: ...

    @property
    def partition_epoch(self) -> int:
        """Counts every change of the partition, of which a new leader is one kind."""
        ...
