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
    assert scene.play.state() == "Stable"
    classic = set(group_of(scene.play).members[scene.classic].assigned[id_of("t")])
    modern = scene.modern.owned[id_of("t")]
    assert (len(classic), classic | modern, classic & modern) == (2, {0, 1, 2, 3}, set())


def test_a_member_is_called_back_when_it_can_take_a_step():
    play, classic = classic_group()
    assert (play >> heartbeat(classic, 1)).code == 0
    Client(play, "new").beat()
    assert (play >> heartbeat(classic, 1)).code == REBALANCING
    assert len(partitions_in(rejoin(play, classic))) == 2


def test_who_does_not_follow_the_call_is_taken_out():
    play, classic = classic_group()
    modern = Client(play, "new")
    modern.beat()
    for _ in range(7):
        play >> heartbeat(classic, 1)
        play.pass_ms(9_000)
        modern.beat()
    assert list(group_of(play).members) == ["new"]


def test_who_does_not_ask_for_its_assignment_is_taken_out():
    play, classic = classic_group()
    modern = Client(play, "new")
    modern.beat()
    generation = (play >> join(classic)).answer.generation_id
    for _ in range(7):
        play >> heartbeat(classic, generation)
        play.pass_ms(9_000)
        modern.beat()
    assert list(group_of(play).members) == ["new"]


def test_a_new_classic_member_gets_its_id_first():
    play = stage()
    play >> join_modern("m")
    reply = play >> join()
    assert reply.code == ID_REQUIRED
    play.pass_ms(1_000)
    assert (play >> join(reply.answer.member_id)).code == 0
    assert len(group_of(play).members) == 2


def test_another_generation_is_illegal():
    scene = mixed()
    assert (scene.play >> heartbeat(scene.classic, 99)).code == ILLEGAL_GENERATION
    assert (scene.play >> sync(scene.classic, 99)).code == ILLEGAL_GENERATION


def test_members_of_the_new_protocol_are_unknown_to_classic_requests():
    scene = mixed()
    epoch = scene.modern.epoch
    assert (scene.play >> heartbeat("new", epoch)).code == UNKNOWN
    assert (scene.play >> sync("new", epoch)).code == UNKNOWN


def test_members_of_both_protocols_may_be_sent_away():
    scene = mixed()
    reply = scene.play >> leave("new", "unknown")
    assert [member.error_code for member in reply.answer.members] == [0, UNKNOWN]


def test_an_empty_consumer_group_gives_way_to_a_classic_one():
    play = stage()
    play >> join_modern("m")
    play >> beat("m", -1)
    enter(play)
    assert isinstance(play.shard.groups.by_id["g"], ClassicGroup)
    play.pass_ms(3_000)
    assert play.state() == "CompletingRebalance"


def test_an_empty_consumer_group_stays_where_no_member_joins():
    play = stage()
    play >> join_modern("m")
    play >> beat("m", -1)
    assert (play >> join("unknown")).code == UNKNOWN
    assert (play >> join(session_ms=1)).code == ErrorCode.INVALID_SESSION_TIMEOUT
    assert isinstance(play.restarted().shard.groups.by_id["g"], ConsumerGroup)


@pytest.mark.parametrize("how", [{"protocols": ()}, {"instance": "i"}])
def test_a_refused_join_has_no_member_id(how):
    reply = mixed().play >> join("m", **how)
    assert reply.code in (ErrorCode.INCONSISTENT_GROUP_PROTOCOL, UNKNOWN)
    assert reply.answer.member_id == ""


def test_a_static_classic_member_takes_the_last_modern_place():
    play, classic = classic_group()
    modern = Client(play, "new", instance="i")
    modern.beat()
    rejoin(play, classic)
    settle(play, modern, rounds=3)
    rejoin(play, classic)
    reply = play >> join("", instance="i")
    assert reply.code == 0
    assert isinstance(play.shard.groups.by_id["g"], ClassicGroup)
    assert play.restarted().state() == "Stable"
