"""A partition on its way from what it is to what it shall be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import Enum

from moldau.broker.metadata.topics import PartitionState
from moldau.platform.quick_dataclass import dataclass


class Election(Enum):
    """Which replicas may lead, and when the leader is changed."""

    PREFERRED = "preferred"
    """The first replica takes over if it may lead."""
    ONLINE = "online"
    """A leader stays as long as it may lead; no record is lost."""
    UNCLEAN = "unclean"
    """If none of these is left, any live replica may lead; records may be lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What holds for a partition whatever is wanted of it."""

    may_lead: Callable[[int], bool]
    """Whether the broker lives, stays, and has the replica's directory."""
    default_directory: Callable[[int], bytes]
    min_isr: int
    """In force for this partition: never above its number of replicas."""
    elr_enabled: bool = True
    has_directories: bool = True
    bumps_epoch_on_isr_shrink: bool = False
    """As before metadata.version 12."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartitionChange:
    """What shall change; None stays as it is."""

    isr: tuple[int, ...] | None = None
    replicas: tuple[int, ...] | None = None
    removing: tuple[int, ...] | None = None
    adding: tuple[int, ...] | None = None
    election: Election = Election.ONLINE
    recovery_state: int | None = None
    unclean_shutdown: frozenset[int] = frozenset()
    """Brokers that came back without proof that they kept all they had."""
    directories: Mapping[int, bytes] = field(default_factory=dict)
    """By broker: where its replica lies from now on."""


@dataclass(slots=True)
class Target:
    """What the partition shall be, as far as it is worked out."""

    state: PartitionState
    """What it is."""
    isr: tuple[int, ...]
    replicas: tuple[int, ...]
    removing: tuple[int, ...]
    adding: tuple[int, ...]
    elr: tuple[int, ...]
    recovery_state: int
    directories: dict[int, bytes]

    @classmethod
    def of(cls, state: PartitionState, change: PartitionChange) -> Target:
        known = dict(zip(state.replicas, state.directories, strict=True))
        return cls(
            state=state,
            isr=state.isr if change.isr is None else change.isr,
            replicas=state.replicas if change.replicas is None else change.replicas,
            removing=state.removing_replicas if change.removing is None else change.removing,
            adding=state.adding_replicas if change.adding is None else change.adding,
            elr=state.eligible_leader_replicas,
            recovery_state=(
                state.recovery_state if change.recovery_state is None else change.recovery_state
            ),
            directories={**known, **change.directories},
        )

    def complete_move(self) -> None:
        """If every replica that is to come is in sync, those that are to go are gone."""
        if not self.removing and not self.adding:
            return
        replicas = tuple(replica for replica in self.replicas if replica not in self.removing)
        isr = tuple(replica for replica in self.isr if replica not in self.removing)
        if not isr or not replicas or not set(self.adding) <= set(isr):
            return
        if len(self.adding) < len(self.removing) and not set(replicas) <= set(isr):
            return
        self.replicas, self.isr, self.removing, self.adding = replicas, isr, (), ()

    def take_out_eligible(self, min_isr: int, unclean_shutdown: frozenset[int]) -> None:
        """A replica that leaves a set below the minimum lacks nothing acknowledged (KIP-966)."""
        if len(self.isr) >= min_isr:
            self.elr = ()
            return
        candidates = {*self.elr, *self.state.isr}
        self.elr = tuple(sorted(candidates - {*self.isr} - unclean_shutdown))
