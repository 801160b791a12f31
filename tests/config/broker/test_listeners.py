"""Addresses to listen on."""

import pytest

from moldau.config.broker.listeners import Listener, parse_listeners
from moldau.config.broker.settings import BrokerSettings
from moldau.config.refusals import InvalidSettingError

PROTOCOLS = {"PLAINTEXT": "PLAINTEXT", "INTERNAL": "SSL"}


def test_name_host_and_port_are_parsed():
    found = parse_listeners("listeners", ["PLAINTEXT://[::1]:9092", "internal://host:0"], PROTOCOLS)
    assert found == (
        Listener("PLAINTEXT", "::1", 9092, "PLAINTEXT"),
        Listener("INTERNAL", "host", 0, "SSL"),
    )
    assert str(found[0]) == "PLAINTEXT://[::1]:9092"


@pytest.mark.parametrize(
    ("texts", "reason"),
    [
        (["PLAINTEXT:9092"], "not of the form"),
        (["PLAINTEXT://host:port"], "not of the form"),
        (["PLAINTEXT://host:65536"], "not of the form"),
        (["OTHER://host:1"], "has no entry in listener.security.protocol.map"),
        (["PLAINTEXT://:1", "PLAINTEXT://:2"], "different name"),
        (["PLAINTEXT://:1", "INTERNAL://:1"], "different port"),
    ],
)
def test_an_address_that_cannot_be_is_refused(texts, reason):
    with pytest.raises(InvalidSettingError, match=reason):
        parse_listeners("listeners", texts, PROTOCOLS)


def test_a_controllers_listener_is_plain_unless_set_otherwise():
    given = {"controller.listener.names": "C", "listeners": "C://:9093"}
    assert BrokerSettings(given).listener_list[0].protocol == "PLAINTEXT"
    given["listener.security.protocol.map"] = "C:SSL"
    assert BrokerSettings(given).listener_list[0].protocol == "SSL"


def test_a_protocol_that_is_none_is_refused():
    with pytest.raises(InvalidSettingError, match="is not listener:protocol"):
        _ = BrokerSettings({"listener.security.protocol.map": "C:TLS"}).protocols
