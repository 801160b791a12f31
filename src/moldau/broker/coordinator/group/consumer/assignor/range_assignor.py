"""`range`: of each topic, neighbouring partitions for each member, so that joins find each other.

Members stand in the order of their ids, static ones first and by their instance ids. Of every topic
each of its readers gets the same count of partitions in a row, and the first ones get one more
where it does not come out even. Members with the same topics so get the same partitions of all
topics that have equally many.

What a member owns already does not matter: the order alone keeps assignments stable.
"""

from __future__ import annotations

from collections import Counter

from moldau.broker.coordinator.group.consumer.assignor.spec import Assignment, GroupSpec, MemberSpec


def assign_ranges(spec: GroupSpec) -> dict[str, Assignment]:
    """The assignment of every member."""
    readers = Counter(topic for member in spec.members.values() for topic in member.topic_ids)
    served: Counter[bytes] = Counter()
    assignments: dict[str, Assignment] = {}
    for member_id, member in sorted(spec.members.items(), key=_order):
        assignment = {}
        for topic_id in member.topic_ids:
            partitions = _share(
                spec.partition_counts[topic_id], readers[topic_id], served[topic_id]
            )
            served[topic_id] += 1
            if partitions:
                assignment[topic_id] = partitions
        assignments[member_id] = assignment
    return assignments


def _order(entry: tuple[str, MemberSpec]) -> tuple[bool, bytes]:
    member_id, member = entry
    instance_id = member.instance_id
    name = member_id if instance_id is None else instance_id
    return instance_id is None, name.encode("utf-16-be", errors="surrogatepass")


def _share(partition_count: int, reader_count: int, index: int) -> tuple[int, ...]:
    """The share of the reader at this index."""
    least, more = divmod(partition_count, reader_count)
    start = least * index + min(index, more)
    return tuple(range(start, start + least + (index < more)))
