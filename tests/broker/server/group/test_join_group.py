"""JoinGroup through its handler."""

from __future__ import annotations

import pytest

from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.coordinator.group.classic.conversation import join
from tests.broker.server.data_broker import NOT_YET, DataBroker
from tests.broker.server.group_broker import Forbids, result_of


def test_a_join_is_answered_when_the_generation_is_complete():
    async def scenario(one: DataBroker):
        asked = one.begin(join().request, 3)
        await one.tasks.sleep(2_000)
        before = asked.answer
        await one.tasks.sleep(1_000)
        return before, asked.answer

    before, after = result_of(scenario)
    assert before is NOT_YET
    assert (after.generation_id, after.protocol_name) == (1, "range")


@pytest.mark.parametrize(("version", "name"), [(6, ""), (7, None)])
def test_no_protocol_is_an_empty_name_for_old_clients(version, name):
    async def scenario(one: DataBroker):
        return await one.ask(join("unknown").request, version)

    answer = result_of(scenario)
    assert (answer.error_code, answer.protocol_name, answer.member_id) == (25, name, "unknown")


@pytest.mark.parametrize(("version", "name"), [(6, ""), (7, None)])
def test_a_protocol_without_a_name_is_none_for_later_clients(version, name):
    async def scenario(one: DataBroker):
        asked = one.begin(join(protocols=(("", b""),), instance="i").request, version)
        await one.tasks.sleep(4_000)
        return asked.answer

    answer = result_of(scenario)
    assert (answer.error_code, answer.protocol_name) == (0, name)


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (join("m", group=""), ErrorCode.INVALID_GROUP_ID),
        (join("m", session_ms=1), ErrorCode.INVALID_SESSION_TIMEOUT),
    ],
)
def test_what_makes_no_sense_is_refused_wherever_the_coordinator_is(asked, code):
    async def scenario(one: DataBroker):
        return await one.ask(asked.request, 9)

    answer = result_of(scenario, offsets_topic=False)
    assert (answer.error_code, answer.member_id) == (code, "m")


def test_who_may_not_read_the_group_is_refused():
    async def scenario(one: DataBroker):
        one.broker.authorizer = Forbids("g")
        return await one.ask(join("m").request, 9)

    answer = result_of(scenario)
    assert answer.error_code == ErrorCode.GROUP_AUTHORIZATION_FAILED
    assert answer.member_id == ""


def test_without_the_topic_there_is_no_coordinator_here():
    async def scenario(one: DataBroker):
        return await one.ask(join("m").request, 9)

    answer = result_of(scenario, offsets_topic=False)
    assert (answer.error_code, answer.member_id) == (ErrorCode.NOT_COORDINATOR, "")
