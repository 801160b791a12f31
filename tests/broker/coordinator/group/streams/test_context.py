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
    coordinator = stage()
    coordinator >> join()
    coordinator.pass_ms(44_999)
    assert coordinator.state() == "Stable"
    coordinator.pass_ms(1)
    assert coordinator.state() == "Empty"


def test_who_does_not_let_go_is_taken_out():
    coordinator = stage()
    a, b = Client(coordinator, "a"), Client(coordinator, "b")
    settle(coordinator, a)
    b.beat()
    coordinator >> beat("a", a.epoch)
    for _ in range(6):
        coordinator.pass_ms(10_000)
        if "a" in group_of(coordinator).members:
            coordinator >> beat("a", a.epoch)
        b.beat()
    assert list(group_of(coordinator).members) == ["b"]


def test_a_groups_own_configs_win():
    coordinator = stage()
    configs = {"streams_heartbeat_interval_ms": "7000", "streams_num_standby_replicas": "9"}
    coordinator.image = with_group_config(coordinator.image, "g").build()
    delta = with_group_config(coordinator.image, "g", **configs)
    coordinator.image = delta.build()
    reply = coordinator >> join()
    assert reply.answer.heartbeat_interval_ms == 7_000
