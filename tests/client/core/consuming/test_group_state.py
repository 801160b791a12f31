"""What a member is at the moment."""

from __future__ import annotations

from random import Random
from uuid import UUID

from moldau.client.core.consuming.group_state import (
    Change,
    GroupState,
    drawn_member_id,
)
from moldau.client.topic_partition import TopicPartition

FIRST, SECOND, THIRD = (TopicPartition("t", number) for number in range(3))


def test_what_is_gained_is_what_has_to_go_and_to_come():
    state = GroupState("g", None)
    state.own(Change(assigned=frozenset({FIRST, SECOND})))
    change = state.gain([SECOND, THIRD])
    assert change == Change(frozenset({FIRST}), frozenset({THIRD}))
    state.own(change)
    assert state.owned == {SECOND, THIRD}


def test_a_change_of_nothing_is_none():
    assert not Change()
    assert Change(revoked=frozenset({FIRST}))


def test_a_member_that_leaves_for_want_of_polls_names_the_setting(caplog):
    state = GroupState("g", None)
    state.warn_of_leaving(500)
    assert caplog.text == "", "it has not joined"
    state.generation = 1
    state.warn_of_leaving(500)
    assert "500 ms (max.poll.interval.ms), so this member of group g" in caplog.text


def test_commits_name_the_member():
    state = GroupState("g", "i")
    state.member_id, state.generation = "m", 4
    member = state.membership
    assert (member.group, member.generation, member.member_id) == ("g", 4, "m")
    assert member.instance_id == "i"


def test_members_draw_ids_that_look_as_those_of_java():
    drawn = drawn_member_id(Random(7))
    assert str(UUID(drawn)) == drawn
    assert drawn != drawn_member_id(Random(8))
