"""Consumer groups become classic groups when their last member of the new protocol goes."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from tests.broker.coordinator.group.classic.conversation import heartbeat, join
from tests.broker.coordinator.group.consumer.conversation import group_of
from tests.broker.coordinator.group.consumer.migrating import mixed

REBALANCING = 27


def test_the_classic_members_go_on_in_a_classic_group():
    scene = mixed()
    epoch = group_of(scene.coordinator).epoch
    scene.modern.leave()
    group = scene.coordinator.shard.groups.by_id["g"]
    assert isinstance(group, ClassicGroup)
    assert (list(group.members), group.generation) == ([scene.classic], epoch)
    scene.coordinator.pass_ms(0)
    assert (scene.coordinator >> heartbeat(scene.classic, epoch)).code == REBALANCING
    reply = scene.coordinator >> join(scene.classic)
    assert (reply.code, reply.answer.leader) == (0, scene.classic)
    assert scene.coordinator.restarted().state() == "Stable"


def test_a_silent_last_member_counts_as_gone():
    scene = mixed()
    epoch = group_of(scene.coordinator).members[scene.classic].epoch
    for _ in range(8):
        scene.coordinator >> heartbeat(scene.classic, epoch)
        scene.coordinator.pass_ms(6_000)
    assert isinstance(scene.coordinator.shard.groups.by_id["g"], ClassicGroup)


def test_the_policy_may_forbid_it():
    scene = mixed()
    scene.coordinator.settings.group_consumer_migration_policy = "UPGRADE"
    scene.modern.leave()
    assert list(group_of(scene.coordinator).members) == [scene.classic]
