"""Classic members take part in consumer groups."""

from __future__ import annotations

import pytest

from moldau.broker.coordinator.group.classic.group import ClassicGroup
from moldau.broker.coordinator.group.consumer.group import ConsumerGroup
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import enter, heartbeat, join, leave, sync
from tests.broker.coordinator.group.consumer.conversation import (
    Client,
    beat,
    group_of,
    id_of,
    settle,
    stage,
)
from tests.broker.coordinator.group.consumer.conversation import join as join_modern
from tests.broker.coordinator.group.consumer.migrating import (
    classic_group,
    mixed,
    partitions_in,
    rejoin,
)

ILLEGAL_GENERATION, INCONSISTENT, UNKNOWN, REBALANCING, ID_REQUIRED = 22, 23, 25, 27, 79


def test_both_members_get_their_share():
    scene = mixed()
    assert scene.coordinator.state() == "Stable"
    classic = set(group_of(scene.coordinator).members[scene.classic].assigned[id_of("t")])
    modern = scene.modern.owned[id_of("t")]
    assert (len(classic), classic | modern, classic & modern) == (2, {0, 1, 2, 3}, set())


def test_a_member_is_called_back_when_it_can_take_a_step():
    coordinator, classic = classic_group()
    assert (coordinator >> heartbeat(classic, 1)).code == 0
    Client(coordinator, "new").beat()
    assert (coordinator >> heartbeat(classic, 1)).code == REBALANCING
    assert len(partitions_in(rejoin(coordinator, classic))) == 2


def test_who_does_not_follow_the_call_is_taken_out():
    coordinator, classic = classic_group()
    modern = Client(coordinator, "new")
    modern.beat()
    for _ in range(7):
        coordinator >> heartbeat(classic, 1)
        coordinator.pass_ms(9_000)
        modern.beat()
    assert list(group_of(coordinator).members) == ["new"]


def test_who_does_not_ask_for_its_assignment_is_taken_out():
    coordinator, classic = classic_group()
    modern = Client(coordinator, "new")
    modern.beat()
    generation = (coordinator >> join(classic)).answer.generation_id
    for _ in range(7):
        coordinator >> heartbeat(classic, generation)
        coordinator.pass_ms(9_000)
        modern.beat()
    assert list(group_of(coordinator).members) == ["new"]


def test_a_new_classic_member_gets_its_id_first():
    coordinator = stage()
    coordinator >> join_modern("m")
    reply = coordinator >> join()
    assert reply.code == ID_REQUIRED
    coordinator.pass_ms(1_000)
    assert (coordinator >> join(reply.answer.member_id)).code == 0
    assert len(group_of(coordinator).members) == 2


def test_another_generation_is_illegal():
    scene = mixed()
    assert (scene.coordinator >> heartbeat(scene.classic, 99)).code == ILLEGAL_GENERATION
    assert (scene.coordinator >> sync(scene.classic, 99)).code == ILLEGAL_GENERATION


def test_members_of_the_new_protocol_are_unknown_to_classic_requests():
    scene = mixed()
    epoch = scene.modern.epoch
    assert (scene.coordinator >> heartbeat("new", epoch)).code == UNKNOWN
    assert (scene.coordinator >> sync("new", epoch)).code == UNKNOWN


def test_members_of_both_protocols_may_be_sent_away():
    scene = mixed()
    reply = scene.coordinator >> leave("new", "unknown")
    assert [member.error_code for member in reply.answer.members] == [0, UNKNOWN]


def test_an_empty_consumer_group_gives_way_to_a_classic_one():
    coordinator = stage()
    coordinator >> join_modern("m")
    coordinator >> beat("m", -1)
    enter(coordinator)
    assert isinstance(coordinator.shard.groups.by_id["g"], ClassicGroup)
    coordinator.pass_ms(3_000)
    assert coordinator.state() == "CompletingRebalance"


def test_an_empty_consumer_group_stays_where_no_member_joins():
    coordinator = stage()
    coordinator >> join_modern("m")
    coordinator >> beat("m", -1)
    assert (coordinator >> join("unknown")).code == UNKNOWN
    assert (coordinator >> join(session_ms=1)).code == ErrorCode.INVALID_SESSION_TIMEOUT
    assert isinstance(coordinator.restarted().shard.groups.by_id["g"], ConsumerGroup)


@pytest.mark.parametrize("how", [{"protocols": ()}, {"instance": "i"}])
def test_a_refused_join_has_no_member_id(how):
    reply = mixed().coordinator >> join("m", **how)
    assert reply.code in (ErrorCode.INCONSISTENT_GROUP_PROTOCOL, UNKNOWN)
    assert reply.answer.member_id == ""


def test_a_static_classic_member_takes_the_last_modern_place():
    coordinator, classic = classic_group()
    modern = Client(coordinator, "new", instance="i")
    modern.beat()
    rejoin(coordinator, classic)
    settle(coordinator, modern, rounds=3)
    rejoin(coordinator, classic)
    reply = coordinator >> join("", instance="i")
    assert reply.code == 0
    assert isinstance(coordinator.shard.groups.by_id["g"], ClassicGroup)
    assert coordinator.restarted().state() == "Stable"
