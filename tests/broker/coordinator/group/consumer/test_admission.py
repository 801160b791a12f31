"""Static members: one place, one owner."""

from __future__ import annotations

from tests.broker.coordinator.group.consumer.conversation import (
    beat,
    given,
    id_of,
    join,
    member_of,
    stage,
)

UNKNOWN, FENCED, UNRELEASED = 25, 82, 111
T = id_of("t")


def test_a_static_member_comes_back_to_what_it_had():
    coordinator = stage()
    coordinator >> join("a", instance="i")
    reply = coordinator >> beat("a", -2, instance="i")
    assert (reply.code, reply.answer.member_epoch) == (0, -2)
    reply = coordinator >> join("b", instance="i")
    assert (reply.answer.member_epoch, given(reply)) == (2, {T: [0, 1, 2, 3]})
    assert member_of(coordinator, "b").instance_id == "i"


def test_it_may_come_back_under_its_own_name():
    coordinator = stage()
    coordinator >> join("a", instance="i")
    coordinator >> beat("a", -2, instance="i")
    assert given(coordinator >> join("a", instance="i")) == {T: [0, 1, 2, 3]}
    assert coordinator.restarted().state() == "Stable"


def test_a_place_cannot_be_taken_from_who_is_there():
    coordinator = stage()
    coordinator >> join("a", instance="i")
    assert (coordinator >> join("b", instance="i")).code == UNRELEASED


def test_whose_place_was_taken_is_fenced():
    coordinator = stage()
    coordinator >> join("a", instance="i")
    coordinator >> beat("a", -2, instance="i")
    coordinator >> join("b", instance="i")
    assert (coordinator >> beat("a", 2, instance="i")).code == FENCED
    assert (coordinator >> beat("a", -1, instance="i")).code == FENCED


def test_an_instance_that_no_member_has_is_unknown():
    coordinator = stage()
    coordinator >> join("a")
    assert (coordinator >> beat("a", 2, instance="i")).code == UNKNOWN


def test_who_does_not_come_back_in_time_loses_its_place():
    coordinator = stage()
    coordinator >> join("a", instance="i")
    coordinator >> beat("a", -2, instance="i")
    coordinator.pass_ms(45_000)
    assert coordinator.state() == "Empty"
