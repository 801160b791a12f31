"""A share group as its records say, and what it answers to offsets and administration."""

from __future__ import annotations

from typing import NoReturn

from moldau.broker.coordinator.group.epoch_group import GroupOfMembers
from moldau.broker.coordinator.group.group import Committed, GroupType, OffsetAge
from moldau.broker.coordinator.group.share.member import Assignment, ShareMember
from moldau.broker.coordinator.group.share.prepared import Prepared
from moldau.broker.coordinator.group.share.records import group_tombstones
from moldau.broker.coordinator.shard import StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

EMPTY = "Empty"
STABLE = "Stable"


class ShareGroup(GroupOfMembers[ShareMember]):
    """A share group: its members and what they read."""

    def __init__(self, group_id: str) -> None:
        super().__init__(group_id)
        self.target: dict[str, Assignment] = {}
        self.prepared = Prepared()
        self.has_prepared_record = False
        """Of a group that never asked for state Kafka notes nothing when topics are to leave it."""
        self.looks_again = True
        """Volatile: the metadata may have changed since the hash was computed."""

    def __repr__(self) -> str:
        return f"ShareGroup({self.group_id}, epoch {self.epoch}, {len(self.members)} members)"

    def topics(self) -> set[str]:
        """All that its members subscribe to."""
        return {name for member in self.members.values() for name in member.topic_names}

    # What all groups say of themselves.

    @property
    def group_type(self) -> GroupType:
        return GroupType.SHARE

    @property
    def protocol_type(self) -> str:
        return "share"

    @property
    def state_name(self) -> str:
        return STABLE if self.members else EMPTY

    def check_commit(
        self,
        member_id: str,
        instance_id: str | None,
        epoch: int,
        *,
        is_transactional: bool,
        version: int,
    ) -> bool:
        self._has_no_offsets()

    def check_commit_of(self, member_id: str, epoch: int, asked: Committed) -> None:
        self._has_no_offsets()

    def check_fetch(self, member_id: str | None, epoch: int) -> None:
        """OffsetFetch finds nothing committed."""

    def check_offset_delete(self) -> None:
        self._has_no_offsets()

    def _has_no_offsets(self) -> NoReturn:
        raise KafkaError(
            ErrorCode.GROUP_ID_NOT_FOUND, f"Group {self.group_id} is not a consumer group."
        )

    def check_delete(self) -> None:
        if self.members:
            raise KafkaError(
                ErrorCode.NON_EMPTY_GROUP, f"Share group {self.group_id} still has members."
            )

    def is_subscribed_to(self, topic: str) -> bool:
        return topic in self.topics()

    def offset_age(self) -> OffsetAge | None:
        return None

    def tombstones(self) -> list[StoredRecord]:
        return group_tombstones(self.group_id, list(self.members))
