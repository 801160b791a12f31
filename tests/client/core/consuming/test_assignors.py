"""How the leader of a classic group shares partitions."""

from __future__ import annotations

from random import Random

import pytest

from moldau.client.core.consuming.assignors import COOPERATIVE, Assignment, Member, assign
from moldau.client.topic_partition import TopicPartition

NAMES = ("range", "roundrobin", "sticky", COOPERATIVE)


def member(name: str, *topics: str, owned=(), generation: int = 1) -> Member:
    parts = tuple(TopicPartition(*part) for part in owned)
    return Member(name, frozenset(topics), parts, generation)


def shown(found: Assignment) -> dict[str, list[str]]:
    return {name: [f"{one.topic}{one.partition}" for one in parts] for name, parts in found.items()}


def test_range_keeps_neighbours_together_topic_by_topic():
    found = assign("range", [member("b", "t", "u"), member("a", "t", "u")], {"t": 3, "u": 3})
    assert shown(found) == {"a": ["t0", "t1", "u0", "u1"], "b": ["t2", "u2"]}


def test_round_robin_goes_over_all_topics():
    found = assign("roundrobin", [member("a", "t", "u"), member("b", "t", "u")], {"t": 3, "u": 3})
    assert shown(found) == {"a": ["t0", "t2", "u1"], "b": ["t1", "u0", "u2"]}


def test_sticky_moves_no_more_than_it_has_to():
    old = member("a", "t", owned=[("t", 0), ("t", 1), ("t", 2), ("t", 3)])
    found = assign("sticky", [old, member("b", "t")], {"t": 4})
    assert shown(found)["a"] == ["t0", "t1"]
    assert sorted(shown(found)["b"]) == ["t2", "t3"]


def test_cooperative_hands_on_only_what_is_free():
    old = member("a", "t", owned=[("t", 0), ("t", 1)])
    found = assign(COOPERATIVE, [old, member("b", "t")], {"t": 2})
    assert shown(found) == {"a": ["t0"], "b": []}
    again = assign(COOPERATIVE, [member("a", "t", owned=[("t", 0)]), member("b", "t")], {"t": 2})
    assert shown(again) == {"a": ["t0"], "b": ["t1"]}


def test_of_two_owners_the_later_one_counts():
    late = member("a", "t", owned=[("t", 0)], generation=7)
    early = member("b", "t", owned=[("t", 0)], generation=6)
    assert shown(assign("sticky", [early, late], {"t": 1})) == {"a": ["t0"], "b": []}


def test_those_with_a_name_of_their_own_keep_their_place():
    named = Member("z", frozenset({"t"}), instance_id="1")
    assert shown(assign("range", [member("a", "t"), named], {"t": 1})) == {"z": ["t0"], "a": []}


@pytest.mark.parametrize("name", NAMES)
def test_every_partition_that_a_member_wants_has_one_owner(name):
    draw = Random(5)
    for _ in range(200):
        topics = {topic: draw.randrange(0, 7) for topic in "tuv"}
        members = [
            member(f"m{number}", *(topic for topic in "tuvw" if draw.random() < 0.7))
            for number in range(draw.randrange(1, 6))
        ]
        found = assign(name, members, topics)
        wanted = {
            TopicPartition(topic, number)
            for topic, count in topics.items()
            for number in range(count)
            if any(topic in one.topics for one in members)
        }
        given = [part for parts in found.values() for part in parts]
        assert len(given) == len(set(given))
        assert set(given) == wanted
        interests = {one.member_id: one.topics for one in members}
        assert all(part.topic in interests[who] for who in found for part in found[who])


def test_sticky_is_even():
    draw = Random(6)
    for _ in range(100):
        members = [
            member(f"m{number}", "t", owned=[("t", draw.randrange(0, 20)) for _ in range(9)])
            for number in range(draw.randrange(1, 6))
        ]
        sizes = [len(parts) for parts in assign("sticky", members, {"t": 17}).values()]
        assert max(sizes) - min(sizes) <= 1
