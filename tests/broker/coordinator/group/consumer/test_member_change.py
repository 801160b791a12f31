"""What a group will be once a change of a member is applied."""

from __future__ import annotations

from dataclasses import replace

from moldau.broker.coordinator.group.consumer.member import ConsumerMember
from moldau.broker.coordinator.group.consumer.member_change import MemberChange
from tests.broker.coordinator.group.consumer.conversation import group_of, join, stage


def test_the_changed_member_is_in_the_place_of_the_present_one():
    coordinator = stage()
    coordinator >> join("a")
    group = group_of(coordinator)
    changed = replace(group.members["a"], topic_names=("u",))
    change = MemberChange(group, 0, group.members["a"], changed)
    assert change.members() == {"a": changed}


def test_a_successor_takes_the_place_of_the_one_before():
    coordinator = stage()
    coordinator >> join("a", instance="i")
    successor = ConsumerMember("b", instance_id="i")
    change = MemberChange(group_of(coordinator), 0, successor, successor)
    assert list(change.members()) == ["b"]


def test_patterns_that_no_member_will_read_do_not_count():
    coordinator = stage()
    coordinator >> join("a", pattern="t")
    coordinator.pass_ms(0)
    member = group_of(coordinator).members["a"]
    change = MemberChange(group_of(coordinator), 0, member, replace(member, topic_pattern=""))
    assert (list(group_of(coordinator).resolved), list(change.resolved())) == (["t"], [])
