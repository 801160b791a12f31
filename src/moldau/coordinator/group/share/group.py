"""A share group as its records say, and what it answers to offsets and administration."""

from __future__ import annotations

from typing import NoReturn

from moldau.coordinator.group.group import Committed, GroupType, OffsetAge
from moldau.coordinator.group.share.member import Assignment, ShareMember
from moldau.coordinator.group.share.prepared import Prepared
from moldau.coordinator.group.share.records import group_tombstones
from moldau.coordinator.shard import StoredRecord
from moldau.errors import KafkaError
from moldau.wire.error_codes import ErrorCode

EMPTY = "Empty"
STABLE = "Stable"
FIRST_EPOCH = 1


class ShareGroup:
    """Who shares, and what."""

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.epoch = FIRST_EPOCH
        self.metadata_hash = 0
        self.assignment_epoch = FIRST_EPOCH
        self.assigned_at_ms = 0
        self.members: dict[str, ShareMember] = {}
        self.target: dict[str, Assignment] = {}
        self.prepared = Prepared()
        self.looks_again = True
        """Volatile: the metadata may have changed since the hash was computed."""

    def __repr__(self) -> str:
        return f"ShareGroup({self.group_id}, epoch {self.epoch}, {len(self.members)} members)"

    def member(self, member_id: str) -> ShareMember:
        """The member, or UNKNOWN_MEMBER_ID."""
        member = self.members.get(member_id)
        if member is None:
            raise KafkaError(
                ErrorCode.UNKNOWN_MEMBER_ID,
                f"Member {member_id} is not a member of group {self.group_id}.",
            )
        return member

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

    @property
    def is_empty(self) -> bool:
        return not self.members

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
        self._has_no_offsets()

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
