"""DescribeGroups through its handler."""

from __future__ import annotations

from moldau.protocol.messages.group.describe_groups import DescribeGroupsRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.offsets.words import commit
from tests.broker.server.data_broker import DataBroker
from tests.broker.server.group_broker import Forbids, result_of

NOT_ASKED = -(2**31)


def ask(*groups: str, version: int = 6, operations: bool = True):
    request = DescribeGroupsRequest(groups=list(groups), include_authorized_operations=operations)

    async def scenario(one: DataBroker):
        await one.ask(commit(7).request, 9)
        one.broker.authorizer = Forbids("secret")
        return (await one.ask(request, version)).groups

    return result_of(scenario)


def test_each_group_has_its_own_answer():
    states = [(one.group_id, one.group_state, one.error_code) for one in ask("g", "x", "secret")]
    assert states == [
        ("g", "Empty", 0),
        ("x", "Dead", ErrorCode.GROUP_ID_NOT_FOUND),
        ("secret", "", ErrorCode.GROUP_AUTHORIZATION_FAILED),
    ]


def test_what_may_be_done_is_shown_where_there_is_no_error():
    assert [one.authorized_operations for one in ask("g", "x")] == [8, NOT_ASKED]
    assert [one.authorized_operations for one in ask("g", "x", version=5)] == [8, 8]
    assert [one.authorized_operations for one in ask("g", operations=False)] == [NOT_ASKED]


def test_old_clients_get_no_message():
    (group,) = ask("secret", version=5)
    assert group.error_message is None
