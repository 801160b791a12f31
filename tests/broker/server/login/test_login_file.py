"""A file of logins as settings of listeners."""

import pytest

from moldau.broker.server.login.login_file import settings_of_logins
from moldau.config.broker.settings import BrokerSettings
from moldau.network.sasl.jaas import parse_jaas, parse_jaas_file

JAVA = "org.apache.kafka.common.security"
PLAIN = f'{JAVA}.plain.PlainLoginModule required username="node" password="p" user_node="p";'
SCRAM = f'{JAVA}.scram.ScramLoginModule required username="scram" password="s";'
NAMED = f'{JAVA}.plain.PlainLoginModule required user_alice="of the listener";'
GIVEN = {
    "node.id": "1",
    "process.roles": "broker,controller",
    "controller.listener.names": "CONTROLLER",
    "listeners": "SASL_PLAINTEXT://:9092,OUTSIDE://:9093,CONTROLLER://:9094",
    "listener.security.protocol.map": "SASL_PLAINTEXT:SASL_PLAINTEXT,OUTSIDE:SASL_SSL,"
    "CONTROLLER:PLAINTEXT",
    "inter.broker.listener.name": "SASL_PLAINTEXT",
    "sasl.mechanism.inter.broker.protocol": "PLAIN",
    "sasl.mechanism.controller.protocol": "PLAIN",
    "sasl.enabled.mechanisms": "PLAIN",
}


def found_in(text, **given):
    more = {name.replace("_", "."): value for name, value in given.items()}
    settings = BrokerSettings.of({**GIVEN, **more})
    found = settings_of_logins(settings, parse_jaas_file(text))
    return {name: dict(parse_jaas(value).options) for name, value in found.items()}


def test_every_listener_with_logins_has_those_of_the_file():
    assert found_in(f"KafkaServer {{ {PLAIN} }};") == {
        "listener.name.sasl_plaintext.plain.sasl.jaas.config": parse_jaas(PLAIN).options,
        "listener.name.outside.plain.sasl.jaas.config": parse_jaas(PLAIN).options,
    }


def test_a_listener_s_own_logins_win():
    found = found_in(f"KafkaServer {{ {PLAIN} }}; outside.KafkaServer {{ {NAMED} }};")
    name = "listener.name.outside.plain.sasl.jaas.config"
    assert found[name] == {"user_alice": "of the listener"}


def test_a_setting_wins_over_the_file():
    name = "listener.name.outside.plain.sasl.jaas.config"
    settings = BrokerSettings.of({**GIVEN, name: NAMED})
    assert name not in settings_of_logins(settings, parse_jaas_file(f"KafkaServer {{ {PLAIN} }};"))


def test_each_mechanism_has_the_login_of_its_own_module():
    found = found_in(
        f"KafkaServer {{ {SCRAM} {PLAIN} }};", sasl_enabled_mechanisms="PLAIN,SCRAM-SHA-512"
    )
    plain, scram = (
        f"listener.name.outside.{mechanism}.sasl.jaas.config"
        for mechanism in ("plain", "scram-sha-512")
    )
    assert (found[plain]["username"], found[scram]["username"]) == ("node", "scram")


def test_scram_is_there_without_a_module_of_its_own():
    found = found_in(f"KafkaServer {{ {PLAIN} }};", sasl_enabled_mechanisms="SCRAM-SHA-256")
    name = "listener.name.outside.scram-sha-256.sasl.jaas.config"
    assert found[name] == {"username": "node", "password": "p"}


@pytest.mark.parametrize("text", ["", f"KafkaClient {{ {PLAIN} }};", f"KafkaServer {{ {SCRAM} }};"])
def test_a_mechanism_that_needs_users_has_none_of_other_logins(text):
    assert found_in(text) == {}
