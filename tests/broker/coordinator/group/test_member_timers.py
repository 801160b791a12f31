"""Members that do not do in time what they must are taken out of their groups."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from moldau.broker.coordinator.group.groups import Groups
from moldau.broker.coordinator.group.member_timers import REVOCATION, SESSION, MemberTimers
from moldau.broker.coordinator.shard import NOTHING

GROUP, MEMBER = "g", "m"


@dataclass
class Member:
    member_id: str = MEMBER
    epoch: int = 1
    rebalance_timeout_ms: int = 100
    must_revoke: bool = True


@dataclass
class Group:
    members: dict[str, Member] = field(default_factory=lambda: {MEMBER: Member()})


class Shard:
    """One group with one member, and its timers; what was removed when."""

    def __init__(self) -> None:
        context: Any = None
        self.group = Group()
        self.groups = Groups(context)
        self.groups.by_id[GROUP] = self.group  # type: ignore[assignment]
        self.removed: list[tuple[str, int]] = []
        self.timers = MemberTimers(self.groups, Group, self._remove)

    def _remove(self, group: Group, member_id: str, now_ms: int) -> list[Any]:
        self.removed.append((member_id, now_ms))
        return ["a tombstone"]

    def run(self, now_ms: int) -> list[Any]:
        return list(self.groups.timers.run_due(now_ms).records)


def test_a_member_without_a_heartbeat_is_taken_out_after_its_session():
    shard = Shard()
    shard.timers.touch_session(GROUP, MEMBER, 50, 0)
    shard.timers.touch_session(GROUP, MEMBER, 50, 10)
    assert shard.run(59) == []
    assert shard.run(60) == ["a tombstone"]
    assert shard.removed == [(MEMBER, 60)]


def test_a_member_has_its_rebalance_timeout_to_revoke():
    shard = Shard()
    shard.timers.watch_revocation(GROUP, shard.group.members[MEMBER], 0)
    assert (shard.run(99), shard.run(100)) == ([], ["a tombstone"])


def test_a_member_that_has_revoked_is_left_alone():
    shard = Shard()
    shard.timers.watch_revocation(GROUP, Member(), 0)
    shard.timers.watch_revocation(GROUP, Member(must_revoke=False), 10)
    assert len(shard.groups.timers) == 0


def test_a_member_that_has_another_epoch_by_then_is_left_alone():
    shard = Shard()
    shard.timers.watch_revocation(GROUP, shard.group.members[MEMBER], 0)
    shard.group.members[MEMBER].epoch = 2
    assert shard.run(100) == []


def test_a_session_ends_in_whichever_epoch_the_member_is():
    shard = Shard()
    shard.timers.touch_session(GROUP, MEMBER, 50, 0)
    shard.group.members[MEMBER].epoch = 2
    assert shard.run(50) == ["a tombstone"]


def test_a_timer_of_a_member_or_group_that_has_gone_does_nothing():
    shard = Shard()
    shard.timers.touch_session(GROUP, MEMBER, 50, 0)
    shard.timers.touch_session("deleted", MEMBER, 50, 0)
    shard.group.members.clear()
    assert shard.groups.timers.run_due(50) is NOTHING
    assert shard.removed == []


def test_timers_are_cancelled_by_their_names():
    shard = Shard()
    shard.timers.touch_session(GROUP, MEMBER, 50, 0)
    shard.timers.watch_revocation(GROUP, Member(), 0)
    shard.timers.cancel(GROUP, MEMBER, [SESSION])
    assert shard.groups.timers.next_at_ms() == 100
    shard.timers.cancel(GROUP, MEMBER, [REVOCATION])
    assert shard.groups.timers.next_at_ms() is None
