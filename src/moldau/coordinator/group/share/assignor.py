"""The `simple` assignor: every partition to as many members as it takes to keep them all busy.

With more members than partitions, each partition goes to several; with fewer, each member gets
several. Members that subscribe to the same topics share them alike; where subscriptions differ,
each set of topics is shared among those that subscribe to it. What a member has it keeps, as long
as it does not have too much.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from moldau.coordinator.group.share.member import Assignment

TopicPartition = tuple[bytes, int]
Subscriptions = Mapping[str, frozenset[bytes]]
"""Topic ids by member."""


def assign(
    subscriptions: Subscriptions,
    assignable: Mapping[bytes, frozenset[int]],
    before: Mapping[str, Assignment],
) -> dict[str, dict[bytes, list[int]]]:
    """Who shall have what, by member."""
    result: dict[str, dict[bytes, list[int]]] = {member_id: {} for member_id in subscriptions}
    for topics in _topics_shared_alike(subscriptions):
        member_ids = sorted(one for one in subscriptions if topics <= subscriptions[one])
        partitions = [
            (topic_id, index)
            for topic_id in sorted(topics)
            for index in sorted(assignable.get(topic_id, ()))
        ]
        for member_id, given in _share(member_ids, partitions, before).items():
            for topic_id, index in sorted(given):
                result[member_id].setdefault(topic_id, []).append(index)
    return result


def _topics_shared_alike(subscriptions: Subscriptions) -> list[frozenset[bytes]]:
    """Topics grouped by who subscribes to them."""
    by_members: dict[tuple[str, ...], set[bytes]] = {}
    for topic_id in sorted({topic_id for some in subscriptions.values() for topic_id in some}):
        members = tuple(sorted(one for one in subscriptions if topic_id in subscriptions[one]))
        by_members.setdefault(members, set()).add(topic_id)
    return [frozenset(topics) for topics in by_members.values()]


def _share(
    member_ids: Sequence[str],
    partitions: Sequence[TopicPartition],
    before: Mapping[str, Assignment],
) -> dict[str, set[TopicPartition]]:
    if not partitions:
        return {}
    sharing = ceil(len(member_ids) / len(partitions))
    wanted = _wanted_counts(member_ids, sharing * len(partitions))
    given: dict[str, set[TopicPartition]] = {member_id: set() for member_id in member_ids}
    takers = dict.fromkeys(partitions, 0)
    for member_id in member_ids:
        for kept in _kept(before.get(member_id, {})):
            has_room = len(given[member_id]) < wanted[member_id]
            if has_room and takers.get(kept, sharing) < sharing:
                given[member_id].add(kept)
                takers[kept] += 1
    _fill(given, wanted, takers, sharing)
    return given


def _kept(before: Assignment) -> list[TopicPartition]:
    return [(topic_id, index) for topic_id, some in before.items() for index in some]


def _wanted_counts(member_ids: Sequence[str], total: int) -> dict[str, int]:
    """As even as whole numbers can be."""
    each = total / len(member_ids)
    return {
        member_id: max(1, ceil(each * (place + 1)) - ceil(each * place))
        for place, member_id in enumerate(member_ids)
    }


def _fill(
    given: dict[str, set[TopicPartition]],
    wanted: dict[str, int],
    takers: dict[TopicPartition, int],
    sharing: int,
) -> None:
    """What is left goes to who has too little, in turns; then nobody is left with nothing."""
    for partition in takers:
        while takers[partition] < sharing:
            lacking = [
                one
                for one in given
                if len(given[one]) < wanted[one] and partition not in given[one]
            ]
            if not lacking:
                break
            taker = min(lacking, key=lambda one: len(given[one]))
            given[taker].add(partition)
            takers[partition] += 1
    for some in given.values():
        if not some:
            partition = min(takers, key=lambda one: takers[one])
            some.add(partition)
            takers[partition] += 1
    for partition in takers:
        if takers[partition] == 0:
            min(given.values(), key=len).add(partition)
            takers[partition] = 1
