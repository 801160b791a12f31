"""Groups that come and go are lines of the log.

A shard is what it is; this one looks at each record of a group that is applied while it runs. What
is stable, and what has become empty, is shown with its generation or epoch and its members; the
steps of a rebalance between them are not, nor what is loaded at a start.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from operator import attrgetter
from typing import Any

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.epoch_group import GroupOfMembers
from moldau.broker.coordinator.group.group import Group
from moldau.broker.coordinator.group.groups import GroupContext
from moldau.broker.coordinator.group.shard import GroupShard
from moldau.broker.coordinator.shard import Decision, StoredRecord
from moldau.protocol.messages.stored.classic_group import GroupMetadataKey
from moldau.protocol.messages.stored.consumer_group import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupMetadataKey,
)
from moldau.protocol.messages.stored.share_group import (
    ShareGroupCurrentMemberAssignmentKey,
    ShareGroupMetadataKey,
)
from moldau.protocol.messages.stored.streams_group import (
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupMetadataKey,
)
from moldau.protocol.wire.schema import Message

__all__ = ["LoggedGroupShard"]

log = logging.getLogger(__name__)

SHOWN_STATES = ("Stable", "Empty")
DEAD = "Dead"
_group_id = attrgetter("group_id")
GROUP_OF: dict[type[Message], Callable[[Any], str]] = {
    GroupMetadataKey: attrgetter("group"),
    ConsumerGroupMetadataKey: _group_id,
    ConsumerGroupCurrentMemberAssignmentKey: _group_id,
    ShareGroupMetadataKey: _group_id,
    ShareGroupCurrentMemberAssignmentKey: _group_id,
    StreamsGroupMetadataKey: _group_id,
    StreamsGroupCurrentMemberAssignmentKey: _group_id,
}
"""The records after which a group may be in another state, and which group they are about."""


class LoggedGroupShard(GroupShard):
    """A shard of groups that logs what becomes of them."""

    def __init__(self, world: GroupContext) -> None:
        super().__init__(world)
        self._is_loaded = False
        self._shown: dict[str, tuple[str, int]] = {}
        """State and epoch of each group, as they were logged last."""

    def loaded(self, now_ms: int) -> Decision:
        self._is_loaded = True
        return super().loaded(now_ms)

    def apply(self, record: StoredRecord, offset: int, now_ms: int) -> None:
        named = GROUP_OF.get(type(record.key))
        if named is None or not self._is_loaded or not log.isEnabledFor(logging.INFO):
            super().apply(record, offset, now_ms)
            return
        group_id = named(record.key)
        before = self.groups.by_id.get(group_id)
        super().apply(record, offset, now_ms)
        self._show(group_id, before, self.groups.by_id.get(group_id))

    def _show(self, group_id: str, before: Group | None, group: Group | None) -> None:
        if group is None:
            self._shown.pop(group_id, None)
            if before is not None:
                log.info("Group %s (%s) is %s", group_id, before.group_type.value, DEAD)
            return
        state, (word, epoch, members) = group.state_name, _epoch_of(group)
        is_begun = members > 0 or epoch > 0
        if state not in SHOWN_STATES or not is_begun or self._shown.get(group_id) == (state, epoch):
            return
        self._shown[group_id] = state, epoch
        log.info(
            "Group %s (%s) is %s: %s %d, members %d",
            group_id, group.group_type.value, state, word, epoch, members,
        )  # fmt: skip


def _epoch_of(group: Group) -> tuple[str, int, int]:
    """What its epoch is called, the epoch, and how many members the group has."""
    if isinstance(group, ClassicGroup):
        return "generation", group.generation, len(group.members)
    assert isinstance(group, GroupOfMembers), group
    return "epoch", group.epoch, len(group.members)
