"""New targets: when, by whom, and written only for those whose share is another one."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.target import is_same
from moldau.protocol.messages.stored.consumer_group import ConsumerGroupTargetAssignmentMemberKey
from tests.broker.coordinator.group.consumer.conversation import Client, beat, group_of, join, stage


def test_the_order_of_partitions_makes_no_difference():
    assert is_same({b"t": (0, 1)}, {b"t": (1, 0)})
    assert not is_same({b"t": (0,)}, {b"t": (0, 1)})
    assert not is_same({b"t": (0,)}, {})


def test_members_may_ask_for_an_assignor():
    coordinator = stage(t=2, u=2)
    coordinator >> join("a", topics=["t", "u"], assignor="range")
    coordinator.pass_ms(1_000)
    coordinator >> join("b", topics=["t", "u"], assignor="range")
    targets = group_of(coordinator).targets
    assert [sorted(targets[name].values()) for name in "ab"] == [[(0,), (0,)], [(1,), (1,)]]


def test_only_changed_targets_are_written():
    coordinator = stage(t=2)
    Client(coordinator, "a").beat()
    coordinator.pass_ms(1_000)
    before = len(coordinator.log)
    coordinator >> beat("a", 2, topics=["t", "missing"])
    written = [type(record.key) for record in coordinator.records()[before:]]
    assert ConsumerGroupTargetAssignmentMemberKey not in written
