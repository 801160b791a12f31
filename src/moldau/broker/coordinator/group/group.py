"""What every group has, whatever its kind: for offsets, for lists, for administration."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import NamedTuple, Protocol

from moldau.broker.coordinator.shard import StoredRecord

OffsetAge = Callable[[int], int]
"""From the time of a commit to the time from which its retention counts."""


class GroupType(Enum):
    """The kinds of groups, by the names that Kafka lists them under."""

    CLASSIC = "classic"
    CONSUMER = "consumer"
    SHARE = "share"
    STREAMS = "streams"


class Committed(NamedTuple):
    """A partition with a committed offset."""

    topic: str
    topic_id: bytes
    partition: int


class Group(Protocol):
    """One group. Checks raise `KafkaError`; none of these methods assigns anything durable."""

    @property
    def group_id(self) -> str: ...

    @property
    def group_type(self) -> GroupType: ...

    @property
    def protocol_type(self) -> str:
        """As ListGroups shows it: `consumer`, `connect`, `share`; empty where only commits are."""
        ...

    @property
    def state_name(self) -> str:
        """Kafka's name of its state: `Empty`, `Stable` and so on."""
        ...

    @property
    def is_empty(self) -> bool:
        """Without members, so that it may be deleted."""
        ...

    def check_commit(
        self,
        member_id: str,
        instance_id: str | None,
        epoch: int,
        *,
        is_transactional: bool,
        version: int,
    ) -> bool:
        """Whether this member may commit in this generation or member epoch.

        True: its epoch is an older one, and each partition has to be asked about.
        """
        ...

    def check_commit_of(self, member_id: str, epoch: int, asked: Committed) -> None:
        """Whether this partition may be committed with an epoch that is older than the member's."""
        ...

    def check_fetch(self, member_id: str | None, epoch: int) -> None:
        """Whether this member may read offsets."""
        ...

    def check_offset_delete(self) -> None:
        """Whether single offsets may be deleted."""
        ...

    def check_delete(self) -> None:
        """Whether the group may be deleted."""
        ...

    def is_subscribed_to(self, topic: str) -> bool:
        """Whether a live member reads the topic, so that its offsets have to stay."""
        ...

    def offset_age(self) -> OffsetAge | None:
        """How old its offsets are for their retention; None as long as none may expire."""
        ...

    def tombstones(self) -> list[StoredRecord]:
        """The records that delete the group, its offsets left aside."""
        ...
