"""What is known of a group that may be behind: two samples of it, some seconds apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from moldau.client import TopicPartition

__all__ = [
    "MOVING",
    "GroupFacts",
    "PartitionFacts",
    "Sample",
    "group_facts",
    "rate_in",
    "rate_out",
]

MS_PER_SECOND = 1000
MOVING: Final = ("PreparingRebalance", "CompletingRebalance", "Assigning", "Reconciling")
"""States of a group during a rebalance."""


class PartitionFacts(NamedTuple):
    """The lag of a partition that the group reads; None for what is not known."""

    topic: str
    partition: int
    committed: int | None = None
    end: int | None = None
    rate_in: float | None = None
    """Records a second that come in."""
    rate_out: float | None = None
    """Records a second by which the committed offset moves on."""
    client: str | None = None
    """The client id of the member that owns it."""
    member: str | None = None

    @property
    def lag(self) -> int | None:
        if self.committed is None or self.end is None:
            return None
        return max(self.end - self.committed, 0)

    @property
    def waiting(self) -> int:
        return self.lag or 0

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


class GroupFacts(NamedTuple):
    """The lag of a whole group."""

    group: str
    state: str
    members: int
    seconds: float
    """Between the two samples."""
    partitions: tuple[PartitionFacts, ...]
    has_owners: bool = True
    """Whether one member alone reads a partition, and is known: not in share and streams groups."""

    @property
    def waiting(self) -> int:
        return sum(one.waiting for one in self.partitions)

    @property
    def rate_in(self) -> float:
        return rate_in(self.partitions)

    @property
    def rate_out(self) -> float:
        return rate_out(self.partitions)

    def owned_by(self, member: str | None) -> list[PartitionFacts]:
        return [one for one in self.partitions if one.member == member]


def rate_in(parts: Iterable[PartitionFacts]) -> float:
    return sum(one.rate_in or 0 for one in parts)


def rate_out(parts: Iterable[PartitionFacts]) -> float:
    return sum(one.rate_out or 0 for one in parts)


def _rate(before: int | None, after: int | None, ms: int) -> float | None:
    """None where it is not known: an offset that went back was moved by hand."""
    if before is None or after is None or after < before or ms <= 0:
        return None
    return (after - before) * MS_PER_SECOND / ms


class Sample(NamedTuple):
    """Committed offsets and log ends of a group at one time."""

    time_ms: int
    committed: dict[TopicPartition, int]
    ends: dict[TopicPartition, int]


def group_facts(
    about: GroupFacts, owners: dict[TopicPartition, tuple[str, str]], first: Sample, last: Sample
) -> GroupFacts:
    """`about` with its partitions, of two samples; owners are client ids and member ids."""
    ms = last.time_ms - first.time_ms
    parts = sorted({*last.committed, *owners})
    found = tuple(_partition(part, owners, first, last, ms) for part in parts)
    return about._replace(seconds=ms / MS_PER_SECOND, partitions=found)


def _partition(
    part: TopicPartition,
    owners: dict[TopicPartition, tuple[str, str]],
    first: Sample,
    last: Sample,
    ms: int,
) -> PartitionFacts:
    client, member = owners.get(part, (None, None))
    committed, end = last.committed.get(part), last.ends.get(part)
    return PartitionFacts(
        topic=part.topic,
        partition=part.partition,
        committed=committed,
        end=end,
        rate_in=_rate(first.ends.get(part), end, ms),
        rate_out=_rate(first.committed.get(part), committed, ms),
        client=client,
        member=member,
    )
