"""What a member must do in time, in groups whose members follow by epochs; else it is fenced.

    session      send a heartbeat
    revocation   give up what was taken away: it has a whole rebalance timeout

A member that is fenced is taken out of its group, which gets another epoch. A kind of groups may
have timers of other names besides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Generic, Protocol, TypeVar

from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.shard import NOTHING, Decision, StoredRecord

__all__ = [
    "REVOCATION",
    "SESSION",
    "MemberTimers",
    "RevokingMember",
    "TimedGroup",
    "TimedMember",
]

SESSION = "session"
REVOCATION = "revocation"


class TimedMember(Protocol):
    @property
    def epoch(self) -> int: ...


class TimedGroup(Protocol):
    @property
    def members(self) -> Mapping[str, TimedMember]: ...


class RevokingMember(Protocol):
    """A member that gives up partitions or tasks before it gets others."""

    @property
    def member_id(self) -> str: ...
    @property
    def epoch(self) -> int: ...
    @property
    def rebalance_timeout_ms(self) -> int: ...
    @property
    def must_revoke(self) -> bool: ...


AnyGroup = TypeVar("AnyGroup", bound=TimedGroup)
Remove = Callable[[AnyGroup, str, int], list[StoredRecord]]
"""The records that take a member out of its group, by its id, at a time."""


class MemberTimers(Generic[AnyGroup]):
    """The timers of all members in one kind of groups."""

    def __init__(self, groups: Groups, kind: type[AnyGroup], remove: Remove[AnyGroup]) -> None:
        self._groups = groups
        self._kind = kind
        self._remove = remove

    def touch_session(self, group_id: str, member_id: str, timeout_ms: int, now_ms: int) -> None:
        """The member sent a request: its session begins anew."""
        self.watch(SESSION, group_id, member_id, timeout_ms, now_ms)

    def watch_revocation(self, group_id: str, member: RevokingMember, now_ms: int) -> None:
        """Begin the time in which it must revoke, or end it where there is nothing to revoke."""
        if not member.must_revoke:
            self.cancel(group_id, member.member_id, [REVOCATION])
            return
        timeout_ms, epoch = member.rebalance_timeout_ms, member.epoch
        self.watch(REVOCATION, group_id, member.member_id, timeout_ms, now_ms, in_epoch=epoch)

    def watch(
        self,
        what: str,
        group_id: str,
        member_id: str,
        timeout_ms: int,
        now_ms: int,
        *,
        in_epoch: int | None = None,
    ) -> None:
        """Fence the member unless the timer is set anew or cancelled in time, or its epoch rises.

        Its epoch counts only where one is given.
        """
        fence = partial(self._fence, group_id, member_id, in_epoch)
        self._groups.timers.schedule((what, group_id, member_id), now_ms + timeout_ms, fence)

    def cancel(self, group_id: str, member_id: str, timers: Iterable[str]) -> None:
        for what in timers:
            self._groups.timers.cancel((what, group_id, member_id))

    def _fence(self, group_id: str, member_id: str, in_epoch: int | None, now_ms: int) -> Decision:
        group: object = self._groups.by_id.get(group_id)
        if not isinstance(group, self._kind) or member_id not in group.members:
            return NOTHING
        if in_epoch is not None and group.members[member_id].epoch != in_epoch:
            return NOTHING
        return Decision(self._remove(group, member_id, now_ms))
