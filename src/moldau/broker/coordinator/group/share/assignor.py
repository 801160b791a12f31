"""The `simple` assignor: every partition to as many members as it takes to keep them all busy.

With more members than partitions, each partition goes to several; with fewer, each member gets
several. Where all members subscribe to the same topics, all partitions are shared out together;
where subscriptions differ, each topic is shared among those that subscribe to it.

It gives the same as Kafka's, element for element, and where several assignments are as good as
each other the order in which Java walks through its tables decides (`java_order`). That includes
what looks odd: what a member has of a topic it keeps though the partition cannot be assigned any
more, and a topic that no member of a mixed group reads any longer stays where it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field

from moldau.broker.coordinator.group.java_order import JavaSet, id_hash, int_hash, text_hash
from moldau.broker.coordinator.group.share.member import Assignment
from moldau.broker.coordinator.group.share.sharing import Sharing
from moldau.platform.quick_dataclass import dataclass

TopicPartition = tuple[bytes, int]
Given = dict[bytes, list[int]]
HASH_FACTOR = 31
NOTHING: Assignment = {}


@dataclass(frozen=True, slots=True)
class SharedWork:
    """What is to be shared out, and among whom."""

    subscriptions: Mapping[str, Sequence[bytes]]
    """Topic ids by member, in the order of Java's set of their names."""
    assignable: Mapping[bytes, frozenset[int]]
    is_homogeneous: bool
    """All members subscribe to the same topics."""
    before: Mapping[str, Assignment] = field(default_factory=dict)

    def member_ids(self) -> list[str]:
        """The members in Java's order; assignments know them by their place in it."""
        return list(JavaSet(text_hash, self.subscriptions))


def assign(work: SharedWork) -> dict[str, Given]:
    """The target of each member."""
    member_ids = work.member_ids()
    before = [_walked(work.before.get(member_id, NOTHING)) for member_id in member_ids]
    if not any(work.subscriptions.values()):
        return {member_id: {} for member_id in member_ids}
    share = _share_together if work.is_homogeneous else _share_by_topic
    given = share(work, member_ids, before)
    return dict(zip(member_ids, given, strict=True))


def _walked(before: Assignment) -> Given:
    """As Java walks through it."""
    return {
        topic_id: list(JavaSet.copied(int_hash, before[topic_id]))
        for topic_id in JavaSet(id_hash, before)
    }


def _share_together(work: SharedWork, member_ids: list[str], before: list[Given]) -> list[Given]:
    """All topics of all members at once."""
    topics = work.subscriptions[member_ids[0]]
    targets = [(one, index) for one in topics for index in sorted(work.assignable.get(one, ()))]
    kept = [
        [
            (topic_id, index)
            for topic_id, some in one.items()
            if topic_id in topics
            for index in some
        ]
        for one in before
    ]
    shared = Sharing(_pair_hash, targets, range(len(member_ids)), len(member_ids), kept).shared()
    result: list[Given] = [{one: [] for one in some if one in topics} for some in before]
    for given, pairs in zip(result, shared, strict=True):
        for topic_id, index in sorted(pairs):
            given.setdefault(topic_id, []).append(index)
    return result


def _share_by_topic(work: SharedWork, member_ids: list[str], before: list[Given]) -> list[Given]:
    """Each topic among those that subscribe to it."""
    result = [{one: sorted(some) for one, some in given.items()} for given in before]
    for topic_id in {one for some in work.subscriptions.values() for one in some}:
        readers = [
            place for place, one in enumerate(member_ids) if topic_id in work.subscriptions[one]
        ]
        targets = sorted(work.assignable.get(topic_id, ()))
        kept = [given.get(topic_id, []) for given in before]
        shared = Sharing(int_hash, targets, readers, len(member_ids), kept).shared()
        for given, indexes in zip(result, shared, strict=True):
            if indexes or topic_id in given:
                given[topic_id] = sorted(indexes)
    return result


def _pair_hash(pair: TopicPartition) -> int:
    """`hashCode` of Kafka's TopicIdPartition."""
    return id_hash(pair[0]) * HASH_FACTOR + pair[1]
