"""Consumer groups as a kind of groups: which requests and records are theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.kind import ClassicGroups
from moldau.broker.coordinator.group.consumer.classic_members import ClassicMembers
from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.describe import Descriptions
from moldau.broker.coordinator.group.consumer.downgrade import Downgrade
from moldau.broker.coordinator.group.consumer.fencing import Fencing
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.heartbeat import Heartbeats
from moldau.broker.coordinator.group.consumer.lookups import Lookups
from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.progress import Progress
from moldau.broker.coordinator.group.consumer.replay import APPLIERS, GroupApplier
from moldau.broker.coordinator.group.consumer.subscribe import Subscriptions
from moldau.broker.coordinator.group.consumer.upgrade import Upgrade
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.kind import Applier, Decider
from moldau.broker.coordinator.shard import Reply
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.group.consumer_group_describe import ConsumerGroupDescribeRequest
from moldau.protocol.messages.group.consumer_group_heartbeat import ConsumerGroupHeartbeatRequest
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from moldau.protocol.messages.stored.consumer_group import ConsumerGroupMetadataKey
from moldau.protocol.wire.schema import Message


class ConsumerGroupKey(Protocol):
    """What the keys of all records of a group have."""

    @property
    def group_id(self) -> str: ...


class ConsumerGroups:
    """The consumer groups of a shard."""

    def __init__(self, groups: Groups, classic: ClassicGroups) -> None:
        context = self.context = ConsumerContext(groups, classic.rebalance)
        downgrade = Downgrade(context)
        self.fencing = Fencing(context, downgrade)
        subscriptions = Subscriptions(context, Lookups(context))
        self.progress = Progress(context, self.fencing)
        upgrade = Upgrade(context, self.fencing)
        self.heartbeats = Heartbeats(context, subscriptions, self.progress, self.fencing, upgrade)
        self.descriptions = Descriptions(context)
        self.classic_members = ClassicMembers(
            context, subscriptions, self.progress, self.fencing, downgrade, classic.joins
        )

    @property
    def group_type(self) -> GroupType:
        return GroupType.CONSUMER

    @property
    def deciders(self) -> Mapping[type[Message], Decider]:
        return {
            ConsumerGroupHeartbeatRequest: self.heartbeats.heartbeat,
            ConsumerGroupDescribeRequest: self.descriptions.describe,
        }

    @property
    def member_deciders(self) -> Mapping[type[Message], Decider]:
        return {
            JoinGroupRequest: self.classic_members.join,
            SyncGroupRequest: self.classic_members.sync,
            HeartbeatRequest: self.classic_members.heartbeat,
            LeaveGroupRequest: self.classic_members.leave,
        }

    @property
    def appliers(self) -> Mapping[type[Message], Applier]:
        return {key: partial(self._apply, applier) for key, applier in APPLIERS.items()}

    def _apply(
        self, applier: GroupApplier, key: ConsumerGroupKey, value: Message | None, now_ms: int
    ) -> None:
        """A record of a group, which begins with any of them; tombstones begin nothing.

        A simple group, of which there is nothing but offsets, makes way.
        """
        by_id = self.context.groups.by_id
        group = by_id.get(key.group_id)
        if value is None and not isinstance(group, ConsumerGroup):
            return
        if value is None and isinstance(key, ConsumerGroupMetadataKey):
            del by_id[key.group_id]
            return
        if not isinstance(group, ConsumerGroup):
            assert group is None or isinstance(group, ClassicGroup), f"{group!r} is in the way"
            group = by_id[key.group_id] = ConsumerGroup(key.group_id)
        applier(group, key, value)

    def touch_session(self, group_id: str, member_id: str, now_ms: int) -> None:
        """A commit is no heartbeat here: sessions of consumer groups live by heartbeats alone."""

    def loaded(self, draft: Draft, now_ms: int) -> None:
        """Every member has its full session to find us, and those who must let go their time."""
        self.context.topics_created_at = self.context.image.offset
        for group in self._consumer():
            session_ms = self.context.settings_of(group).session_timeout_ms
            for member in group.members.values():
                self._begin_timers(group, member, session_ms, now_ms)

    def _begin_timers(
        self, group: ConsumerGroup, member: ConsumerMember, session_ms: int, now_ms: int
    ) -> None:
        self.fencing.timers.touch_session(group.group_id, member.member_id, session_ms, now_ms)
        self.progress.watch_revocation(group.group_id, member, now_ms)

    def metadata_changed(self, draft: Draft, delta: Delta, image: Image, now_ms: int) -> None:
        """Groups that read a changed topic look at their topics with the next heartbeat."""
        before, after = delta.image.topics.by_id, image.topics.by_id
        changed = delta.changed_topics | delta.deleted_topics
        if not changed:
            return
        if any(topic_id not in before for topic_id in delta.changed_topics):
            self.context.topics_created_at = image.offset
        names = {topics[one].name for topics in (before, after) for one in changed if one in topics}
        for name in names:
            self.context.hashes.pop(name, None)
        for group in self._consumer():
            if any(group.is_subscribed_to(name) for name in names):
                group.request_refresh()

    def unloaded(self) -> Sequence[Reply]:
        """No request waits here: heartbeats are answered at once."""
        return ()

    def _consumer(self) -> Iterator[ConsumerGroup]:
        for group in tuple(self.context.groups.by_id.values()):
            if isinstance(group, ConsumerGroup):
                yield group
