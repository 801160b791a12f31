"""Which record of a streams group is applied by which of its methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from moldau.broker.coordinator.group.streams.group import StreamsGroup
from moldau.protocol.messages.stored.streams_group import (
    StreamsGroupCurrentMemberAssignmentKey,
    StreamsGroupMemberMetadataKey,
    StreamsGroupMetadataKey,
    StreamsGroupTargetAssignmentMemberKey,
    StreamsGroupTargetAssignmentMetadataKey,
    StreamsGroupTopologyKey,
)
from moldau.protocol.wire.schema import Message

GroupApplier = Callable[[StreamsGroup, Any, Any], None]

APPLIERS: Mapping[type[Message], GroupApplier] = {
    StreamsGroupMetadataKey: lambda group, key, value: group.apply_group(value),
    StreamsGroupTopologyKey: lambda group, key, value: group.apply_topology(value),
    StreamsGroupMemberMetadataKey: lambda group, key, value: group.apply_member(
        key.member_id, value
    ),
    StreamsGroupTargetAssignmentMetadataKey: lambda group, key, value: group.apply_assignment_epoch(
        value
    ),
    StreamsGroupTargetAssignmentMemberKey: lambda group, key, value: group.apply_target(
        key.member_id, value
    ),
    StreamsGroupCurrentMemberAssignmentKey: lambda group, key, value: group.apply_current(
        key.member_id, value
    ),
}
"""The tombstone of the group's own record removes the group, which is not for the group to do."""
