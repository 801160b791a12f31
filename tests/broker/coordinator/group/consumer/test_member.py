"""Members as values."""

from __future__ import annotations

from moldau.broker.coordinator.group.consumer.member import (
    ConsumerMember,
    MemberState,
    owned_since,
    partitions_of,
)

T = b"t" * 16


def test_states_of_another_time_are_unknown():
    assert [MemberState.read(number) for number in (0, 2, 77)] == [
        MemberState.STABLE,
        MemberState.UNRELEASED,
        MemberState.UNKNOWN,
    ]


def test_a_partition_to_be_given_up_still_has_its_epoch():
    member = ConsumerMember("m", assigned={T: {0: 3}}, to_revoke={T: {1: 2}})
    assert [member.epoch_of(T, index) for index in range(3)] == [3, 2, None]


def test_what_a_member_says_it_has_must_be_assigned_to_it():
    member = ConsumerMember("m", assigned={T: {0: 3, 1: 3}})
    assignments = [{T: [1]}, {}, {T: [2]}, {b"u" * 16: [0]}, None]
    assert [member.has_all(one) for one in assignments] == [True, True, False, False, False]


def test_when_partitions_came_does_not_make_them_others():
    older = ConsumerMember("m", assigned=owned_since(1, {T: [0, 1]}))
    newer = ConsumerMember("m", assigned=owned_since(2, {T: [1, 0]}))
    assert older.has_same_partitions(newer)
    assert partitions_of(newer.assigned) == {T: {0, 1}}
