"""A function of one's own makes principals, and what it does not make is refused."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest
from cryptography.hazmat.primitives.serialization import Encoding

from moldau.broker.node.defaults import alone
from moldau.broker.node.not_yet import refuse_what_is_not_there
from moldau.broker.node.server_properties import node_settings
from moldau.broker.server.login.certificate import CertificateAuthenticator
from moldau.broker.server.login.own_principals import KNOWN, SETTING, Proof, own_principals
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import SettingError
from moldau.network.principal import ANONYMOUS, Principal
from moldau.network.sasl.plain import ask_plain
from moldau.platform.ports.network import Address
from moldau.protocol.messages.topic.metadata import MetadataRequest
from moldau.protocol.wire.error_codes import ErrorCode
from tests.broker.node.simulated_node import run
from tests.broker.server.login.dialogue import SETTINGS, authenticate, handshake, log_in
from tests.judges.certificates import Certificates

HERE = __name__
METADATA = MetadataRequest(topics=None, allow_auto_topic_creation=False)
MADE: dict[str, Any] = {"alice": "Alice of sales", "bob": ("Group", "builders"), "wrong": 5}


def principal(proof: Proof) -> Any:
    name = proof.name or proof.subject or proof.address
    if name == "broken":
        raise ZeroDivisionError(proof)
    return MADE.get(name, f"{proof.protocol} {name}")


def named(name, *, protocol="SASL_PLAINTEXT", certificate=None):
    own = own_principals(BrokerSettings({SETTING: f"{HERE}:principal"}), "A", protocol)
    assert own is not None
    link = SimpleNamespace(peer_certificate=certificate)
    connection = SimpleNamespace(link=link, peer=Address("10.1.2.3", 5))
    return own.principal_of(cast(Any, connection), name and "PLAIN", name)


@pytest.mark.parametrize(("password", "again"), [("wonder", True), ("another", False)])
def test_a_login_gets_the_principal_that_the_function_makes(password, again):
    async def main(machine):
        served = machine.node(
            **SETTINGS,
            **{SETTING: f"{HERE}:principal", "connections.max.reauth.ms": "60000"},
        )
        await served.start()
        client = await machine.connect(served)
        assert (await log_in(machine, client)).error_code == 0
        (connection,) = served._connections._admitted
        found = [connection.principal]
        await machine.tasks.sleep(2000)
        assert (await handshake(machine, client)).error_code == 0
        answer = await authenticate(machine, client, next(ask_plain("alice", password)))
        found.append(connection.principal)
        await served.stop()
        return answer.error_code, found

    made = Principal("User", "Alice of sales")
    code = ErrorCode.NONE if again else ErrorCode.SASL_AUTHENTICATION_FAILED
    assert run(main) == (code, [made, made])


@pytest.mark.parametrize("name", ["broken", "wrong"])
def test_a_login_without_a_principal_is_refused_and_shows_nothing(name, caplog):
    caplog.set_level("INFO")

    async def main(machine):
        jaas = f'M required user_{name}="Sesame";'
        users = {"listener.name.plaintext.plain.sasl.jaas.config": jaas}
        served = machine.node(**{**SETTINGS, **users, SETTING: f"{HERE}:principal"})
        await served.start()
        client = await machine.connect(served)
        code = (await log_in(machine, client, name, "Sesame")).error_code
        await served.stop()
        return code

    assert run(main) == ErrorCode.SASL_AUTHENTICATION_FAILED
    assert f"the function of {SETTING}" in caplog.text
    assert "Proof" not in caplog.text


def test_a_plain_listener_has_no_anonymous_peers_then():
    async def main(machine):
        served = machine.node(**{SETTING: f"{HERE}:principal"})
        await served.start()
        client = await machine.connect(served)
        await machine.ask(client, METADATA, 12)
        found = [one.principal for one in served._connections._admitted]
        await served.stop()
        return found

    assert ANONYMOUS not in run(main)


def test_a_certificate_is_given_whole_and_by_its_subject(tmp_path):
    authority = Certificates(tmp_path).authority
    issued = authority.issue("CN=alice,O=Company", (), 1_800_000_000_000, 1)
    shown = issued.certificate.public_bytes(Encoding.DER)
    assert named(None, protocol="SSL", certificate=shown).name == "SSL CN=alice,O=Company"
    assert named(None, protocol="SSL").name == "SSL 10.1.2.3"
    assert named("bob") == Principal("Group", "builders")


def test_who_has_no_principal_is_closed():
    closed = []
    own = own_principals(BrokerSettings({SETTING: f"{HERE}:principal"}), "A", "SSL")
    connection = SimpleNamespace(
        link=SimpleNamespace(peer_certificate=None),
        peer=Address("broken", 5),
        abort=lambda: closed.append(True),
    )
    authenticator = CertificateAuthenticator("DEFAULT", lambda *_: None, None, own)
    connection.listener = "A"
    authenticator.handle(cast(Any, connection), memoryview(b""))
    assert closed == [True]


@pytest.mark.parametrize("given", ["", "\ud800", ("a:b", "c"), ("a",), ("a", None), "x" * 40_000])
def test_what_is_no_name_is_refused(given, monkeypatch):
    monkeypatch.setitem(MADE, "alice", given)
    with pytest.raises(Exception, match="gave no name"):
        named("alice")


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("com.example.Builder", "no class of Java can run here"),
        ("nothing.there:x", "cannot be imported"),
        (f"{HERE}:HERE", "cannot be called"),
    ],
)
def test_what_cannot_make_principals_is_refused_at_the_start(name, sentence):
    refuse_what_is_not_there(node_settings(alone(), {SETTING: KNOWN}))
    for setting in (SETTING, f"listener.name.plaintext.{SETTING}"):
        with pytest.raises(SettingError, match=sentence):
            refuse_what_is_not_there(node_settings(alone(), {setting: name}))
