"""A connection proves who is there before anything else is served."""

import pytest

from moldau.broker.server.connections import LOGIN_MS_MAX, SWEEP_MS
from moldau.protocol.messages.cluster.api_versions import ApiVersionsRequest
from moldau.protocol.messages.security.sasl_authenticate import SaslAuthenticateRequest
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.node.simulated_node import run
from tests.broker.server.asking import answers_in, frame_of
from tests.broker.server.login.dialogue import authenticate, handshake, log_in, node
from tests.network.conversation import framed

METADATA = MetadataRequest(topics=None, allow_auto_topic_creation=False)
VERSIONS = ApiVersionsRequest(client_software_name="a", client_software_version="1")


def with_node(scenario, **settings):
    async def main(machine):
        served = node(machine, **settings)
        await served.start()
        try:
            return await scenario(machine, served, await machine.connect(served))
        finally:
            await served.stop()

    return run(main)


def test_after_a_login_everything_is_served_to_its_principal():
    async def scenario(machine, served, client):
        assert (await machine.ask(client, VERSIONS, 3)).error_code == 0
        answer = await log_in(machine, client)
        assert (answer.error_code, answer.session_lifetime_ms) == (0, 0)
        assert (await machine.ask(client, METADATA, 9)).cluster_id
        (connection,) = served._connections._admitted
        return str(connection.principal), connection.frame_bytes_max

    assert with_node(scenario) == ("User:alice", 100 * 1024 * 1024)


def test_behind_a_login_a_client_meets_the_same_code_as_on_a_plain_listener():
    """And so the fast readers of Produce, Fetch and commits."""

    async def scenario(machine, served, client):
        dispatcher = served._guarding.dispatchers["PLAINTEXT"]
        await log_in(machine, client)
        (connection,) = served._connections._admitted
        return connection._handle == dispatcher.handle

    assert with_node(scenario)


@pytest.mark.parametrize(
    "frames",
    [
        [frame_of(METADATA, 9)],
        [frame_of(VERSIONS, 3), frame_of(METADATA, 9)],
        [frame_of(VERSIONS, 3), frame_of(VERSIONS, 3)],
        [frame_of(SaslAuthenticateRequest(auth_bytes=b"\0alice\0wonder"), 2)],
        [b""],
        [b"\0\x11\0\1"],
        [b"\0\x11\0\x09" + bytes(20)],
        [b"GET / HTTP/1.1"],
    ],
)
def test_nothing_else_is_served_before_it(frames):
    async def scenario(machine, served, client):
        client.say(*frames)
        await machine.tasks.sleep(1000)
        return client.is_over, served.bugs

    assert with_node(scenario) == (True, 0)


def test_before_a_login_only_small_frames_are_taken():
    async def scenario(machine, served, client):
        client.link.send((524_289).to_bytes(4, "big"))
        await machine.tasks.sleep(1000)
        return client.is_over

    assert with_node(scenario)


def test_a_client_of_newer_versions_asks_again_and_logs_in():
    async def scenario(machine, served, client):
        client.say(frame_of(VERSIONS, 3, says_version=90))
        await machine.tasks.sleep(100)
        ((_, refusal),) = answers_in(bytes(client.received), VERSIONS.KEY, 0)
        client.received.clear()
        assert (await machine.ask(client, VERSIONS, 3)).error_code == 0
        return refusal.error_code, (await log_in(machine, client)).error_code

    assert with_node(scenario) == (ErrorCode.UNSUPPORTED_VERSION, 0)


@pytest.mark.parametrize("token", [b"\0alice\0wander", b"\0mallory\0wonder", b"\0"])
def test_a_refusal_comes_late_and_ends_the_connection(token):
    async def scenario(machine, served, client):
        await handshake(machine, client)
        began_ns = machine.clock.monotonic_ns()
        answer = await authenticate(machine, client, token)
        waited_ms = (machine.clock.monotonic_ns() - began_ns) / 1e6
        await machine.tasks.sleep(100)
        return answer.error_code, waited_ms >= 100, client.is_over

    assert with_node(scenario) == (ErrorCode.SASL_AUTHENTICATION_FAILED, True, True)


def test_an_unknown_mechanism_is_answered_with_those_that_are_offered():
    async def scenario(machine, served, client):
        answer = await handshake(machine, client, "GSSAPI")
        await machine.tasks.sleep(100)
        return answer.error_code, answer.mechanisms, client.is_over

    code = ErrorCode.UNSUPPORTED_SASL_MECHANISM
    assert with_node(scenario) == (code, ["PLAIN", "SCRAM-SHA-256"], True)


@pytest.mark.parametrize(("token", "answer"), [(b"\0bob\0builder", bytes(4)), (b"\0bob\0no", b"")])
def test_old_clients_send_bare_tokens(token, answer):
    async def scenario(machine, served, client):
        await handshake(machine, client, version=0)
        client.received.clear()
        client.say(token)
        await machine.tasks.sleep(1000)
        return bytes(client.received)

    assert with_node(scenario) == answer


def test_what_comes_between_handshake_and_token_is_answered_and_ends_the_connection():
    async def scenario(machine, served, client):
        await handshake(machine, client)
        answer = await machine.ask(client, VERSIONS, 0)
        await machine.tasks.sleep(1000)
        return answer.error_code, client.is_over, served.bugs

    assert with_node(scenario) == (ErrorCode.ILLEGAL_SASL_STATE, True, 0)


@pytest.mark.parametrize(
    "frame", [b"\x7f\x7f\0\0\0\0\0\1\xff\xff", frame_of(VERSIONS, 3)[:12], b""]
)
def test_what_cannot_be_read_in_place_of_a_token_closes_the_connection(frame):
    async def scenario(machine, served, client):
        await handshake(machine, client)
        client.received.clear()
        client.link.send(framed(frame))
        await machine.tasks.sleep(1000)
        return client.is_over, bytes(client.received), served.bugs

    assert with_node(scenario) == (True, b"", 0)


def test_half_logins_are_ended_and_an_honest_client_is_served_beside_them():
    async def scenario(machine, served, client):
        half = [await machine.connect(served) for _ in range(200)]
        for number, stranger in enumerate(half):
            if number % 2:
                await handshake(machine, stranger)
            else:
                stranger.link.send(b"\0\0")
        await log_in(machine, client)
        await machine.tasks.sleep(LOGIN_MS_MAX - 15_000)
        assert not any(stranger.is_over for stranger in half)
        await machine.tasks.sleep(15_000 + 2 * SWEEP_MS)
        assert (await machine.ask(client, METADATA, 9)).cluster_id
        connections = served._connections
        return all(stranger.is_over for stranger in half), len(connections), connections._strangers

    assert with_node(scenario) == (True, 1, {})
