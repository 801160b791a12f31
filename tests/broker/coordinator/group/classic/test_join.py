"""Joining a classic group, as conversations."""

from __future__ import annotations

import pytest

from moldau.protocol.messages.stored.classic_group import GroupMetadataValue
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import (
    RANGE,
    SESSION_MS,
    enter,
    join,
    meet,
    subscription,
    sync,
)
from tests.broker.coordinator.group.coordinator import Coordinator, SomeSettings

OTHER = (("sticky", b"s"),)


def test_a_new_dynamic_member_gets_its_id_first():
    coordinator = Coordinator()
    reply = coordinator >> join()
    assert reply.code == ErrorCode.MEMBER_ID_REQUIRED
    assert reply.answer.member_id.startswith("client-")
    assert len(reply.answer.member_id) == len("client-") + 36


def test_an_old_client_joins_at_once():
    coordinator = Coordinator()
    reply = coordinator >> join(version=3)
    assert reply.is_waiting
    coordinator.pass_ms(3_000)
    assert reply.answer.generation_id == 1


def test_the_first_to_join_leads_and_learns_who_else_is_there():
    coordinator = Coordinator()
    one, first = enter(coordinator)
    two, second = enter(coordinator)
    coordinator.pass_ms(7_000)
    assert first.answer.leader == second.answer.leader == one
    assert [member.member_id for member in first.answer.members] == [one, two]
    assert first.answer.members[0].metadata == subscription("t")
    assert second.answer.members == []
    assert second.answer.protocol_name == "range"
    assert second.answer.protocol_type == "consumer"


def test_the_first_rebalance_waits_for_more_to_come():
    coordinator = Coordinator()
    _, first = enter(coordinator)
    coordinator.pass_ms(2_000)
    _, second = enter(coordinator)
    coordinator.pass_ms(2_000)
    assert first.is_waiting
    coordinator.pass_ms(2_000)
    assert first.answer.generation_id == second.answer.generation_id == 1


def test_the_first_rebalance_waits_no_longer_than_the_rebalance_timeout():
    coordinator = Coordinator()
    reply = [enter(coordinator, rebalance_ms=5_000)[1]]
    for _ in range(6):
        coordinator.pass_ms(1_000)
        reply.append(enter(coordinator, rebalance_ms=5_000)[1])
    assert not reply[0].is_waiting


def test_with_no_delay_a_single_member_gets_its_generation_at_once():
    coordinator = Coordinator(SomeSettings(group_initial_rebalance_delay_ms=0))
    _, reply = enter(coordinator)
    coordinator.pass_ms(0)
    assert reply.answer.generation_id == 1


def test_a_group_begins_with_a_record_that_it_is_there():
    coordinator = Coordinator()
    coordinator >> join()
    (record,) = coordinator.records()
    assert isinstance(record.value, GroupMetadataValue)
    assert record.value_version == 3
    assert (record.value.generation, record.value.members) == (0, [])


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (join(group=""), ErrorCode.INVALID_GROUP_ID),
        (join(session_ms=5_999), ErrorCode.INVALID_SESSION_TIMEOUT),
        (join(session_ms=1_800_001), ErrorCode.INVALID_SESSION_TIMEOUT),
        (join("unknown"), ErrorCode.UNKNOWN_MEMBER_ID),
        (join(protocols=()), ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
        (join(protocol_type=""), ErrorCode.INCONSISTENT_GROUP_PROTOCOL),
    ],
)
def test_who_cannot_join_learns_why(asked, code):
    assert (Coordinator() >> asked).code == code


@pytest.mark.parametrize(
    "asked",
    [join(protocols=OTHER), join(protocol_type="connect"), join("unknown", protocols=OTHER)],
)
def test_a_group_takes_only_members_that_know_its_protocol(asked):
    assert (meet().coordinator >> asked).code == ErrorCode.INCONSISTENT_GROUP_PROTOCOL


def test_a_stranger_with_an_id_is_unknown():
    assert (meet().coordinator >> join("unknown")).code == ErrorCode.UNKNOWN_MEMBER_ID


def test_an_id_that_is_not_used_in_time_is_forgotten():
    coordinator = Coordinator()
    member_id = (coordinator >> join()).answer.member_id
    coordinator.pass_ms(SESSION_MS)
    assert (coordinator >> join(member_id)).code == ErrorCode.UNKNOWN_MEMBER_ID


def test_a_rebalance_waits_for_the_ids_that_were_given_out():
    meeting = meet(1)
    coordinator, (one,) = meeting.coordinator, meeting.members
    late = (coordinator >> join()).answer.member_id
    enter(coordinator)
    again = coordinator >> join(one)
    assert again.is_waiting
    coordinator >> join(late)
    assert again.answer.generation_id == 2


def test_a_follower_that_asks_again_gets_what_it_missed():
    meeting = meet()
    reply = meeting.coordinator >> join(meeting.members[1])
    assert (reply.answer.generation_id, reply.answer.leader) == (1, meeting.leader)
    assert meeting.coordinator.state() == "Stable"


def test_a_leader_that_asks_again_wants_a_rebalance():
    meeting = meet()
    reply = meeting.coordinator >> join(meeting.leader)
    assert reply.is_waiting
    assert meeting.coordinator.state() == "PreparingRebalance"


def test_a_follower_with_other_wishes_causes_a_rebalance():
    meeting = meet()
    reply = meeting.coordinator >> join(
        meeting.members[1], protocols=(("range", subscription("u")),)
    )
    assert reply.is_waiting
    again = meeting.coordinator >> join(meeting.leader)
    assert reply.answer.generation_id == again.answer.generation_id == 2


def test_before_the_assignment_the_leader_too_gets_what_it_missed():
    coordinator = Coordinator()
    one, _ = enter(coordinator)
    coordinator.pass_ms(3_000)
    reply = coordinator >> join(one)
    assert [member.member_id for member in reply.answer.members] == [one]
    assert coordinator.state() == "CompletingRebalance"


def test_a_later_join_takes_the_place_of_one_that_waits():
    meeting = meet()
    first = meeting.coordinator >> join(meeting.leader)
    second = meeting.coordinator >> join(meeting.leader)
    assert first.code == ErrorCode.REBALANCE_IN_PROGRESS
    assert second.is_waiting


def test_the_protocol_that_most_members_prefer_is_chosen():
    coordinator = Coordinator()
    both, turned = (("range", b""), ("sticky", b"")), (("sticky", b""), ("range", b""))
    reply = [enter(coordinator, protocols=protocols)[1] for protocols in (both, turned, turned)]
    coordinator.pass_ms(7_000)
    assert {one.answer.protocol_name for one in reply} == {"sticky"}


def test_who_does_not_come_back_in_time_is_dropped_and_another_one_leads():
    meeting = meet(2, session_ms=100_000)
    reply = meeting.coordinator >> join(meeting.members[1], protocols=(("range", b"new"),))
    meeting.coordinator.pass_ms(60_000)
    assert reply.answer.leader == meeting.members[1]
    assert [one.member_id for one in reply.answer.members] == [meeting.members[1]]


def test_a_full_group_takes_no_other():
    coordinator = Coordinator(SomeSettings(group_max_size=1))
    meeting = meet(1, coordinator)
    reply = coordinator >> join()
    assert reply.code == ErrorCode.GROUP_MAX_SIZE_REACHED
    assert reply.answer.member_id == ""
    assert not (coordinator >> join(meeting.leader)).refusal


def test_of_too_many_that_wait_the_last_is_refused():
    coordinator = Coordinator(SomeSettings(group_max_size=1))
    enter(coordinator, version=3)
    assert (coordinator >> join(version=3)).code == ErrorCode.GROUP_MAX_SIZE_REACHED


def test_a_group_that_cannot_be_written_is_not_there():
    coordinator = Coordinator(broken=ErrorCode.COORDINATOR_NOT_AVAILABLE)
    reply = coordinator >> join()
    assert reply.code == ErrorCode.COORDINATOR_NOT_AVAILABLE
    assert coordinator.state() == "Dead"


def test_the_oldest_clients_rebalance_within_their_session():
    coordinator = Coordinator()
    coordinator >> join(version=0, session_ms=7_000, rebalance_ms=-1)
    coordinator.pass_ms(3_000)
    member = next(iter(coordinator.shard.groups.by_id["g"].members.values()))  # type: ignore[attr-defined]
    assert member.rebalance_timeout_ms == 7_000


def test_a_group_of_connect_workers_is_a_group_like_others():
    coordinator = Coordinator()
    member_id, reply = enter(coordinator, protocol_type="connect", protocols=(("sessioned", b"x"),))
    coordinator.pass_ms(3_000)
    assert reply.answer.protocol_type == "connect"
    done = coordinator >> sync(
        member_id, protocol_type="connect", protocol_name="sessioned", assignments={member_id: b"a"}
    )
    assert done.answer.assignment == b"a"
    assert RANGE
