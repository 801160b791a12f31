"""A consumer group: its members, their targets, and who has which partition.

Epochs, and what they allow, are in `epoch_group`.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment
from moldau.broker.coordinator.group.consumer.member import ConsumerMember, MemberState, Owned
from moldau.broker.coordinator.group.consumer.records import (
    classic_side,
    group_tombstones,
    owned_of,
)
from moldau.broker.coordinator.group.consumer.subscriptions import ResolvedPattern
from moldau.broker.coordinator.group.epoch_group import EpochGroup
from moldau.broker.coordinator.group.group import Committed, GroupType
from moldau.broker.coordinator.group.java_order import JavaSet, int_hash
from moldau.broker.coordinator.shard import StoredRecord
from moldau.protocol.messages.stored.consumer_group import (
    ConsumerGroupCurrentMemberAssignmentValue,
    ConsumerGroupMemberMetadataValue,
    ConsumerGroupMetadataValue,
    ConsumerGroupRegularExpressionValue,
    ConsumerGroupTargetAssignmentMemberValue,
)

_NO_MEMBER = ConsumerMember("")


class ConsumerGroup(EpochGroup[ConsumerMember]):
    """One group; `heartbeat` and its kin decide what becomes of it."""

    def __init__(self, group_id: str) -> None:
        super().__init__(group_id)
        self.member_id_of_instance: dict[str, str] = {}
        self.targets: dict[str, Assignment] = {}
        self.resolved: dict[str, ResolvedPattern] = {}
        self.pattern_readers: Counter[str] = Counter()
        """Patterns, and how many members read each; none without readers."""
        self.has_old_metadata = False
        """It has a record of a kind that is not written any more."""
        self._owner_epochs: dict[tuple[bytes, int], int] = {}
        """Partitions that a member has, or has not let go of yet, and that member's epoch."""

    # What every kind of group answers.

    @property
    def group_type(self) -> GroupType:
        return GroupType.CONSUMER

    @property
    def protocol_type(self) -> str:
        return "consumer"

    def knows_epochs(self, member: ConsumerMember) -> bool:
        return not member.is_classic

    def check_commit_of(self, member_id: str, epoch: int, asked: Committed) -> None:
        """An older epoch will do if the member has had the partition since then."""
        member = self.member(member_id)
        since = member.epoch_of(asked.topic_id, asked.partition)
        if since is None or epoch < since:
            raise self.stale(
                member, f"Member {member_id} did not have the partition in epoch {epoch}."
            )

    def is_subscribed_to(self, topic: str) -> bool:
        return any(topic in member.topic_names for member in self.members.values()) or any(
            topic in resolved.topics for resolved in self.resolved.values()
        )

    def tombstones(self) -> list[StoredRecord]:
        return group_tombstones(self.group_id, list(self.members), self.resolved)

    # Finding.

    def static_member(self, instance_id: str | None) -> ConsumerMember | None:
        """The member with this instance id."""
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
        before = self.members.get(member.member_id, _NO_MEMBER)
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
        """What another member has got in the meantime stays where it is."""
        for owned in (member.assigned, member.to_revoke):
            for topic_id, partitions in owned.items():
                for partition in partitions:
                    if self._owner_epochs.get((topic_id, partition)) == member.epoch:
                        del self._owner_epochs[topic_id, partition]
