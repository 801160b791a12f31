"""Patterns are looked up once, and again when there are other topics."""

from __future__ import annotations

from tests.broker.coordinator.group.consumer.conversation import (
    beat,
    change,
    given,
    group_of,
    id_of,
    join,
    stage,
    with_topics,
)


def test_a_pattern_is_looked_up_directly_after_the_heartbeat():
    coordinator = stage(ta=1, tb=1, x=1)
    assert given(coordinator >> join(pattern="t.*")) == {}
    coordinator.pass_ms(0)
    assert group_of(coordinator).resolved["t.*"].topics == {"ta", "tb"}
    assert given(coordinator >> beat("m", 1)) == {id_of("ta"): [0], id_of("tb"): [0]}


def test_a_known_pattern_counts_at_once():
    coordinator = stage(ta=2)
    coordinator >> join("a", pattern="t.*")
    coordinator.pass_ms(1_000)
    coordinator >> beat("a", 1)
    coordinator.pass_ms(1_000)
    coordinator >> join("b", pattern="t.*")
    assert len(group_of(coordinator).targets["b"][id_of("ta")]) == 1


def test_new_topics_are_looked_for_but_not_all_the_time():
    coordinator = stage(ta=1)
    coordinator >> join(pattern="t.*")
    coordinator.pass_ms(1_000)
    change(coordinator, with_topics(coordinator.image, tb=1))
    coordinator >> beat("m", 1)
    coordinator.pass_ms(0)
    assert group_of(coordinator).resolved["t.*"].topics == {"ta"}
    coordinator.pass_ms(10_000)
    coordinator >> beat("m", 2)
    coordinator.pass_ms(0)
    assert group_of(coordinator).resolved["t.*"].topics == {"ta", "tb"}


def test_a_pattern_that_no_member_reads_is_forgotten():
    coordinator = stage(ta=1)
    coordinator >> join(pattern="t.*")
    coordinator.pass_ms(1_000)
    coordinator >> beat("m", 1, pattern="")
    assert group_of(coordinator).resolved == {}
    assert coordinator.restarted().state() == coordinator.state()


def test_old_lookups_are_made_again_in_time():
    coordinator = stage(ta=1)
    coordinator >> join(pattern="t.*")
    coordinator.pass_ms(0)
    first = group_of(coordinator).resolved["t.*"].resolved_at_ms
    for _ in range(31):
        coordinator.pass_ms(20_000)
        coordinator >> beat("m", group_of(coordinator).members["m"].epoch)
    coordinator.pass_ms(0)
    assert group_of(coordinator).resolved["t.*"].resolved_at_ms >= first + 600_000
