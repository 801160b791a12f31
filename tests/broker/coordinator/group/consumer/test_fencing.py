"""Members that fall silent are taken out, and what they had goes to others."""

from __future__ import annotations

from tests.broker.coordinator.group.consumer.conversation import (
    Client,
    beat,
    given,
    group_of,
    id_of,
    join,
    settle,
    stage,
)


def test_a_silent_member_is_taken_out_after_its_session():
    coordinator = stage()
    coordinator >> join()
    coordinator.pass_ms(44_999)
    assert coordinator.state() == "Stable"
    coordinator.pass_ms(1)
    assert (coordinator.state(), group_of(coordinator).epoch) == ("Empty", 3)


def test_every_heartbeat_begins_the_session_anew():
    coordinator = stage()
    coordinator >> join()
    for _ in range(5):
        coordinator.pass_ms(30_000)
        assert (coordinator >> beat("m", 2)).code == 0


def test_what_the_silent_one_had_goes_to_the_others():
    coordinator = stage()
    a, b = Client(coordinator, "a"), Client(coordinator, "b")
    settle(coordinator, a)
    settle(coordinator, a, b)
    for _ in range(5):
        coordinator.pass_ms(10_000)
        b.beat()
    coordinator.pass_ms(1_000)
    b.beat()
    assert b.owned == {id_of("t"): {0, 1, 2, 3}}


def test_a_new_coordinator_gives_every_member_a_whole_session():
    coordinator = stage()
    coordinator >> join()
    coordinator.pass_ms(40_000)
    later = coordinator.restarted()
    later.pass_ms(44_999)
    assert given(later >> beat("m", 2)) is None
    assert later.state() == "Stable"
