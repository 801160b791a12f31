"""Members that do not let go in time are taken out."""

from __future__ import annotations

from tests.broker.coordinator.group.consumer.conversation import beat, group_of, join, stage


def unrevoked():
    """A group whose member `a` has to let go of half of what it has."""
    coordinator = stage()
    coordinator >> join("a")
    coordinator.pass_ms(1_000)
    coordinator >> join("b")
    coordinator >> beat("a", 2)
    return coordinator


def keep_alive(coordinator, duration_ms: int) -> None:
    for _ in range(duration_ms // 10_000):
        coordinator.pass_ms(10_000)
        for name in ("a", "b"):
            if name in group_of(coordinator).members:
                coordinator >> beat(name, group_of(coordinator).members[name].epoch)


def test_who_does_not_let_go_in_its_rebalance_timeout_is_taken_out():
    coordinator = unrevoked()
    keep_alive(coordinator, 50_000)
    assert set(group_of(coordinator).members) == {"a", "b"}
    keep_alive(coordinator, 10_000)
    assert set(group_of(coordinator).members) == {"b"}


def test_who_lets_go_stays():
    coordinator = unrevoked()
    coordinator >> beat("a", 2, owned={"t": [0, 1]})
    keep_alive(coordinator, 70_000)
    assert set(group_of(coordinator).members) == {"a", "b"}


def test_the_time_to_let_go_begins_anew_with_another_coordinator():
    coordinator = unrevoked().restarted()
    keep_alive(coordinator, 50_000)
    assert set(group_of(coordinator).members) == {"a", "b"}
    keep_alive(coordinator, 10_000)
    assert set(group_of(coordinator).members) == {"b"}
