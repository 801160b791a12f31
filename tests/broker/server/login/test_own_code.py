"""Functions of one's own decide logins, beside the loop, and whatever they raise is a refusal."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import pytest

from moldau.broker.node.defaults import alone
from moldau.broker.node.not_yet import refuse_what_is_not_there
from moldau.broker.node.server_properties import node_settings
from moldau.broker.server.login.own_code import AT_A_TIME, HANDLER, OwnPasswords
from moldau.config.refusals import SettingError
from moldau.network.sasl.oauth.bearer import ask_bearer
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.node.simulated_node import run
from tests.broker.server.login.dialogue import PREFIX, SETTINGS, authenticate, handshake

HERE = __name__
PLAIN = {name: text for name, text in SETTINGS.items() if "jaas" not in name} | {
    "sasl.enabled.mechanisms": "PLAIN,OAUTHBEARER",
    f"{PREFIX}plain.{HANDLER}": f"{HERE}:is_password",
    f"{PREFIX}oauthbearer.{HANDLER}": f"{HERE}:claims_of",
}
FAILED = ErrorCode.SASL_AUTHENTICATION_FAILED
METADATA = MetadataRequest(topics=None, allow_auto_topic_creation=False)
FAR_S = 4_000_000_000
NO_FUNCTION = "text"


def is_password(name, password):
    if name == "broken":
        raise ZeroDivisionError(password)
    return "yes" if name == "careless" else password == f"{name}s own"


def claims_of(token):
    claims = {"good": {"sub": "carol", "exp": FAR_S}, "old": {"sub": "carol", "exp": 1}}
    claims |= {"nameless": {"exp": FAR_S}, "endless": {"sub": "carol"}}
    return claims[token] if token != "refused" else None


def log_in(mechanism, token):
    async def main(machine):
        served = machine.node(**PLAIN)
        await served.start()
        client = await machine.connect(served)
        assert (await handshake(machine, client, mechanism)).error_code == 0
        answer = await authenticate(machine, client, token)
        if answer.auth_bytes:
            answer = await authenticate(machine, client, b"\x01")
        named = [str(one.principal) for one in served._connections._admitted]
        await served.stop()
        return answer.error_code, named

    return run(main)


def test_a_function_knows_the_passwords():
    assert log_in("PLAIN", b"\0alice\0alices own") == (0, ["User:alice"])
    assert log_in("PLAIN", b"\0alice\0another") == (FAILED, [])
    assert log_in("PLAIN", b"no token of PLAIN")[0] == FAILED


@pytest.mark.parametrize("name", ["broken", "careless"])
def test_what_it_raises_and_what_is_not_true_is_a_refusal_that_shows_no_password(name, caplog):
    caplog.set_level("INFO")
    assert log_in("PLAIN", f"\0{name}\0Sesame".encode())[0] == FAILED
    assert "Sesame" not in caplog.text
    assert ("raised ZeroDivisionError" in caplog.text) is (name == "broken")


@pytest.mark.parametrize("token", ["good", "old", "nameless", "endless", "refused", "unknown"])
def test_a_function_knows_the_claims_of_tokens(token):
    expected = (0, ["User:carol"]) if token == "good" else (FAILED, [])
    assert log_in("OAUTHBEARER", next(ask_bearer(token))) == expected


def test_two_are_called_at_a_time_and_each_answer_is_for_its_login():
    began, decided = [], []

    class Tasks:
        """Begins what is spawned, and lets the test decide when it ends."""

        def __init__(self):
            self.calls = []

        def spawn(self, _name, coroutine):
            began.append(coroutine)
            coroutine.send(None)

        async def offload(self, call, *arguments):
            await Pause()
            return call(*arguments)

    passwords = OwnPasswords(is_password, cast(Any, Tasks()))

    def then(name):
        decided.append((name, passwords.is_password(name, "alices own")))

    for name in ("alice", "bob", "alice"):
        passwords.prepare(f"\0{name}\0alices own".encode(), partial(then, name))
    assert len(began) == AT_A_TIME
    for coroutine in (began[1], began[0]):
        with pytest.raises(StopIteration):
            coroutine.send(None)
    assert len(began) == 3
    with pytest.raises(StopIteration):
        began[2].send(None)
    assert decided == [("bob", False), ("alice", True), ("alice", True)]


class Pause:
    def __await__(self):
        yield


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        (f"plain.{HANDLER}", "com.example.Ldap", "a function of Python as MODULE:NAME"),
        (f"plain.{HANDLER}", "nothing.there:x", "cannot be imported"),
        (f"plain.{HANDLER}", f"{HERE}:nothing", "cannot be imported"),
        (f"oauthbearer.{HANDLER}", f"{HERE}:NO_FUNCTION", "cannot be called"),
        (f"scram-sha-256.{HANDLER}", f"{HERE}:is_password", "for PLAIN and OAUTHBEARER"),
    ],
)
def test_what_is_no_function_is_refused_at_the_start(name, text, sentence):
    given = PLAIN | {PREFIX + name: text, "sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256"}
    if name.startswith("oauth"):
        given |= {"sasl.enabled.mechanisms": "PLAIN,OAUTHBEARER"}
    with pytest.raises(SettingError, match=sentence):
        refuse_what_is_not_there(node_settings(alone(), given))
