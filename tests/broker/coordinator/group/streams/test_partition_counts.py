"""How many partitions internal topics get."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.streams.partition_counts import MisfitError, decide_counts
from moldau.broker.coordinator.group.streams.topology import topology_of
from moldau.errors import KafkaError
from tests.broker.coordinator.group.streams.conversation import part, topology


def counts(*parts, **existing) -> dict[str, int]:
    return decide_counts(topology_of(topology(*parts)), existing.get)


def test_changelogs_have_one_partition_for_each_task():
    assert counts(part("0", "t", "u", changelogs=("c",)), t=3, u=5) == {"c": 5}


def test_a_repartition_topic_follows_what_its_writer_reads():
    chain = (
        part("0", "t", sinks=("a",)),
        part("1", repartitioned={"a": 0}, sinks=("b",)),
        part("2", repartitioned={"b": 0}, changelogs=("c",)),
    )
    assert counts(*chain, t=4) == {"a": 4, "b": 4, "c": 4}


def test_joined_topics_get_the_same_count():
    joined = part("1", "u", repartitioned={"a": 0}, joined=((0,), (0,)))
    assert counts(part("0", "t", sinks=("a",)), joined, t=4, u=6)["a"] == 6


def test_a_count_that_was_asked_for_is_kept_or_does_not_fit():
    writer = part("0", "t", sinks=("a",))
    assert counts(writer, part("1", repartitioned={"a": 9}), t=4)["a"] == 9
    with pytest.raises(MisfitError):
        counts(writer, part("1", "u", repartitioned={"a": 9}, joined=((0,), (0,))), t=4, u=6)


def test_sources_that_are_joined_have_to_be_alike():
    with pytest.raises(MisfitError):
        counts(part("0", "t", "u", joined=((0, 1), ())), t=4, u=6)


def test_circles_and_empty_parts_make_no_sense():
    with pytest.raises(KafkaError):
        counts(part("0", repartitioned={"a": 0}, sinks=("a",)))
    with pytest.raises(KafkaError):
        counts(part("0", changelogs=("c",)))
