"""From a member's wish to its next step: target, reconciliation, timers."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.fencing import Fencing
from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.member_change import MemberChange
from moldau.broker.coordinator.group.consumer.reconcile import Aim, Reported, reconcile
from moldau.broker.coordinator.group.consumer.records import current_record
from moldau.broker.coordinator.group.consumer.subscriptions import ids_of, names_read_by
from moldau.broker.coordinator.group.consumer.target import retarget
from moldau.broker.coordinator.group.epoch_group import may_assign


class Progress:
    """Brings groups and members forward."""

    def __init__(self, context: ConsumerContext, fencing: Fencing) -> None:
        self._context = context
        self._fencing = fencing

    def assign(self, change: MemberChange) -> None:
        """Make a target for the group's epoch if it is due, else go by the last one."""
        group, member = change.group, change.member
        change.target = group.target_of(member.member_id, member.instance_id)
        interval_ms = self._context.settings_of(group).assignment_interval_ms
        is_due = may_assign(group.assigned_at_ms, interval_ms, change.now_ms)
        if group.assignment_epoch < change.epoch and is_due:
            default = self._context.settings.group_consumer_assignors[0]
            retarget(change, self._context.image, default)

    def step(self, change: MemberChange, reported: Reported | None) -> None:
        """Let the member take its next step, and write it down."""
        member = change.member
        if not change.has_new_topics and member.is_reconciled_to(change.assignment_epoch):
            return
        change.member = reconcile(member, self._aim(change), reported)
        if change.member != member:
            change.records.append(current_record(change.group.group_id, change.member))
            self.watch_revocation(change.group.group_id, change.member, change.now_ms)

    def _aim(self, change: MemberChange) -> Aim:
        names = names_read_by(change.member, change.group.resolved)
        return Aim(
            epoch=change.assignment_epoch,
            target=change.target,
            topic_ids=frozenset(ids_of(names, self._context.image)),
            has_changed=change.has_new_topics,
            has_owner=change.group.has_owner,
        )

    def watch_revocation(self, group_id: str, member: ConsumerMember, now_ms: int) -> None:
        """Classic members join again instead."""
        if not member.is_classic:
            self._fencing.timers.watch_revocation(group_id, member, now_ms)
