"""Streams groups as a kind of groups: which requests and records are theirs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.join import Joins
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.group import GroupType
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.kind import Applier, Decider
from moldau.broker.coordinator.group.streams.context import StreamsContext
from moldau.broker.coordinator.group.streams.describe import Descriptions
from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.broker.coordinator.group.streams.heartbeat import Heartbeats
from moldau.broker.coordinator.group.streams.replay import APPLIERS, GroupApplier
from moldau.broker.coordinator.group.streams.topology import required_topics
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext
from moldau.broker.metadata.delta import Delta
from moldau.broker.metadata.image import Image
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.messages.stored.streams_group import (
    StreamsGroupMetadataKey,
    StreamsGroupTopologyKey,
)
from moldau.protocol.messages.streams.streams_group_describe import StreamsGroupDescribeRequest
from moldau.protocol.messages.streams.streams_group_heartbeat import StreamsGroupHeartbeatRequest
from moldau.protocol.wire.schema import Message


class StreamsGroupKey(Protocol):
    """What the keys of all records of a group have."""

    @property
    def group_id(self) -> str: ...


class StreamsGroups:
    """The streams groups of a shard."""

    def __init__(self, groups: Groups, joins: Joins) -> None:
        self.context = StreamsContext(groups)
        self.heartbeats = Heartbeats(self.context)
        self.descriptions = Descriptions(self.context)
        self._joins = joins

    @property
    def group_type(self) -> GroupType:
        return GroupType.STREAMS

    @property
    def deciders(self) -> Mapping[type[Message], Decider]:
        return {
            StreamsGroupHeartbeatRequest: self.heartbeats.heartbeat,
            StreamsGroupDescribeRequest: self.descriptions.describe,
        }

    @property
    def member_deciders(self) -> Mapping[type[Message], Decider]:
        return {JoinGroupRequest: self.join}

    def join(self, request: JoinGroupRequest, asking: RequestContext, now_ms: int) -> Decision:
        """An empty group gives way to a classic one; any other has no classic members."""
        group = self.context.group(request.group_id)
        is_empty = group is not None and group.is_empty
        tombstones = group.tombstones() if group is not None and is_empty else ()
        return self._joins.join(request, asking, now_ms, instead_of=tombstones)

    @property
    def appliers(self) -> Mapping[type[Message], Applier]:
        return {key: partial(self._apply, applier) for key, applier in APPLIERS.items()}

    def _apply(
        self, applier: GroupApplier, key: StreamsGroupKey, value: Message | None, now_ms: int
    ) -> None:
        """A record of a group, which begins with any of them; tombstones begin nothing."""
        by_id = self.context.groups.by_id
        group = by_id.get(key.group_id)
        if value is None and not isinstance(group, StreamsGroup):
            return
        if value is None and isinstance(key, StreamsGroupMetadataKey):
            del by_id[key.group_id]
            return
        if not isinstance(group, StreamsGroup):
            assert group is None or isinstance(group, ClassicGroup), f"{group!r} is in the way"
            group = by_id[key.group_id] = StreamsGroup(key.group_id)
        if isinstance(key, StreamsGroupTopologyKey):
            group.request_refresh()
        applier(group, key, value)

    def touch_session(self, group_id: str, member_id: str, now_ms: int) -> None:
        """A commit is no heartbeat here: sessions of streams groups live by heartbeats alone."""

    def loaded(self, draft: Draft, now_ms: int) -> None:
        """Every member has its full session to find us, and those who must let go their time."""
        for group in self._streams():
            for member in group.members.values():
                self.context.touch_session(group, member.member_id, now_ms)
                self.context.timers.watch_revocation(group.group_id, member, now_ms)

    def metadata_changed(self, draft: Draft, delta: Delta, image: Image, now_ms: int) -> None:
        """Groups with a changed topic hold their topology against it with the next heartbeat."""
        before, after = delta.image.topics.by_id, image.topics.by_id
        changed = delta.changed_topics | delta.deleted_topics
        names = {topics[one].name for topics in (before, after) for one in changed if one in topics}
        for name in names:
            self.context.hashes.pop(name, None)
        for group in self._streams() if names else ():
            if group.topology is not None and names & required_topics(group.topology):
                group.request_refresh()

    def unloaded(self) -> Sequence[Reply]:
        """No request waits here: heartbeats are answered at once."""
        return ()

    def _streams(self) -> Iterator[StreamsGroup]:
        for group in tuple(self.context.groups.by_id.values()):
            if isinstance(group, StreamsGroup):
                yield group
