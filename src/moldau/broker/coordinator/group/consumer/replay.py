"""Which record of a consumer group is applied by which of its methods."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.protocol.messages.stored.consumer_group import (
    ConsumerGroupCurrentMemberAssignmentKey,
    ConsumerGroupMemberMetadataKey,
    ConsumerGroupMetadataKey,
    ConsumerGroupPartitionMetadataKey,
    ConsumerGroupRegularExpressionKey,
    ConsumerGroupTargetAssignmentMemberKey,
    ConsumerGroupTargetAssignmentMetadataKey,
)
from moldau.protocol.wire.schema import Message

GroupApplier = Callable[[ConsumerGroup, Any, Any], None]

APPLIERS: Mapping[type[Message], GroupApplier] = {
    ConsumerGroupMetadataKey: lambda group, key, value: group.apply_group(value),
    ConsumerGroupPartitionMetadataKey: lambda group, key, value: group.apply_old_metadata(
        value is not None
    ),
    ConsumerGroupMemberMetadataKey: lambda group, key, value: group.apply_member(
        key.member_id, value
    ),
    ConsumerGroupTargetAssignmentMetadataKey: lambda group, key, value: (
        group.apply_assignment_epoch(value)
    ),
    ConsumerGroupTargetAssignmentMemberKey: lambda group, key, value: group.apply_target(
        key.member_id, value
    ),
    ConsumerGroupCurrentMemberAssignmentKey: lambda group, key, value: group.apply_current(
        key.member_id, value
    ),
    ConsumerGroupRegularExpressionKey: lambda group, key, value: group.apply_pattern(
        key.regular_expression, value
    ),
}
"""The tombstone of the group's own record removes the group, which is not for the group to do."""
