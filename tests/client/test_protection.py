"""Our own client logs in, with the settings of Java."""

from __future__ import annotations

import pytest

import moldau.client
import moldau.testing
from moldau.client.aio.world import ClientWorld
from moldau.client.protection import protection_of
from moldau.client.settings import ClientSettings
from moldau.config.refusals import SettingError
from tests.broker.server.login.dialogue import MODULE, SETTINGS

ALICE = f'{MODULE} required username="alice" password="wonder";'


def settings(**given):
    return ClientSettings.of({"bootstrap.servers": "h:1", **given})


def test_a_client_asks_a_node_behind_a_login():
    with moldau.testing.Node(settings=SETTINGS) as node:
        login = {"security_protocol": "SASL_PLAINTEXT", "sasl_mechanism": "PLAIN"}
        with moldau.client.connect(node.bootstrap, **login, sasl_jaas_config=ALICE) as kafka:
            assert list(kafka.topics()) == []


@pytest.mark.parametrize(
    ("given", "clause"),
    [
        ({}, "needs a login"),
        ({"sasl.jaas.config": ALICE}, "no Kerberos here"),
        ({"sasl.jaas.config": "nothing", "sasl.mechanism": "PLAIN"}, "with the semicolon"),
    ],
)
def test_a_login_that_is_not_told_is_asked_for(given, clause):
    told = settings(**{"security.protocol": "SASL_PLAINTEXT", **given})
    with pytest.raises(SettingError, match=clause):
        protection_of(told, ClientWorld(None, None, None, None))  # type: ignore[arg-type]
