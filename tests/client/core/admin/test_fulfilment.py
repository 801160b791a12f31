"""Asking for many keys, as conversations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from moldau.client.core.admin.fulfilment import Failure, Plan, failure_or, fulfil
from moldau.client.core.admin.routes import AtBroker, ToController
from moldau.client.errors import TimedOutError, UnreachableError, UnsupportedVersionError
from moldau.protocol.messages.group.delete_groups import DeleteGroupsRequest, DeleteGroupsResponse
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.core.admin.asking import call, cluster, talk

Row = DeleteGroupsResponse.DeletableGroupResult


def answer(**codes: int) -> DeleteGroupsResponse:
    return DeleteGroupsResponse(
        throttle_time_ms=0,
        results=[Row(group_id=name, error_code=code) for name, code in codes.items()],
    )


def read(answer: DeleteGroupsResponse, names: Sequence[str]) -> Iterator[tuple[str, str | Failure]]:
    for row in answer.results:
        yield row.group_id, failure_or(row.error_code, None, "done")


def plan(**more) -> Plan[str, str]:
    given = {
        "what": "deleting",
        "route": ToController[str](),
        "request": lambda names: DeleteGroupsRequest(groups_names=list(names)),
        "read": read,
        "noun": lambda name: f"group {name}",
        **more,
    }
    return Plan(**given)


def test_one_request_asks_for_all_keys_and_each_has_its_own_outcome():
    held = talk(fulfil(call(), plan(), ["b", "a", "b"]))
    held.receives(answer(a=0, b=ErrorCode.NON_EMPTY_GROUP))
    assert held.asked[0][1].groups_names == ["b", "a"]
    assert held.result.values == {"a": "done"}
    assert held.result.errors["b"].error is ErrorCode.NON_EMPTY_GROUP


def test_only_what_may_pass_is_asked_for_again():
    held = talk(fulfil(call(), plan(), ["a", "b", "c"]))
    held.receives(answer(a=0, b=ErrorCode.NOT_CONTROLLER, c=ErrorCode.INVALID_REQUEST)).rests()
    held.receives(answer(b=0))
    assert held.asked[1][1].groups_names == ["b"]
    assert (list(held.result.values), list(held.result.errors)) == (["a", "b"], ["c"])


def test_errors_of_the_plan_may_pass_too():
    retried = frozenset({ErrorCode.THROTTLING_QUOTA_EXCEEDED})
    held = talk(fulfil(call(), plan(retried=retried), ["a"]))
    held.receives(answer(a=ErrorCode.THROTTLING_QUOTA_EXCEEDED)).rests().receives(answer(a=0))
    assert held.result.all() == {"a": "done"}


def test_a_broker_that_is_away_is_asked_again():
    held = talk(fulfil(call(), plan(), ["a"]))
    held.receives(UnreachableError("b1:9092", "gone")).rests().receives(answer(a=0))
    assert held.result.all() == {"a": "done"}


def test_what_cannot_pass_is_every_keys_error_at_once():
    held = talk(fulfil(call(), plan(), ["a", "b"])).receives(UnsupportedVersionError("too old"))
    assert set(held.result.errors) == {"a", "b"}


def test_when_time_is_over_what_succeeded_remains():
    held = talk(fulfil(call(1000), plan(), ["a", "b"]))
    held.receives(answer(a=0, b=ErrorCode.NOT_CONTROLLER), later_ms=999).rests()
    held.receives(answer(b=ErrorCode.NOT_CONTROLLER), later_ms=10)
    assert held.result.values == {"a": "done"}
    assert isinstance(held.result.errors["b"], TimedOutError)


def test_a_key_that_the_answer_leaves_out_has_failed():
    held = talk(fulfil(call(), plan(), ["a"])).receives(answer())
    assert "nothing about it" in str(held.result.errors["a"])


def test_requests_are_split_by_broker_by_version_and_where_one_has_room_for_one():
    route = AtBroker[str](lambda name: int(name[0]))
    held = talk(fulfil(call(), plan(route=route), ["1a", "2a", "1b"])).receives(cluster(1, 2))
    assert [node for node, _ in held.asked[1:]] == [1, 2]
    held = talk(fulfil(call(), plan(oldest=len), ["a", "bb", "c"]))
    assert [ask.oldest for ask in held.step.asks] == [1, 2]
    held = talk(fulfil(call(), plan(alone=True, newest=1), ["a", "b"]))
    assert [(ask.request.groups_names, ask.newest) for ask in held.step.asks] == [
        (["a"], 1),
        (["b"], 1),
    ]


def test_a_call_for_nothing_asks_nothing():
    assert talk(fulfil(call(), plan(), [])).result.all() == {}
