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
    play = stage(ta=1, tb=1, x=1)
    assert given(play >> join(pattern="t.*")) == {}
    play.pass_ms(0)
    assert group_of(play).resolved["t.*"].topics == {"ta", "tb"}
    assert given(play >> beat("m", 1)) == {id_of("ta"): [0], id_of("tb"): [0]}


def test_a_known_pattern_counts_at_once():
    play = stage(ta=2)
    play >> join("a", pattern="t.*")
    play.pass_ms(1_000)
    play >> beat("a", 1)
    play.pass_ms(1_000)
    play >> join("b", pattern="t.*")
    assert len(group_of(play).targets["b"][id_of("ta")]) == 1


def test_new_topics_are_looked_for_but_not_all_the_time():
    play = stage(ta=1)
    play >> join(pattern="t.*")
    play.pass_ms(1_000)
    change(play, with_topics(play.image, tb=1))
    play >> beat("m", 1)
    play.pass_ms(0)
    assert group_of(play).resolved["t.*"].topics == {"ta"}
    play.pass_ms(10_000)
    play >> beat("m", 2)
    play.pass_ms(0)
    assert group_of(play).resolved["t.*"].topics == {"ta", "tb"}


def test_a_pattern_that_no_member_reads_is_forgotten():
    play = stage(ta=1)
    play >> join(pattern="t.*")
    play.pass_ms(1_000)
    play >> beat("m", 1, pattern="")
    assert group_of(play).resolved == {}
    assert play.restarted().state() == play.state()


def test_old_lookups_are_made_again_in_time():
    play = stage(ta=1)
    play >> join(pattern="t.*")
    play.pass_ms(0)
    first = group_of(play).resolved["t.*"].resolved_at_ms
    for _ in range(31):
        play.pass_ms(20_000)
        play >> beat("m", group_of(play).members["m"].epoch)
    play.pass_ms(0)
    assert group_of(play).resolved["t.*"].resolved_at_ms >= first + 600_000
