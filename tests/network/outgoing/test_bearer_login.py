"""Logins by tokens: where the token comes from, and a node of ours that accepts it."""

from __future__ import annotations

import pytest

from moldau.config.broker.oauth import TokenLoginKeys
from moldau.errors import KafkaError, NetworkError
from moldau.network.outgoing.bearer_login import LoginWorld, bearer_login
from moldau.network.outgoing.dialer import Dialer
from moldau.network.sasl.dialogue import SaslError
from moldau.network.sasl.jaas import parse_jaas
from moldau.platform.ports.network import Address
from moldau.platform.simulated.randomness import SeededRandom
from tests.broker.node.simulated_node import HOST, run
from tests.broker.server.login.test_bearer import UNSECURED

URL = "sasl.oauthbearer.token.endpoint.url"
HANDLER = "sasl.login.callback.handler.class"
CLIENT = "sasl.oauthbearer.client.credentials.client"
ALICE = 'M required unsecuredLoginStringClaim_sub="alice" unsecuredLoginExtension_a="b";'


def token():
    return "no.token.here"


def dial(text, **given):
    async def main(machine):
        served = machine.node(**UNSECURED)
        await served.start()
        try:
            network = machine.network.host("client")
            world = LoginWorld(
                network, machine.clock, SeededRandom(1), machine.tasks, machine.files
            )
            settings = TokenLoginKeys({name.replace("_", "."): it for name, it in given.items()})
            protection = bearer_login(settings, text and parse_jaas(text), world)
            dialer = Dialer(network=network, tasks=machine.tasks, protection=protection)
            place = Address(HOST, served.addresses["PLAINTEXT"].port)
            way = await dialer.dial(place)
            (connection,) = served._connections._admitted
            way.peer.abort("seen")
            return str(connection.principal)
        finally:
            await served.stop()

    return run(main)


def test_an_unsecured_login_is_made_of_the_options():
    assert dial(ALICE) == "User:alice"


def test_a_refused_token_is_reported_in_the_words_of_the_node():
    with pytest.raises(KafkaError, match="invalid_token"):
        dial(None, **{HANDLER: f"{__name__}:token"})


def test_a_token_that_cannot_be_had_fails_the_connection():
    with pytest.raises(NetworkError, match=r"there is no token for OAUTHBEARER: .*nothing"):
        dial(None, **{URL: "file:///nothing"})


@pytest.mark.parametrize(
    ("text", "given", "clause"),
    [
        (None, {}, "needs tokens: set sasl.oauthbearer.token.endpoint.url"),
        ('M required unsecuredLoginNumberClaim_a="b";', {}, "is not a number"),
        (None, {URL: "provider"}, "is no address"),
        (None, {URL: "http://provider/token"}, "client.id and .*client.secret"),
        ('M required clientId="a";', {URL: "http://provider/token"}, "client.id and"),
        (None, {HANDLER: "com.example.Handler"}, "no class of Java can run here"),
        (None, {HANDLER: "no_module_has:this_name"}, "cannot be imported"),
        (None, {HANDLER: f"{__name__}:URL"}, "cannot be called"),
    ],
)
def test_a_login_without_a_source_of_tokens_is_refused(text, given, clause):
    with pytest.raises(SaslError, match=clause):
        dial(text, **given)
