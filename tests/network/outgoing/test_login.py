"""Logins on outgoing connections, at a node of ours."""

from __future__ import annotations

import pytest

from moldau.errors import KafkaError
from moldau.network.outgoing.dialer import Dialer
from moldau.network.outgoing.login import MECHANISMS, sasl_login
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.jaas import parse_jaas
from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom
from tests.broker.node.simulated_node import HOST, run
from tests.broker.server.login.dialogue import node

ALICE = 'Any required username="alice" password="wonder";'


def login(mechanism, text=ALICE):
    return sasl_login(mechanism, parse_jaas(text), SeededRandom(3))


def dial(protection):
    async def main(machine):
        served = node(machine)
        await served.start()
        try:
            place = Address(HOST, served.addresses["PLAINTEXT"].port)
            network = machine.network.host("client")
            dialer = Dialer(network=network, tasks=machine.tasks, protection=protection)
            way = await dialer.dial(place)
            (connection,) = served._connections._admitted
            way.peer.abort("seen")
            return str(connection.principal)
        finally:
            await served.stop()

    return run(main)


def test_a_connection_is_handed_over_when_it_has_logged_in():
    assert dial(login("PLAIN")) == "User:alice"


@pytest.mark.parametrize("mechanism", ["PLAIN", "SCRAM-SHA-256"])
def test_a_refused_login_is_reported_in_the_words_of_the_node(mechanism):
    with pytest.raises(KafkaError, match="Authentication failed"):
        dial(login(mechanism, "Any required username=alice password=wander;"))


def test_a_mechanism_that_is_not_offered_is_reported_with_those_that_are():
    with pytest.raises(KafkaError, match="it offers PLAIN, SCRAM-SHA-256"):
        dial(login("SCRAM-SHA-512"))


@pytest.mark.parametrize(
    ("mechanism", "text", "clause"),
    [
        ("PLAIN", "Any required username=alice;", "needs username and password"),
        ("GSSAPI", ALICE, "GSSAPI is not one of PLAIN"),
    ],
)
def test_a_login_that_cannot_be_is_refused(mechanism, text, clause):
    with pytest.raises(SaslError, match=clause):
        login(mechanism, text)


def test_what_is_shown_of_a_login_is_its_mechanism():
    assert [repr(login(one)) for one in MECHANISMS] == [f"SaslLogin({one})" for one in MECHANISMS]
