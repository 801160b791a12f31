"""Members that fall silent, or do not let go in time."""

from __future__ import annotations

from tests.broker.coordinator.group.consumer.conversation import with_group_config
from tests.broker.coordinator.group.streams.conversation import (
    Client,
    beat,
    group_of,
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
    assert play.state() == "Empty"


def test_who_does_not_let_go_is_taken_out():
    play = stage()
    a, b = Client(play, "a"), Client(play, "b")
    settle(play, a)
    b.beat()
    play >> beat("a", a.epoch)
    for _ in range(6):
        play.pass_ms(10_000)
        if "a" in group_of(play).members:
            play >> beat("a", a.epoch)
        b.beat()
    assert list(group_of(play).members) == ["b"]


def test_a_groups_own_configs_win():
    play = stage()
    configs = {"streams_heartbeat_interval_ms": "7000", "streams_num_standby_replicas": "9"}
    play.image = with_group_config(play.image, "g").build()
    delta = with_group_config(play.image, "g", **configs)
    play.image = delta.build()
    reply = play >> join()
    assert reply.answer.heartbeat_interval_ms == 7_000
