"""Sessions of classic members: a member that sends no heartbeat for too long is removed.

A session is a timer that every heartbeat, sync and commit sets anew. While a member waits for an
response none is due, so the timer may run out without effect; it is set again when the response
leaves. A client that has just joined for the first time does not know its member
id yet and cannot beat: it gets a longer time once, and then its join is answered, so that it asks
again if it is still there.

An id that was given out and never used is forgotten in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.classic.member import ClassicMember
from moldau.broker.coordinator.group.draft import Draft
from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.shard import Decision

NEW_MEMBER_SESSION_MS = 5 * 60 * 1000
"""Kafka's own: longer than clients wait for a join."""

OnSilence = Callable[[ClassicGroup, str, Draft, int], None]
"""Called with a group, the id of a member whose session is over, a draft and the time."""


class Sessions:
    """The timers of the members of all classic groups of a shard."""

    def __init__(self, groups: Groups, on_silence: OnSilence) -> None:
        self._groups = groups
        self._on_silence = on_silence

    def touch_session(self, group: ClassicGroup, member: ClassicMember, now_ms: int) -> None:
        """The member lives."""
        self.begin(group, member.member_id, member.session_timeout_ms, now_ms)

    def begin(self, group: ClassicGroup, member_id: str, timeout_ms: int, now_ms: int) -> None:
        self._groups.timers.schedule(
            _name(group, member_id), now_ms + timeout_ms, partial(self._silent, group, member_id)
        )

    def end(self, group: ClassicGroup, member_id: str) -> None:
        self._groups.timers.cancel(_name(group, member_id))

    def _silent(self, group: ClassicGroup, member_id: str, now_ms: int) -> Decision:
        draft = Draft()
        if self._groups.by_id.get(group.group_id) is group:
            self._on_silence(group, member_id, draft, now_ms)
        return draft.decision()


def _name(group: ClassicGroup, member_id: str) -> tuple[str, str, str]:
    return "session", group.group_id, member_id
