"""Sessions that end, and logins on open connections (KIP-368)."""

import pytest

from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.server.asking import frame_of
from tests.broker.server.login.dialogue import PREFIX, handshake, log_in
from tests.broker.server.login.test_login import with_node

METADATA = MetadataRequest(topics=None, allow_auto_topic_creation=False)
TEN_S = {f"{PREFIX}plain.connections.max.reauth.ms": "10000"}


def test_a_session_lasts_as_long_as_its_client_logs_in_again():
    async def scenario(machine, served, client):
        first = await log_in(machine, client)
        for _ in range(3):
            await machine.tasks.sleep(8000)
            await log_in(machine, client)
            await machine.ask(client, METADATA, 9)
        return first.session_lifetime_ms

    assert with_node(scenario, **TEN_S) == 10_000


def test_one_that_does_not_is_closed_with_its_next_request():
    async def scenario(machine, served, client):
        await log_in(machine, client)
        await machine.tasks.sleep(10_001)
        is_open = not client.is_over
        client.say(frame_of(METADATA, 9))
        await machine.tasks.sleep(100)
        return is_open, client.is_over

    assert with_node(scenario, **TEN_S) == (True, True)


@pytest.mark.parametrize("pause_ms", [1, 999])
def test_no_client_logs_in_again_twice_in_a_second(pause_ms):
    async def scenario(machine, served, client):
        await log_in(machine, client)
        await log_in(machine, client)
        await machine.tasks.sleep(pause_ms - 5)
        return (await handshake(machine, client)).error_code

    assert with_node(scenario, **TEN_S) == ErrorCode.ILLEGAL_SASL_STATE


def test_no_principal_becomes_another():
    async def scenario(machine, served, client):
        await log_in(machine, client)
        answer = await log_in(machine, client, "bob", "builder")
        return answer.error_message

    text = "Cannot change principals during re-authentication from User.alice: User.bob"
    assert with_node(scenario, **TEN_S) == text


def test_where_sessions_never_end_a_second_handshake_is_refused():
    async def scenario(machine, served, client):
        await log_in(machine, client)
        return (await handshake(machine, client)).error_code

    assert with_node(scenario) == ErrorCode.ILLEGAL_SASL_STATE
