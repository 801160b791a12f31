"""One sharing out of partitions among members, as the `simple` assignor does it.

    1  each member keeps what it has
    2  who has more than its part gives some back
    3  partitions that more have than need be are taken from some
    4  partitions that fewer have than need be go to who has less than its part, in turns

A partition is wanted by as many members as it takes for all to have one. Members are numbers, their
places in the group. Every walk goes in Java's order, because it decides who gives up what.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import ceil
from typing import Generic, TypeVar

from moldau.broker.coordinator.group.java_order import (
    ComputedKeys,
    HashOf,
    JavaSet,
    int_hash,
    presized_table,
)

Key = TypeVar("Key")
"""What stands for a partition."""


class Sharing(Generic[Key]):
    """Partitions by member and members by partition, until each has its part."""

    def __init__(
        self,
        hash_of: HashOf[Key],
        targets: Sequence[Key],
        members: Sequence[int],
        group_size: int,
        before: Sequence[Sequence[Key]],
    ) -> None:
        self._targets = targets
        self._members = members
        self._group_size = group_size
        self._sharing = ceil(len(members) / len(targets)) if targets else 0
        self._parts = [0] * group_size
        each = self._sharing * len(targets) / len(members)
        for place, member in enumerate(members):
            self._parts[member] = ceil(each * (place + 1)) - ceil(each * place)
        self._order = ComputedKeys(hash_of, table_size=presized_table(len(targets) + 1))
        self._takers: dict[Key, JavaSet[int]] = {}
        self._given: list[JavaSet[Key]] = [JavaSet(hash_of, some) for some in before]
        for member, some in enumerate(before):
            for key in some:
                self._takers_of(key).add(member)

    def __repr__(self) -> str:
        return f"Sharing({len(self._targets)} partitions, {self._sharing} members for each)"

    def shared(self) -> list[JavaSet[Key]]:
        """What each member of the group shall have."""
        self._trim_members()
        self._trim_partitions()
        for key in self._targets:
            self._takers_of(key)
        self._fill()
        return self._given

    def _takers_of(self, key: Key) -> JavaSet[int]:
        self._order.add(key)
        return self._takers.setdefault(key, JavaSet(int_hash))

    def _trim_members(self) -> None:
        for member, given in enumerate(self._given):
            for key in list(given)[: max(len(given) - self._parts[member], 0)]:
                given.remove(key)
                self._takers[key].remove(member)

    def _trim_partitions(self) -> None:
        for key, takers in self._takers.items():
            for member in list(takers)[: max(len(takers) - self._sharing, 0)]:
                takers.remove(member)
                self._given[member].remove(key)

    def _fill(self) -> None:
        lacking = JavaSet(int_hash, table_size=presized_table(self._group_size + 1))
        for member in self._members:
            if len(self._given[member]) < self._parts[member]:
                lacking.add(member)
        turns = _Turns(lacking)
        for key in self._order:
            self._fill_one(key, turns)
            if not lacking:
                break

    def _fill_one(self, key: Key, turns: _Turns) -> None:
        """A member that had the partition does not get it again; a whole round of those ends it."""
        takers = self._takers[key]
        missing = self._sharing - len(takers)
        while missing > 0:
            member = turns.next()
            if member is None:
                return
            if member in takers:
                continue
            self._given[member].add(key)
            missing -= 1
            turns.took(member, is_full=len(self._given[member]) >= self._parts[member])


class _Turns:
    """Rounds through those that lack something, as long as a round finds a taker."""

    def __init__(self, lacking: JavaSet[int]) -> None:
        self._lacking = lacking
        self._round: Iterator[int] = iter(lacking)
        self._found_taker = False

    def next(self) -> int | None:
        member = next(self._round, None)
        if member is None and self._found_taker:
            self._found_taker = False
            self._round = iter(self._lacking)
            member = next(self._round, None)
        return member

    def took(self, member: int, *, is_full: bool) -> None:
        self._found_taker = True
        if is_full:
            self._lacking.remove(member)
