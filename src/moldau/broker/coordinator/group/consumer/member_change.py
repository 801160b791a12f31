"""A change of one member under way: the group as it is, and the records that come of it.

The group is not touched before the records are applied. What it will be is asked for here: the
members with the changed one in its place, and the patterns without those that are not read then.
"""

from __future__ import annotations

from dataclasses import field

from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.subscriptions import Resolved, patterns_read
from moldau.broker.coordinator.shard import StoredRecord
from moldau.platform.quick_dataclass import dataclass


@dataclass(slots=True)
class MemberChange:
    """One member's heartbeat or join."""

    group: ConsumerGroup
    now_ms: int
    before: ConsumerMember
    """The member as it is, or would be if its request were empty."""
    member: ConsumerMember
    """The member as it will be."""
    records: list[StoredRecord] = field(default_factory=list)
    epoch: int = 0
    """The group's, with what was decided so far."""
    assignment_epoch: int = 0
    target: Assignment = field(default_factory=dict)
    has_new_topics: bool = False
    """The member reads other topics than before, or may do so soon."""

    def members(self) -> dict[str, ConsumerMember]:
        """The group's members as they will be."""
        group = self.group
        replaced = group.member_id_of_instance.get(self.member.instance_id or "")
        members = {
            member_id: one for member_id, one in group.members.items() if member_id != replaced
        }
        if replaced == self.member.member_id:
            members = dict(group.members)
        members[self.member.member_id] = self.member
        return members

    def resolved(self) -> Resolved:
        """What patterns were found to mean, of those that will be read."""
        if self.before.pattern == self.member.pattern:
            return self.group.resolved
        read = patterns_read(self.members().values())
        return {pattern: found for pattern, found in self.group.resolved.items() if pattern in read}
