"""Topologies, as they are sent and as they are stored."""

from __future__ import annotations

from moldau.broker.coordinator.group.streams.topology import (
    read_topics,
    required_topics,
    topology_of,
)
from tests.broker.coordinator.group.streams.conversation import part, topology

TOPOLOGY = topology(
    part("1", repartitioned={"r": 0}, changelogs=("c",)), part("0", "t", sinks=("r",))
)


def test_subtopologies_stand_by_their_names():
    stored = topology_of(TOPOLOGY)
    assert [one.subtopology_id for one in stored.subtopologies] == ["0", "1"]
    assert stored == topology_of(topology(*reversed(TOPOLOGY.subtopologies)))


def test_what_is_read_and_what_is_kept_has_to_be_there():
    stored = topology_of(TOPOLOGY)
    assert [read_topics(one) for one in stored.subtopologies] == [["t"], ["r"]]
    assert required_topics(stored) == {"t", "r", "c"}
