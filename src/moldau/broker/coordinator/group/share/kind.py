"""Share groups as a kind of groups: which requests and records are theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.epoch_group import FIRST_EPOCH
from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.kind import Applier, Decider
from moldau.broker.coordinator.group.share.context import ShareContext
from moldau.broker.coordinator.group.share.describe import Descriptions
from moldau.broker.coordinator.group.share.group import ShareGroup
from moldau.broker.coordinator.group.share.heartbeat import Heartbeats
from moldau.broker.coordinator.group.share.member import LEFT, ShareMember
from moldau.broker.coordinator.group.share.offsets import StartOffsets
from moldau.broker.coordinator.group.share.prepared import Prepared
from moldau.broker.coordinator.group.share.records import (
    assignment_of,
    prepared_of,
    prepared_record,
)
from moldau.broker.coordinator.group.share.steps import ForgetShares, ShareStep
from moldau.broker.coordinator.shard import Reply
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.share.alter_share_group_offsets import AlterShareGroupOffsetsRequest
from moldau.protocol.messages.share.delete_share_group_offsets import DeleteShareGroupOffsetsRequest
from moldau.protocol.messages.share.describe_share_group_offsets import (
    DescribeShareGroupOffsetsRequest,
)
from moldau.protocol.messages.share.share_group_describe import ShareGroupDescribeRequest
from moldau.protocol.messages.share.share_group_heartbeat import ShareGroupHeartbeatRequest
from moldau.protocol.messages.stored import share_group as stored
from moldau.protocol.wire.schema import Message


class ShareGroups:
    """The share groups of a shard."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self._context = ShareContext(groups)
        self.heartbeats = Heartbeats(self._context)
        self._descriptions = Descriptions(self._context)
        self._offsets = StartOffsets(self._context)

    @property
    def group_type(self) -> GroupType:
        return GroupType.SHARE

    @property
    def deciders(self) -> Mapping[type[Message], Decider]:
        return {
            ShareGroupHeartbeatRequest: self.heartbeats.heartbeat,
            ShareGroupDescribeRequest: self._descriptions.describe,
            DescribeShareGroupOffsetsRequest: self._offsets.describe,
            AlterShareGroupOffsetsRequest: self._offsets.alter,
            DeleteShareGroupOffsetsRequest: self._offsets.delete,
            ForgetShares: self._offsets.forget,
            ShareStep: self._offsets.step,
        }

    @property
    def member_deciders(self) -> Mapping[type[Message], Decider]:
        return {}

    @property
    def appliers(self) -> Mapping[type[Message], Applier]:
        return {
            stored.ShareGroupMetadataKey: self._apply_group,
            stored.ShareGroupMemberMetadataKey: self._apply_member,
            stored.ShareGroupTargetAssignmentMetadataKey: self._apply_assignment_epoch,
            stored.ShareGroupTargetAssignmentMemberKey: self._apply_target,
            stored.ShareGroupCurrentMemberAssignmentKey: self._apply_current,
            stored.ShareGroupStatePartitionMetadataKey: self._apply_prepared,
        }

    # Records.

    def _find(self, group_id: str, *, or_make: bool) -> ShareGroup | None:
        group = self._groups.by_id.get(group_id)
        if isinstance(group, ShareGroup):
            return group
        if not or_make:
            return None
        made = self._groups.by_id[group_id] = ShareGroup(group_id)
        return made

    def _apply_group(
        self,
        key: stored.ShareGroupMetadataKey,
        value: stored.ShareGroupMetadataValue | None,
        now_ms: int,
    ) -> None:
        group = self._find(key.group_id, or_make=value is not None)
        if group is None:
            return
        if value is None:
            del self._groups.by_id[key.group_id]
            return
        group.epoch, group.metadata_hash = value.epoch, value.metadata_hash

    def _apply_member(
        self,
        key: stored.ShareGroupMemberMetadataKey,
        value: stored.ShareGroupMemberMetadataValue | None,
        now_ms: int,
    ) -> None:
        group = self._find(key.group_id, or_make=value is not None)
        if group is None:
            return
        if value is None:
            group.members.pop(key.member_id, None)
            return
        known = group.members.get(key.member_id, ShareMember(key.member_id))
        group.members[key.member_id] = replace(
            known,
            rack_id=value.rack_id,
            client_id=value.client_id,
            client_host=value.client_host,
            topic_names=tuple(value.subscribed_topic_names),
        )

    def _apply_assignment_epoch(
        self,
        key: stored.ShareGroupTargetAssignmentMetadataKey,
        value: stored.ShareGroupTargetAssignmentMetadataValue | None,
        now_ms: int,
    ) -> None:
        group = self._find(key.group_id, or_make=value is not None)
        if group is not None:
            group.assignment_epoch = FIRST_EPOCH if value is None else value.assignment_epoch
            group.assigned_at_ms = 0 if value is None else value.assignment_timestamp

    def _apply_target(
        self,
        key: stored.ShareGroupTargetAssignmentMemberKey,
        value: stored.ShareGroupTargetAssignmentMemberValue | None,
        now_ms: int,
    ) -> None:
        group = self._find(key.group_id, or_make=value is not None)
        if group is None:
            return
        if value is None:
            group.target.pop(key.member_id, None)
        else:
            group.target[key.member_id] = assignment_of(value.topic_partitions)

    def _apply_current(
        self,
        key: stored.ShareGroupCurrentMemberAssignmentKey,
        value: stored.ShareGroupCurrentMemberAssignmentValue | None,
        now_ms: int,
    ) -> None:
        group = self._find(key.group_id, or_make=value is not None)
        if group is None:
            return
        known = group.members.get(key.member_id)
        if value is not None:
            group.members[key.member_id] = replace(
                known or ShareMember(key.member_id),
                epoch=value.member_epoch,
                previous_epoch=value.previous_member_epoch,
                assigned=assignment_of(value.assigned_partitions),
            )
        elif known is not None:
            left = replace(known, epoch=LEFT, previous_epoch=LEFT, assigned={})
            group.members[key.member_id] = left

    def _apply_prepared(
        self,
        key: stored.ShareGroupStatePartitionMetadataKey,
        value: stored.ShareGroupStatePartitionMetadataValue | None,
        now_ms: int,
    ) -> None:
        group = self._find(key.group_id, or_make=value is not None)
        if group is not None:
            group.prepared = Prepared() if value is None else prepared_of(value, now_ms)
            group.has_prepared_record = value is not None

    # The rest of a kind's life.

    def touch_session(self, group_id: str, member_id: str, now_ms: int) -> None:
        """Members of share groups commit nothing here."""

    def loaded(self, draft: Draft, now_ms: int) -> None:
        """Every member has its full session to find us."""
        for group in self._share_groups():
            for member_id in group.members:
                self.heartbeats.touch_session(group, member_id, now_ms)

    def metadata_changed(self, draft: Draft, delta: Delta, image: Image, now_ms: int) -> None:
        """Groups look again at topics that have changed; state of those that are gone goes."""
        changed = delta.changed_topics | delta.deleted_topics
        if not changed:
            return
        for images in (image, delta.image):
            for topic_id in changed & images.topics.by_id.keys():
                self._context.hashes.pop(images.topics.by_id[topic_id].name, None)
        for group in self._share_groups():
            group.looks_again = True
            left = group.prepared.parted(delta.deleted_topics)
            if left != group.prepared:
                draft.records.append(prepared_record(group.group_id, left))

    def unloaded(self) -> Sequence[Reply]:
        return ()

    def _share_groups(self) -> Iterator[ShareGroup]:
        for group in tuple(self._groups.by_id.values()):
            if isinstance(group, ShareGroup):
                yield group
