"""A consumer group: its epochs, its members, their targets, and who has which partition.

Durable is what its records say, and only the `apply_…` methods assign it. Volatile is when the
topics were last looked at: a change of metadata clears it, and the next heartbeat looks again.

    group epoch > assignment epoch      Assigning: there will be a new target
    some member behind its target       Reconciling
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from moldau.coordinator.group.consumer.assignor.spec import Assignment
from moldau.coordinator.group.consumer.member import ConsumerMember, MemberState, Owned
from moldau.coordinator.group.consumer.records import classic_side, group_tombstones, owned_of
from moldau.coordinator.group.consumer.subscriptions import ResolvedPattern
from moldau.coordinator.group.group import Committed, GroupType, OffsetAge
from moldau.coordinator.group.java_order import JavaSet, int_hash
from moldau.coordinator.shard import StoredRecord
from moldau.errors import KafkaError
from moldau.messages.stored.consumer_group import (
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataValue,
    ConsumerGroupRegularExpressionValue,
    ConsumerGroupTargetAssignmentMemberValue,
    ConsumerGroupTargetAssignmentMetadataValue,
)
from moldau.wire.error_codes import ErrorCode

FIRST_EPOCH = 1
NO_EPOCH = -1
COMMITS_WITH_MEMBER_EPOCH = 9
"""From this version of OffsetCommit on."""
_NOBODY = ConsumerMember("")


class ConsumerGroup:
    """One group; `heartbeat` and its kin decide what becomes of it."""

    def __init__(self, group_id: str) -> None:
        self.group_id = group_id
        self.epoch = FIRST_EPOCH
        self.metadata_hash = 0
        self.assignment_epoch = FIRST_EPOCH
        self.assigned_at_ms = 0
        self.members: dict[str, ConsumerMember] = {}
        self.member_id_of_instance: dict[str, str] = {}
        self.targets: dict[str, Assignment] = {}
        self.resolved: dict[str, ResolvedPattern] = {}
        self.pattern_readers: Counter[str] = Counter()
        """Patterns, and how many members read each; none without readers."""
        self.has_old_metadata = False
        """It has a record of a kind that is not written any more."""
        self._owner_epochs: dict[tuple[bytes, int], int] = {}
        """Partitions that a member has, or has not let go of yet, and that member's epoch."""
        self._refresh_at_ms = 0
        self._refreshed_epoch = 0

    def __repr__(self) -> str:
        return (
            f"ConsumerGroup({self.group_id!r}, {self.state_name}, epoch {self.epoch}, "
            f"{len(self.members)} members)"
        )

    # What every group says.

    @property
    def group_type(self) -> GroupType:
        return GroupType.CONSUMER

    @property
    def protocol_type(self) -> str:
        return "consumer"

    @property
    def state_name(self) -> str:
        if not self.members:
            return "Empty"
        if self.epoch > self.assignment_epoch:
            return "Assigning"
        if all(one.is_reconciled_to(self.assignment_epoch) for one in self.members.values()):
            return "Stable"
        return "Reconciling"

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
        """Members commit in their epoch; an older one is looked at partition by partition."""
        if epoch < 0 and self.is_empty:
            return False
        if is_transactional and (epoch, member_id, instance_id) == (NO_EPOCH, "", None):
            return False
        member = self.member(member_id)
        is_modern = not is_transactional and not member.is_classic
        if is_modern and version < COMMITS_WITH_MEMBER_EPOCH:
            raise KafkaError(
                ErrorCode.UNSUPPORTED_VERSION,
                f"Member {member_id} has to commit with OffsetCommit version "
                f"{COMMITS_WITH_MEMBER_EPOCH} or later, which carries its epoch.",
            )
        if epoch > member.epoch:
            raise _stale(member, f"Epoch {epoch} is newer than {member.epoch}, its member's.")
        return epoch < member.epoch

    def check_commit_of(self, member_id: str, epoch: int, asked: Committed) -> None:
        """An older epoch will do if the member has had the partition since then."""
        member = self.member(member_id)
        since = member.epoch_of(asked.topic_id, asked.partition)
        if since is None or epoch < since:
            raise _stale(member, f"Member {member_id} did not have the partition in epoch {epoch}.")

    def check_fetch(self, member_id: str | None, epoch: int) -> None:
        """Members read in their epoch; who is no member says so."""
        if member_id is None and epoch < 0:
            return
        member = self.member(member_id or "")
        if epoch != member.epoch:
            raise _stale(member, f"Epoch {epoch} is not {member.epoch}, its member's.")

    def check_offset_delete(self) -> None:
        """Offsets of topics that nobody reads may always go."""

    def check_delete(self) -> None:
        if not self.is_empty:
            raise KafkaError(ErrorCode.NON_EMPTY_GROUP, f"Group {self.group_id} is not empty.")

    def is_subscribed_to(self, topic: str) -> bool:
        return any(topic in member.topic_names for member in self.members.values()) or any(
            topic in resolved.topics for resolved in self.resolved.values()
        )

    def offset_age(self) -> OffsetAge | None:
        return lambda committed_ms: committed_ms

    def tombstones(self) -> list[StoredRecord]:
        return group_tombstones(self.group_id, list(self.members), self.resolved)

    # Finding.

    def member(self, member_id: str) -> ConsumerMember:
        """The member, or UNKNOWN_MEMBER_ID."""
        member = self.members.get(member_id)
        if member is None:
            raise KafkaError(
                ErrorCode.UNKNOWN_MEMBER_ID,
                f"Member {member_id} is not a member of group {self.group_id}.",
            )
        return member

    def static_member(self, instance_id: str | None) -> ConsumerMember | None:
        """Who has the place of this instance."""
        member_id = self.member_id_of_instance.get(instance_id or "")
        return None if member_id is None else self.members.get(member_id)

    def target_of(self, member_id: str, instance_id: str | None = None) -> Assignment:
        """What the member shall have; of a static one, whatever shall be in its place."""
        if instance_id is not None:
            return self.targets.get(self.member_id_of_instance.get(instance_id, ""), {})
        return self.targets.get(member_id, {})

    def has_owner(self, topic_id: bytes, partition: int) -> bool:
        """Whether a member has this partition, or has not let go of it yet."""
        return (topic_id, partition) in self._owner_epochs

    # Volatile: when to look at the topics again.

    def needs_refresh(self, now_ms: int) -> bool:
        return now_ms >= self._refresh_at_ms or self.epoch < self._refreshed_epoch

    def refreshed(self, until_ms: int, epoch: int) -> None:
        """The topics were looked at in this epoch; if that is not written after all, look again."""
        self._refresh_at_ms, self._refreshed_epoch = until_ms, epoch

    def request_refresh(self) -> None:
        self.refreshed(0, 0)

    # Applied records.

    def apply_group(self, value: ConsumerGroupMetadataValue) -> None:
        self.epoch, self.metadata_hash = value.epoch, value.metadata_hash

    def apply_member(self, member_id: str, value: ConsumerGroupMemberMetadataValue | None) -> None:
        if value is None:
            self._remove(member_id)
            return
        member = replace(
            self.members.get(member_id, ConsumerMember(member_id)),
            instance_id=value.instance_id,
            rack_id=value.rack_id,
            client_id=value.client_id,
            client_host=value.client_host,
            topic_names=tuple(sorted(set(value.subscribed_topic_names))),
            topic_pattern=value.subscribed_topic_regex,
            rebalance_timeout_ms=value.rebalance_timeout_ms,
            assignor=value.server_assignor,
            classic=classic_side(value.classic_member_metadata),
        )
        self._put(member)

    def apply_assignment_epoch(
        self, value: ConsumerGroupTargetAssignmentMetadataValue | None
    ) -> None:
        self.assignment_epoch = NO_EPOCH if value is None else value.assignment_epoch
        self.assigned_at_ms = 0 if value is None else value.assignment_timestamp

    def apply_target(
        self, member_id: str, value: ConsumerGroupTargetAssignmentMemberValue | None
    ) -> None:
        if value is None:
            self.targets.pop(member_id, None)
            return
        self.targets[member_id] = {
            entry.topic_id: tuple(JavaSet.copied(int_hash, entry.partitions))
            for entry in value.topic_partitions
        }

    def apply_current(
        self, member_id: str, value: ConsumerGroupCurrentMemberAssignmentValue | None
    ) -> None:
        known = self.members.get(member_id)
        if value is None:
            if known is not None:
                left = replace(known, epoch=-1, previous_epoch=-1, assigned={}, to_revoke={})
                self._put(left)
            return
        member = replace(
            known or ConsumerMember(member_id),
            epoch=value.member_epoch,
            previous_epoch=value.previous_member_epoch,
            state=MemberState.read(value.state),
            assigned=owned_of(value.assigned_partitions, value.member_epoch),
            to_revoke=owned_of(value.partitions_pending_revocation, value.member_epoch),
        )
        self._put(member)

    def apply_pattern(
        self, pattern: str, value: ConsumerGroupRegularExpressionValue | None
    ) -> None:
        if value is None:
            self.resolved.pop(pattern, None)
        else:
            self.resolved[pattern] = ResolvedPattern(
                frozenset(value.topics), value.version, value.timestamp
            )

    def apply_old_metadata(self, is_there: bool) -> None:
        self.has_old_metadata = is_there

    def _put(self, member: ConsumerMember) -> None:
        before = self.members.get(member.member_id, _NOBODY)
        self._release(before)
        self._count_pattern(before.pattern, -1)
        self._count_pattern(member.pattern, 1)
        self.members[member.member_id] = member
        for owned in (member.assigned, member.to_revoke):
            self._take(owned, member.epoch)
        if member.instance_id is not None:
            self.member_id_of_instance[member.instance_id] = member.member_id

    def _remove(self, member_id: str) -> None:
        member = self.members.pop(member_id, None)
        if member is None:
            return
        self._release(member)
        self._count_pattern(member.pattern, -1)
        if self.member_id_of_instance.get(member.instance_id or "") == member_id:
            del self.member_id_of_instance[member.instance_id or ""]

    def _count_pattern(self, pattern: str | None, change: int) -> None:
        if pattern is not None:
            self.pattern_readers[pattern] += change
            if not self.pattern_readers[pattern]:
                del self.pattern_readers[pattern]

    def _take(self, owned: Owned, epoch: int) -> None:
        for topic_id, partitions in owned.items():
            for partition in partitions:
                self._owner_epochs[topic_id, partition] = epoch

    def _release(self, member: ConsumerMember) -> None:
        """What somebody else has got in the meantime stays where it is."""
        for owned in (member.assigned, member.to_revoke):
            for topic_id, partitions in owned.items():
                for partition in partitions:
                    if self._owner_epochs.get((topic_id, partition)) == member.epoch:
                        del self._owner_epochs[topic_id, partition]


def _stale(member: ConsumerMember, message: str) -> KafkaError:
    """Members of the classic protocol know epochs as generations."""
    code = ErrorCode.ILLEGAL_GENERATION if member.is_classic else ErrorCode.STALE_MEMBER_EPOCH
    return KafkaError(code, message)
