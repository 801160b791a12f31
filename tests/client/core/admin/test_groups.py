"""Listing groups, and removing from them, as conversations."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.groups import (
    ROWS_AT_ONCE,
    MemberToRemove,
    delete_groups,
    list_groups,
    remove_members,
)
from moldau.client.core.dialogue import GIVE_WAY
from moldau.client.errors import RefusedError
from moldau.protocol.messages.group.leave_group import LeaveGroupResponse
from moldau.protocol.messages.group.list_groups import ListGroupsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, cluster, coordinators, talk


def listed(*names: str, code: ErrorCode = ErrorCode.NONE) -> ListGroupsResponse:
    rows = [
        ListGroupsResponse.ListedGroup(
            group_id=name, protocol_type="consumer", group_state="Stable", group_type="Classic"
        )
        for name in names
    ]
    return ListGroupsResponse(throttle_time_ms=0, error_code=code, groups=rows)


def test_every_broker_is_asked_and_one_that_cannot_is_an_error_beside_the_others():
    held = talk(list_groups(call())).receives(cluster(1, 2, 3))
    loading = listed(code=ErrorCode.COORDINATOR_LOAD_IN_PROGRESS)
    held.receives(listed("a"), listed(code=ErrorCode.INVALID_REQUEST), loading).rests()
    held.receives(cluster(1, 2, 3)).receives(listed("b"))
    assert [node for node, _ in held.asked[1:]] == [1, 2, 3, None, 3]
    assert (set(held.result.values), set(held.result.errors)) == ({"a", "b"}, {"broker 2"})


def test_very_many_groups_are_gone_through_with_others_between():
    names = [f"g{number}" for number in range(2 * ROWS_AT_ONCE + 1)]
    held = talk(list_groups(call())).receives(cluster(1)).receives(listed(*names))
    for _ in range(2):
        assert held.step == GIVE_WAY
        held.rests()
    assert list(held.result.values) == names


def test_where_no_broker_can_answer_that_is_raised():
    held = talk(list_groups(call())).receives(cluster(1))
    with pytest.raises(RefusedError):
        held.receives(listed(code=ErrorCode.INVALID_REQUEST))


def test_filters_need_brokers_that_know_them():
    held = talk(list_groups(call(), types=["share"], states=["Empty"])).receives(cluster(1))
    assert held.step.asks[0].oldest == 5
    assert (held.asked[1][1].types_filter, held.asked[1][1].states_filter) == (["share"], ["Empty"])


def test_groups_are_deleted_by_their_coordinators():
    held = talk(delete_groups(call(), ["a", "b"])).receives(coordinators({"a": 1, "b": 2}))
    assert [(node, request.groups_names) for node, request in held.asked[1:]] == [
        (1, ["a"]),
        (2, ["b"]),
    ]


def test_an_error_of_the_group_is_each_members():
    members = [MemberToRemove("i"), MemberToRemove(member_id="m")]
    held = talk(remove_members(call(), "g", members, "why")).receives(coordinators({"g": 1}))
    rows = held.asked[-1][1].members
    assert [(row.member_id, row.group_instance_id, row.reason) for row in rows] == [
        ("", "i", "why"),
        ("m", None, "why"),
    ]
    held.receives(
        LeaveGroupResponse(
            throttle_time_ms=0, error_code=ErrorCode.GROUP_AUTHORIZATION_FAILED, members=[]
        )
    )
    assert set(held.result.errors) == set(members)
