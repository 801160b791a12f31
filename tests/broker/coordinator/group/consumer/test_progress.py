"""Members that do not let go in time are taken out."""

from __future__ import annotations

from tests.broker.coordinator.group.consumer.conversation import beat, group_of, join, stage


def unrevoked():
    """A group whose member `a` has to let go of half of what it has."""
    play = stage()
    play >> join("a")
    play.pass_ms(1_000)
    play >> join("b")
    play >> beat("a", 2)
    return play


def keep_alive(play, duration_ms: int) -> None:
    for _ in range(duration_ms // 10_000):
        play.pass_ms(10_000)
        for name in ("a", "b"):
            if name in group_of(play).members:
                play >> beat(name, group_of(play).members[name].epoch)


def test_who_does_not_let_go_in_its_rebalance_timeout_is_taken_out():
    play = unrevoked()
    keep_alive(play, 50_000)
    assert set(group_of(play).members) == {"a", "b"}
    keep_alive(play, 10_000)
    assert set(group_of(play).members) == {"b"}


def test_who_lets_go_stays():
    play = unrevoked()
    play >> beat("a", 2, owned={"t": [0, 1]})
    keep_alive(play, 70_000)
    assert set(group_of(play).members) == {"a", "b"}


def test_the_time_to_let_go_begins_anew_with_another_coordinator():
    play = unrevoked().restarted()
    keep_alive(play, 50_000)
    assert set(group_of(play).members) == {"a", "b"}
    keep_alive(play, 10_000)
    assert set(group_of(play).members) == {"b"}
