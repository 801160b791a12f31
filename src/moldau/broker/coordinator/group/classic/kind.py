"""Classic groups as a kind of groups: which requests and records are theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from moldau.broker.coordinator.group.classic.answers import dismiss
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.heartbeat import Heartbeats
from moldau.broker.coordinator.group.classic.join import Joins
from moldau.broker.coordinator.group.classic.leave import Leaves
from moldau.broker.coordinator.group.classic.rebalance import Rebalance
from moldau.broker.coordinator.group.classic.states import ClassicState
from moldau.broker.coordinator.group.classic.sync import Syncs
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.kind import Applier, Decider
from moldau.broker.coordinator.shard import Reply
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.group.heartbeat import HeartbeatRequest
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.group.leave_group import LeaveGroupRequest
from moldau.protocol.messages.group.sync_group import SyncGroupRequest
from moldau.protocol.messages.stored.classic_group import GroupMetadataKey, GroupMetadataValue
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message


class ClassicGroups:
    """The classic groups of a shard."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self.rebalance = Rebalance(groups)
        self.joins = Joins(groups, self.rebalance)
        self.syncs = Syncs(groups, self.rebalance)
        self.heartbeats = Heartbeats(groups, self.rebalance.sessions)
        self.leaves = Leaves(groups, self.rebalance)

    @property
    def group_type(self) -> GroupType:
        return GroupType.CLASSIC

    @property
    def deciders(self) -> Mapping[type[Message], Decider]:
        return {}

    @property
    def member_deciders(self) -> Mapping[type[Message], Decider]:
        return {
            JoinGroupRequest: self.joins.join,
            SyncGroupRequest: self.syncs.sync,
            HeartbeatRequest: self.heartbeats.heartbeat,
            LeaveGroupRequest: self.leaves.leave,
        }

    @property
    def appliers(self) -> Mapping[type[Message], Applier]:
        return {GroupMetadataKey: self.apply}

    def apply(self, key: GroupMetadataKey, value: GroupMetadataValue | None, now_ms: int) -> None:
        """A record of a group; a tombstone leaves a group of another kind alone."""
        group = self._groups.by_id.get(key.group)
        if value is None:
            if isinstance(group, ClassicGroup):
                del self._groups.by_id[key.group]
            return
        if not isinstance(group, ClassicGroup):
            group = self._groups.by_id[key.group] = ClassicGroup(key.group, now_ms)
        group.settle(value, now_ms)

    def touch_session(self, group_id: str, member_id: str, now_ms: int) -> None:
        """A commit keeps the session, but while the group waits for its assignment."""
        group = self._groups.by_id.get(group_id)
        lives = (ClassicState.STABLE, ClassicState.PREPARING)
        if isinstance(group, ClassicGroup) and group.state in lives and member_id in group.members:
            self.rebalance.sessions.touch_session(group, group.members[member_id], now_ms)

    def loaded(self, draft: Draft, now_ms: int) -> None:
        """Every member has its full session to find us; a group that is too large starts anew."""
        size_max = self._groups.context.settings.group_max_size
        for group in self._classic():
            for member in group.members.values():
                self.rebalance.sessions.touch_session(group, member, now_ms)
            if len(group.members) > size_max:
                self.rebalance.prepare(group, draft, now_ms)

    def metadata_changed(self, draft: Draft, delta: Delta, image: Image, now_ms: int) -> None:
        """Clients of classic groups look after topics themselves."""

    def unloaded(self) -> Sequence[Reply]:
        draft = Draft()
        for group in self._classic():
            for member in group.members.values():
                dismiss(member, ErrorCode.NOT_COORDINATOR, draft, member.member_id)
        return draft.replies

    def _classic(self) -> Iterator[ClassicGroup]:
        for group in tuple(self._groups.by_id.values()):
            if isinstance(group, ClassicGroup):
                yield group
