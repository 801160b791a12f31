"""Sets of partitions in Java's order."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from moldau.broker.coordinator.transaction.partition_set import NO_PARTITIONS, PartitionSet
from moldau.broker.log.directory.names import TopicPartition
from tests.broker.coordinator.transaction.stage import partitions

SOME = st.sets(
    st.builds(TopicPartition, st.sampled_from(["a", "bb", "orders"]), st.integers(0, 40))
)


@given(st.lists(SOME, max_size=5))
def test_additions_together_hold_what_each_of_them_held(additions):
    together = NO_PARTITIONS
    for added in additions:
        together = together.with_all(PartitionSet.of(added))
    assert set(together) == set().union(*additions)
    assert len(together) == len(set(together))


@given(SOME, SOME)
def test_what_is_taken_away_is_gone_and_nothing_else(some, gone):
    assert set(PartitionSet.of(some).without(gone)) == some - gone


@given(SOME)
def test_each_partition_stands_once_under_its_topic(some):
    listed = [(topic, index) for topic, all_ in PartitionSet.of(some).by_topic() for index in all_]
    assert sorted(listed) == sorted(some)


def test_order_does_not_matter_to_equality():
    one, other = partitions("a", 1, 2), partitions("a", 2, 1)
    assert PartitionSet(one) == PartitionSet(other)
    assert hash(PartitionSet(one)) == hash(PartitionSet(other))
    assert partitions("a", 2)[0] in PartitionSet(one)
