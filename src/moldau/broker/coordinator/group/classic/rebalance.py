"""From one generation to the next.

A rebalance is prepared until all members have joined, or the slowest one's timeout is up; then
those who have not come are dropped, but for static members, which keep their place until their
session ends. The first rebalance of an empty group waits a while in any case, and longer while
more come, so that a fleet that starts together does not rebalance once for each of its members.

With the generation complete, the members have one more rebalance timeout to ask for the assignment.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from moldau.broker.coordinator.group.classic.answers import (
    dismiss,
    end_join,
    end_sync,
    join_answer,
    sync_refusal,
)
from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import chosen_protocol
from moldau.broker.coordinator.group.classic.sessions import Sessions
from moldau.broker.coordinator.group.classic.states import ClassicState
from moldau.broker.coordinator.group.classic.stored import group_record
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.shard import Decision
from moldau.protocol.wire.error_codes import ErrorCode

Step = Callable[[ClassicGroup, Draft, int], None]


class Rebalance:
    """Moves the classic groups of a shard through their states."""

    def __init__(self, groups: Groups) -> None:
        self._groups = groups
        self._sessions = Sessions(groups, self.fell_silent)

    @property
    def sessions(self) -> Sessions:
        return self._sessions

    # Beginning.

    def proceed(self, group: ClassicGroup, draft: Draft, now_ms: int) -> None:
        """Something about the members has changed: rebalance, or go on with it."""
        if group.state is ClassicState.PREPARING:
            self.complete_if_ready(group, draft, now_ms)
        else:
            self.prepare(group, draft, now_ms)

    def prepare(self, group: ClassicGroup, draft: Draft, now_ms: int) -> None:
        """Call all members back to join."""
        if group.state is ClassicState.COMPLETING:
            for member in group.members.values():
                member.assignment = b""
                end_sync(member, sync_refusal(ErrorCode.REBALANCE_IN_PROGRESS), draft)
        self._groups.timers.cancel(("sync", group.group_id))
        group.move_to(ClassicState.PREPARING, now_ms)
        if group.came_from_empty:
            delay_ms = self._groups.context.settings.group_initial_rebalance_delay_ms
            self._wait_for_first(
                group, delay_ms, max(group.rebalance_timeout_ms - delay_ms, 0), now_ms
            )
        elif group.all_have_joined:
            self._complete(group, draft, now_ms)
        else:
            self._wait_for_all(group, now_ms)

    def _wait_for_first(
        self, group: ClassicGroup, delay_ms: int, remaining_ms: int, now_ms: int
    ) -> None:
        """Wait for more to come, at most `delay_ms` and `remaining_ms` together."""
        group.has_new_member = False
        waited = partial(self._first_wait_over, delay_ms=delay_ms, remaining_ms=remaining_ms)
        self._at(("join", group.group_id), now_ms + delay_ms, group, waited)

    def _first_wait_over(
        self, group: ClassicGroup, draft: Draft, now_ms: int, *, delay_ms: int, remaining_ms: int
    ) -> None:
        if group.has_new_member and remaining_ms > 0:
            whole_delay_ms = self._groups.context.settings.group_initial_rebalance_delay_ms
            next_ms = min(whole_delay_ms, remaining_ms)
            self._wait_for_first(group, next_ms, max(remaining_ms - delay_ms, 0), now_ms)
        else:
            self._complete(group, draft, now_ms)

    def _wait_for_all(self, group: ClassicGroup, now_ms: int) -> None:
        self._at(
            ("join", group.group_id), now_ms + group.rebalance_timeout_ms, group, self._complete
        )

    # Completing.

    def complete_if_ready(self, group: ClassicGroup, draft: Draft, now_ms: int) -> None:
        """Go on when no member is missing; the first rebalance waits for its time in any case."""
        is_preparing = group.state is ClassicState.PREPARING
        if is_preparing and group.all_have_joined and not group.came_from_empty:
            self._complete(group, draft, now_ms)

    def _complete(self, group: ClassicGroup, draft: Draft, now_ms: int) -> None:
        """The members that have joined are the next generation."""
        self._groups.timers.cancel(("join", group.group_id))
        for member in list(group.members.values()):
            if member.joining is None and not member.is_static:
                self.drop(group, member.member_id, draft)
        if group.members and not group.elect_joined_leader():
            self._wait_for_all(group, now_ms)
        elif group.members:
            self._begin_generation(group, draft, now_ms)
        else:
            group.begin_generation(None)
            group.move_to(ClassicState.EMPTY, now_ms)
            draft.records.append(group_record(group, [], {}))

    def _begin_generation(self, group: ClassicGroup, draft: Draft, now_ms: int) -> None:
        group.begin_generation(chosen_protocol(group.members.values()))
        group.move_to(ClassicState.COMPLETING, now_ms)
        for member in group.members.values():
            end_join(member, join_answer(group, member.member_id), draft)
            self._sessions.touch_session(group, member, now_ms)
            member.is_new = False
            group.unsynced.add(member.member_id)
        due_ms = now_ms + group.rebalance_timeout_ms
        out_of_time = partial(self._sync_time_over, generation=group.generation)
        self._at(("sync", group.group_id), due_ms, group, out_of_time)

    def _sync_time_over(
        self, group: ClassicGroup, draft: Draft, now_ms: int, *, generation: int
    ) -> None:
        """A member without a SyncGroup by now is dropped."""
        has_assignments = group.state in (ClassicState.COMPLETING, ClassicState.STABLE)
        if generation == group.generation and has_assignments and group.unsynced:
            for member_id in tuple(group.unsynced):
                self.drop(group, member_id, draft)
            self.prepare(group, draft, now_ms)

    def synced(self, group: ClassicGroup, member_id: str) -> None:
        """The member has asked for its assignment."""
        group.unsynced.discard(member_id)
        if not group.unsynced:
            self._groups.timers.cancel(("sync", group.group_id))

    # Losing members.

    def drop(
        self,
        group: ClassicGroup,
        member_id: str,
        draft: Draft,
        code: int = ErrorCode.UNKNOWN_MEMBER_ID,
    ) -> None:
        """Forget the member; if it waits for something it gets UNKNOWN_MEMBER_ID."""
        self._sessions.end(group, member_id)
        member = group.remove(member_id)
        if member is not None:
            dismiss(member, code, draft)

    def fell_silent(self, group: ClassicGroup, member_id: str, draft: Draft, now_ms: int) -> None:
        """The session of a member, or of an id that was given out, is over."""
        if member_id in group.pending_members:
            group.remove(member_id)
            self.complete_if_ready(group, draft, now_ms)
            return
        member = group.members.get(member_id)
        if member is not None and not member.is_excused:
            self.drop(group, member_id, draft)
            self.proceed(group, draft, now_ms)

    # Time.

    def _at(self, name: tuple[str, str], due_ms: int, group: ClassicGroup, step: Step) -> None:
        def action(now_ms: int) -> Decision:
            draft = Draft()
            is_there = self._groups.by_id.get(group.group_id) is group
            is_preparing = group.state is ClassicState.PREPARING
            if is_there and (is_preparing or name[0] == "sync"):
                step(group, draft, now_ms)
            return draft.decision()

        self._groups.timers.schedule(name, due_ms, action)
