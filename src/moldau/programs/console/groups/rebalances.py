"""The last rebalance of a group, and why: what differs between two looks at its members.

No request of Kafka's protocol returns the reason of a rebalance, and a coordinator writes it in its
log alone. Members that came and went, partitions that were added and the group's epoch are what any
client can see, and are the reason in all cases but one: a member that left of its own looks like
one whose session has timed out.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from moldau.programs.console.groups.lag_facts import MOVING

__all__ = ["GroupLooks", "Look", "MemberLook", "Rebalance", "Watched"]

GROUPS_MAX: Final = 100
"""Of which looks are kept; the one that was looked at longest ago is forgotten first."""
AGAIN: Final = "a restart, or polls further apart than max.poll.interval.ms"
NAMES_MAX: Final = 3
"""That a sentence lists."""


class MemberLook(NamedTuple):
    """A member, as it was seen."""

    client: str
    host: str
    instance: str | None = None
    """The name of a static member."""
    reads: frozenset[str] = frozenset()
    """Its partitions, or tasks of a streams group."""


class Look(NamedTuple):
    """A group at one time."""

    time_ms: int
    state: str
    epoch: int | None
    """None for a classic group, whose generation no client can ask for."""
    coordinator: int | None
    members: Mapping[str, MemberLook]
    """By member id."""

    @property
    def is_moving(self) -> bool:
        return self.state in MOVING

    @property
    def reads(self) -> frozenset[str]:
        return frozenset().union(*(one.reads for one in self.members.values()))


class Rebalance(NamedTuple):
    """It began between these two times, which are the same if it went on at the first look."""

    after_ms: int
    before_ms: int
    why: str
    """A sentence without its full stop."""
    epochs: tuple[int, int] | None
    is_going_on: bool


class Watched(NamedTuple):
    """What is known of a group."""

    since_ms: int
    """When it was looked at first."""
    rebalance: Rebalance | None
    """The last one since then."""


class _Kept:
    """The last looks at one group."""

    def __init__(self, first: Look) -> None:
        self._since_ms = first.time_ms
        self._settled = first
        self._began: tuple[int, int] | None = None
        """The looks between which the rebalance began that goes on, or that has just ended."""
        self._rebalance: Rebalance | None = None

    def add(self, look: Look) -> Watched:
        if self._began is None and (look.is_moving or _differ(self._settled, look)):
            self._began = (self._settled.time_ms, look.time_ms)
        if self._began is not None:
            self._rebalance = _rebalance(self._settled, look, self._began)
        if not look.is_moving:
            self._settled, self._began = look, None
        return Watched(self._since_ms, self._rebalance)


class GroupLooks:
    """The last ones of each group."""

    def __init__(self) -> None:
        self._kept: dict[str, _Kept] = {}

    def add(self, group: str, look: Look) -> Watched:
        kept = self._kept.pop(group, None) or _Kept(look)
        self._kept[group] = kept
        while len(self._kept) > GROUPS_MAX:
            del self._kept[next(iter(self._kept))]
        return kept.add(look)


def _differ(one: Look, two: Look) -> bool:
    return (one.epoch, one.members) != (two.epoch, two.members)


def _rebalance(before: Look, now: Look, began: tuple[int, int]) -> Rebalance:
    is_raised = before.epoch is not None and now.epoch is not None and before.epoch != now.epoch
    epochs = (before.epoch or 0, now.epoch or 0) if is_raised else None
    return Rebalance(*began, _why(before, now), epochs, now.is_moving)


def _why(before: Look, now: Look) -> str:
    """What is different, the members first: all else follows from them."""
    gone = {key: one for key, one in before.members.items() if key not in now.members}
    new = {key: one for key, one in now.members.items() if key not in before.members}
    again = _returned(gone, new)
    found = [
        _sentence(again, f"left and one of that name joined ({AGAIN})"),
        _sentence(gone.values(), "left or had its session time out"),
        _sentence(new.values(), "joined"),
    ]
    if before.coordinator != now.coordinator:
        found.append(f"the coordinator moved from {_at(before)} to {_at(now)}")
    return "; ".join(filter(None, found)) or _without_members(before, now)


def _returned(gone: dict[str, MemberLook], new: dict[str, MemberLook]) -> list[MemberLook]:
    """Members that came where one of their name has gone; they are taken out of both."""
    found = []
    for old_id, old in list(gone.items()):
        twin = next((key for key, one in new.items() if _is_same_client(old, one)), None)
        if twin is not None:
            del gone[old_id]
            found.append(new.pop(twin))
    return found


def _is_same_client(old: MemberLook, new: MemberLook) -> bool:
    return (old.client, old.host, old.instance) == (new.client, new.host, new.instance)


def _without_members(before: Look, now: Look) -> str:
    """The same members, so that something else has made them share anew."""
    if before.is_moving or now.is_moving or before.members == now.members:
        return "the same members share their partitions anew"
    if added := sorted(now.reads - before.reads):
        return f"{_names(added)} came in addition (new partitions, or a new subscription)"
    if removed := sorted(before.reads - now.reads):
        return f"{_names(removed)} is read no longer"
    return "partitions moved between the same members"


def _at(look: Look) -> str:
    return "nowhere" if look.coordinator is None else f"broker {look.coordinator}"


def _sentence(members: Iterable[MemberLook], verb: str) -> str:
    names = [one.instance or f"{one.client} on {one.host}" for one in members]
    return f"{_names(names)} {verb}" if names else ""


def _names(names: list[str]) -> str:
    rest = len(names) - NAMES_MAX
    shown = ", ".join(names[:NAMES_MAX])
    return f"{shown} and {rest} more" if rest > 0 else shown
