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
    play = stage()
    play >> join()
    play.pass_ms(44_999)
    assert play.state() == "Stable"
    play.pass_ms(1)
    assert (play.state(), group_of(play).epoch) == ("Empty", 3)


def test_every_heartbeat_begins_the_session_anew():
    play = stage()
    play >> join()
    for _ in range(5):
        play.pass_ms(30_000)
        assert (play >> beat("m", 2)).code == 0


def test_what_the_silent_one_had_goes_to_the_others():
    play = stage()
    a, b = Client(play, "a"), Client(play, "b")
    settle(play, a)
    settle(play, a, b)
    for _ in range(5):
        play.pass_ms(10_000)
        b.beat()
    play.pass_ms(1_000)
    b.beat()
    assert b.owned == {id_of("t"): {0, 1, 2, 3}}


def test_a_new_coordinator_gives_every_member_a_whole_session():
    play = stage()
    play >> join()
    play.pass_ms(40_000)
    later = play.restarted()
    later.pass_ms(44_999)
    assert given(later >> beat("m", 2)) is None
    assert later.state() == "Stable"
