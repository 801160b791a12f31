"""Consumer groups become classic groups when their last member of the new protocol goes."""

from __future__ import annotations

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from tests.broker.coordinator.group.classic.conversation import heartbeat, join
from tests.broker.coordinator.group.consumer.conversation import group_of
from tests.broker.coordinator.group.consumer.migrating import mixed

REBALANCING = 27


def test_the_classic_members_go_on_in_a_classic_group():
    scene = mixed()
    epoch = group_of(scene.play).epoch
    scene.modern.leave()
    group = scene.play.shard.groups.by_id["g"]
    assert isinstance(group, ClassicGroup)
    assert (list(group.members), group.generation) == ([scene.classic], epoch)
    scene.play.pass_ms(0)
    assert (scene.play >> heartbeat(scene.classic, epoch)).code == REBALANCING
    reply = scene.play >> join(scene.classic)
    assert (reply.code, reply.answer.leader) == (0, scene.classic)
    assert scene.play.restarted().state() == "Stable"


def test_a_silent_last_member_counts_as_gone():
    scene = mixed()
    epoch = group_of(scene.play).members[scene.classic].epoch
    for _ in range(8):
        scene.play >> heartbeat(scene.classic, epoch)
        scene.play.pass_ms(6_000)
    assert isinstance(scene.play.shard.groups.by_id["g"], ClassicGroup)


def test_the_policy_may_forbid_it():
    scene = mixed()
    scene.play.settings.group_consumer_migration_policy = "UPGRADE"
    scene.modern.leave()
    assert list(group_of(scene.play).members) == [scene.classic]
