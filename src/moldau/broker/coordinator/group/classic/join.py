"""JoinGroup: ask to be in the next generation. The answer waits until the generation is complete.

    no member id ─┬─ static, instance known ──► takes the place of its predecessor (`succession`)
                  ├─ static, or version < 4 ──► joins under a new id
                  └─ dynamic ─────────────────► gets an id first, and comes back with it
    member id ────┬─ given out, not used ─────► joins
                  ├─ member, nothing new ─────► the generation that is, again
                  └─ member, something new ───► rebalance

An id that is sent first (KIP-394) keeps a client that dies while it waits, and tries again, from
leaving a trail of members behind it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from moldau.broker.coordinator.group.classic.answers import end_join, join_answer, join_refusal
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.join_attempt import JoinAttempt
from moldau.broker.coordinator.group.classic.member import ClassicMember
from moldau.broker.coordinator.group.classic.rebalance import Rebalance
from moldau.broker.coordinator.group.classic.sessions import NEW_MEMBER_SESSION_MS
from moldau.broker.coordinator.group.classic.states import ClassicState
from moldau.broker.coordinator.group.classic.stored import first_record
from moldau.broker.coordinator.group.classic.succession import succeed
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.shard import Decision, Reply, RequestContext, StoredRecord
from moldau.errors import KafkaError
from moldau.protocol.messages.group.join_group import JoinGroupRequest
from moldau.protocol.wire.error_codes import ErrorCode

MEMBER_ID_REQUIRED_SINCE = 4
"""From this version on a new dynamic member gets its id before it may join."""


class Joins:
    """Answers JoinGroup for classic groups."""

    def __init__(self, groups: Groups, rebalance: Rebalance) -> None:
        self._groups = groups
        self._rebalance = rebalance

    def join(
        self,
        request: JoinGroupRequest,
        asking: RequestContext,
        now_ms: int,
        instead_of: Sequence[StoredRecord] = (),
    ) -> Decision:
        """Join the group, which begins with its first member.

        `instead_of` are the tombstones of an empty group of another kind, which gives way to a new
        member. Kafka also forgets it, without a record, over a member that it does not know.
        """
        found = self._groups.by_id.get(request.group_id)
        group = found if isinstance(found, ClassicGroup) else ClassicGroup(request.group_id, now_ms)
        attempt = JoinAttempt(group, request, asking, Draft(), now_ms)
        if found is group:
            self._join(attempt)
        elif found is not None and not instead_of:
            attempt.refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL)
        elif request.member_id:
            attempt.refuse(ErrorCode.UNKNOWN_MEMBER_ID, request.member_id)
        else:
            self._begin_group(attempt, instead_of)
            self._join(attempt)
        return attempt.draft.decision()

    def _begin_group(self, attempt: JoinAttempt, instead_of: Sequence[StoredRecord]) -> None:
        """A new group: it exists once its first record does."""
        by_id, group = self._groups.by_id, attempt.group
        before = by_id.get(group.group_id)
        by_id[group.group_id] = group
        attempt.draft.records += [*instead_of, first_record(group)]

        def undo(code: ErrorCode) -> Iterable[Reply]:
            if before is None:
                by_id.pop(group.group_id, None)
            else:
                by_id[group.group_id] = before
            return [Reply(attempt.asking.ticket, join_refusal("", code))]

        attempt.draft.undo.append(undo)

    def _join(self, attempt: JoinAttempt) -> None:
        group, request = attempt.group, attempt.request
        if not self._has_room(group, request.member_id):
            self._rebalance.drop(group, request.member_id, attempt.draft)
            attempt.refuse(ErrorCode.GROUP_MAX_SIZE_REACHED)
        elif not group.knows_a_protocol_of(
            request.protocol_type, [one.name for one in request.protocols]
        ):
            attempt.refuse(ErrorCode.INCONSISTENT_GROUP_PROTOCOL, request.member_id)
        elif request.member_id:
            self._known(attempt)
        else:
            self._unknown(attempt)

    def _has_room(self, group: ClassicGroup, member_id: str) -> bool:
        """While a rebalance is prepared those who have joined count, afterwards all members."""
        size_max = self._groups.context.settings.group_max_size
        member = group.members.get(member_id)
        if group.is_empty:
            return True
        if group.state is ClassicState.PREPARING:
            is_in = member is not None and member.joining is not None
            return is_in or group.joining_count < size_max
        return member is not None or len(group.members) < size_max

    # A member without an id.

    def _unknown(self, attempt: JoinAttempt) -> None:
        group, request = attempt.group, attempt.request
        instance_id = request.group_instance_id
        member_id = attempt.invented_member_id(self._groups.context.random)
        predecessor_id = group.member_id_of_instance.get(instance_id or "")
        if instance_id is not None and predecessor_id is not None:
            succeed(attempt, group.members[predecessor_id], member_id, self._rebalance)
        elif instance_id is not None or attempt.asking.version < MEMBER_ID_REQUIRED_SINCE:
            self._add(attempt, attempt.as_member(member_id))
        else:
            group.pending_members.add(member_id)
            timeout_ms = request.session_timeout_ms
            self._rebalance.sessions.begin(group, member_id, timeout_ms, attempt.now_ms)
            attempt.refuse(ErrorCode.MEMBER_ID_REQUIRED, member_id)

    def _add(self, attempt: JoinAttempt, member: ClassicMember) -> None:
        group = attempt.group
        member.is_new = True
        member.joining = attempt.asking.ticket
        if group.state is ClassicState.PREPARING and group.came_from_empty:
            group.has_new_member = True
        group.add(member, attempt.request.protocol_type)
        sessions = self._rebalance.sessions
        sessions.begin(group, member.member_id, NEW_MEMBER_SESSION_MS, attempt.now_ms)
        self._rebalance.proceed(group, attempt.draft, attempt.now_ms)

    # A member with one.

    def _known(self, attempt: JoinAttempt) -> None:
        group, member_id = attempt.group, attempt.request.member_id
        if member_id in group.pending_members:
            self._add(attempt, attempt.as_member(member_id))
            return
        try:
            group.check_member(member_id, attempt.request.group_instance_id)
        except KafkaError as error:
            attempt.refuse(error.code, member_id)
            return
        member = group.members[member_id]
        if _is_repeated(attempt, member):
            attempt.answer(join_answer(group, member_id))
        else:
            self._rejoin(attempt, member)

    def _rejoin(self, attempt: JoinAttempt, member: ClassicMember) -> None:
        """A later join takes the place of one that still waits: its client has given that up."""
        given_up = join_refusal(member.member_id, ErrorCode.REBALANCE_IN_PROGRESS)
        end_join(member, given_up, attempt.draft)
        member.protocols = attempt.protocols
        member.rebalance_timeout_ms = attempt.rebalance_timeout_ms
        member.session_timeout_ms = attempt.request.session_timeout_ms
        member.joining = attempt.asking.ticket
        self._rebalance.proceed(attempt.group, attempt.draft, attempt.now_ms)


def _is_repeated(attempt: JoinAttempt, member: ClassicMember) -> bool:
    """Whether the member has missed our answer, so that it gets it again.

    In a stable group the leader never asks the same twice: it asks for a rebalance.
    """
    group = attempt.group
    if group.state is ClassicState.PREPARING or member.protocols != attempt.protocols:
        return False
    return group.state is ClassicState.COMPLETING or not group.is_leader(member.member_id)
