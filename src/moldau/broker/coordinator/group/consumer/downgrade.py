"""A consumer group whose last member of the new protocol goes becomes a classic group again.

The epoch becomes the generation, and what each member shall have is its assignment. The record has
no room for more than one protocol of each member; what else they can do is remembered until they
join again, which they are asked to do at once if the assignment is not up to date.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import (
    ClassicMember,
    MemberProtocol,
    chosen_protocol,
)
from moldau.broker.coordinator.group.classic.stored import group_record
from moldau.broker.coordinator.group.consumer.context import ConsumerContext
from moldau.broker.coordinator.group.consumer.embedded import CONSUMER, assignment_for
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.records import group_tombstones
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.shard import NOTHING, Decision, StoredRecord

POLICIES = ("DOWNGRADE", "BIDIRECTIONAL")
Protocols = Mapping[str, tuple[MemberProtocol, ...]]


class Downgrade:
    """Converts consumer groups."""

    def __init__(self, context: ConsumerContext) -> None:
        self._context = context

    def is_due(self, staying: Sequence[ConsumerMember]) -> bool:
        """Whether the members that stay make up a classic group."""
        are_classic = bool(staying) and all(member.is_classic for member in staying)
        return are_classic and self.is_allowed(len(staying))

    def is_allowed(self, member_count: int) -> bool:
        """Whether groups may be converted, and one of so many members is not too large."""
        settings = self._context.settings
        policy = settings.group_consumer_migration_policy.upper()
        return policy in POLICIES and member_count <= settings.group_max_size

    def records(
        self,
        group: ConsumerGroup,
        staying: Sequence[ConsumerMember],
        now_ms: int,
        *,
        rebalances: bool,
        successor: tuple[str, str] | None = None,
    ) -> list[StoredRecord]:
        """The records of the change; `successor`: the id of a member, and whose place it takes."""
        places = {} if successor is None else {successor[0]: successor[1]}
        tombstoned = {old: taken_by for taken_by, old in places.items()}
        member_ids = [tombstoned.get(member_id, member_id) for member_id in group.members]
        classic = ClassicGroup(group.group_id, now_ms)
        classic.generation = group.epoch
        for member in staying:
            classic.add(_as_classic(member), CONSUMER)
        classic.protocol_name = chosen_protocol(classic.members.values())
        assignments = {
            member_id: self._assignment(classic, member, group, places.get(member_id, member_id))
            for member_id, member in classic.members.items()
        }
        self._continue(classic, rebalances, now_ms)
        return [
            *group_tombstones(group.group_id, member_ids, group.resolved),
            group_record(classic, classic.members.values(), assignments),
        ]

    def _assignment(
        self, classic: ClassicGroup, member: ClassicMember, group: ConsumerGroup, member_id: str
    ) -> bytes:
        metadata = member.metadata(classic.protocol_name)
        return assignment_for(metadata, group.target_of(member_id), self._context.image)

    def _continue(self, classic: ClassicGroup, rebalances: bool, now_ms: int) -> None:
        """Once the records are applied, the classic group takes over: directly afterwards."""
        protocols = {member_id: one.protocols for member_id, one in classic.members.items()}
        take_over = partial(self._take_over, classic.group_id, protocols, rebalances)
        name = ("downgraded", classic.group_id)
        self._context.groups.timers.schedule(name, now_ms, take_over)

    def _take_over(
        self, group_id: str, protocols: Protocols, rebalances: bool, now_ms: int
    ) -> Decision:
        group = self._context.groups.by_id.get(group_id)
        if not isinstance(group, ClassicGroup):
            return NOTHING
        for member_id, member in group.members.items():
            member.protocols = protocols.get(member_id, member.protocols)
            self._context.classic.sessions.touch_session(group, member, now_ms)
        draft = Draft()
        if rebalances:
            self._context.classic.proceed(group, draft, now_ms)
        return draft.decision()


def _as_classic(member: ConsumerMember) -> ClassicMember:
    assert member.classic is not None, "only classic members stay in a classic group"
    return ClassicMember(
        member.member_id,
        member.instance_id,
        member.client_id,
        member.client_host,
        member.rebalance_timeout_ms,
        member.classic.session_timeout_ms,
        member.classic.protocols,
    )
