"""Names of one listener, or of a plug-in, are known by what stands behind their prefix."""

import pytest

from moldau.config.broker.settings import BrokerSettings
from moldau.config.prefixes import base_name, is_known


@pytest.mark.parametrize(
    "name",
    [
        "num.partitions",
        "listener.name.internal.ssl.keystore.location",
        "listener.name.internal.scram-sha-256.sasl.jaas.config",
        "rsm.config.bucket",
    ],
)
def test_these_are_known(name):
    assert is_known(name, BrokerSettings.KEYS)


@pytest.mark.parametrize(
    "name", ["num.partition", "listener.name.internal.colour", "zookeeper.connect"]
)
def test_these_are_not(name):
    assert not is_known(name, BrokerSettings.KEYS)


def test_a_name_without_a_listener_has_no_base():
    assert base_name("num.partitions") is None
    assert base_name("listener.name.internal") is None
    assert base_name("listener.name.internal.ssl.protocol") == "ssl.protocol"
