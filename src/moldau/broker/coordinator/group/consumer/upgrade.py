"""A classic group becomes a consumer group, because a member that speaks the new protocol joins.

An empty one just gives way. One with members is carried over, if the migration policy lets it and
its members are consumers whose assignments have nothing in them that would be lost: the generation
becomes the epoch, what each member has becomes its target, and from now on the coordinator assigns.
Members that wait for a join or sync are called back.
"""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.answers import dismiss
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import ClassicMember
from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment
from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.embedded import (
    CONSUMER,
    assignment_in,
    by_topic_id,
    subscription_in,
)
from moldau.broker.coordinator.group.consumer.fencing import Fencing
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ClassicSide, ConsumerMember, owned_since
from moldau.broker.coordinator.group.consumer.records import (
    assignment_epoch_record,
    current_record,
    group_record,
    member_record,
    target_record,
)
from moldau.broker.coordinator.group.consumer.replay import APPLIERS
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.group import Group
from moldau.broker.coordinator.shard import StoredRecord
from moldau.errors import DecodeError, KafkaError
from moldau.protocol.wire.error_codes import ErrorCode

NEVER_MS = 0
"""When the target was made that came from the members themselves."""
POLICIES = ("UPGRADE", "BIDIRECTIONAL")


class Upgrade:
    """Converts classic groups."""

    def __init__(self, context: ConsumerContext, fencing: Fencing) -> None:
        self._context = context
        self._fencing = fencing

    def upgrade(self, found: Group, draft: Draft, now_ms: int) -> ConsumerGroup:
        """The group as it will be; its records go into the draft."""
        if not isinstance(found, ClassicGroup):
            raise KafkaError(
                ErrorCode.GROUP_ID_NOT_FOUND, f"Group {found.group_id} is not a consumer group."
            )
        if found.is_empty:
            draft.records += found.tombstones()
            return ConsumerGroup(found.group_id)
        self._check(found)
        records = self._records(found)
        for member in found.members.values():
            dismiss(member, ErrorCode.REBALANCE_IN_PROGRESS, draft, member.member_id)
        draft.records += [*found.tombstones(), *records]
        self._take_over_timers(found, now_ms)
        return _replayed(found.group_id, records)

    def _check(self, group: ClassicGroup) -> None:
        settings = self._context.settings
        if settings.group_consumer_migration_policy.upper() not in POLICIES:
            raise _refusal(group, "online upgrade is disabled")
        if group.group_protocol_type != CONSUMER:
            raise _refusal(group, "the group does not use the consumer embedded protocol")
        if len(group.members) > settings.group_consumer_max_size:
            raise _refusal(group, "the group size exceeds the consumer group maximum size")

    def _records(self, group: ClassicGroup) -> list[StoredRecord]:
        try:
            targets = {
                member_id: self._target(group, member)
                for member_id, member in group.members.items()
            }
            members = [
                _carried_over(group, member, targets[member_id])
                for member_id, member in group.members.items()
            ]
        except DecodeError as error:
            raise _refusal(group, "the embedded consumer protocol is malformed") from error
        names = {name for member in members for name in member.topic_names}
        group_id, epoch = group.group_id, group.generation
        return [
            *(member_record(group_id, member) for member in members),
            group_record(group_id, epoch, self._context.hash_of(names)),
            *(target_record(group_id, *target) for target in targets.items()),
            assignment_epoch_record(group_id, epoch, NEVER_MS),
            *(current_record(group_id, member) for member in members),
        ]

    def _target(self, group: ClassicGroup, member: ClassicMember) -> Assignment:
        if not member.assignment:
            return {}
        assignment = assignment_in(member.assignment)
        if assignment.user_data:
            raise _refusal(
                group,
                "an unsupported custom assignor is in use. Please refer to the documentation or "
                "switch to a default assignor before re-attempting the upgrade",
            )
        owned = by_topic_id(assignment.assigned_partitions, self._context.image)
        return {topic_id: tuple(partitions) for topic_id, partitions in owned.items()}

    def _take_over_timers(self, group: ClassicGroup, now_ms: int) -> None:
        """Sessions go on; waiting for joins and syncs ends."""
        for what in ("join", "sync"):
            self._context.groups.timers.cancel((what, group.group_id))
        for member_id, member in group.members.items():
            timeout_ms = member.session_timeout_ms
            self._fencing.timers.touch_session(group.group_id, member_id, timeout_ms, now_ms)


def _carried_over(group: ClassicGroup, member: ClassicMember, target: Assignment) -> ConsumerMember:
    protocol_name = group.protocol_name or member.protocols[0].name
    subscription = subscription_in(member.metadata(protocol_name))
    return ConsumerMember(
        member.member_id,
        epoch=group.generation,
        previous_epoch=group.generation,
        instance_id=member.instance_id,
        rack_id=subscription.rack_id or None,
        rebalance_timeout_ms=member.rebalance_timeout_ms,
        client_id=member.client_id,
        client_host=member.client_host,
        topic_names=tuple(sorted(set(subscription.topics))),
        assigned=owned_since(group.generation, target),
        classic=ClassicSide(member.session_timeout_ms, tuple(member.protocols)),
    )


def _replayed(group_id: str, records: list[StoredRecord]) -> ConsumerGroup:
    """The group that these records will make."""
    group = ConsumerGroup(group_id)
    for key, value, _ in records:
        APPLIERS[type(key)](group, key, value)
    return group


def _refusal(group: Group, why: str) -> KafkaError:
    """In Kafka's words: the operator of an upgrade looks them up."""
    return KafkaError(
        ErrorCode.GROUP_ID_NOT_FOUND,
        f"Cannot upgrade classic group {group.group_id} to consumer group because {why}.",
    )
