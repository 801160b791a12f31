"""Settings of clients."""

from __future__ import annotations

import pytest

from moldau.client.errors import UnsupportedSettingError
from moldau.client.settings import ClientSettings
from moldau.config.refusals import InvalidSettingError, MissingSettingError
from moldau.ports.network import Address


def settings(**more):
    given = {name.replace("_", "."): value for name, value in more.items()}
    return ClientSettings.of({"bootstrap.servers": "one:9092", **given})


def test_defaults_are_kafkas():
    defaults = settings()
    assert defaults.request_timeout_ms == 30_000
    assert defaults.default_api_timeout_ms == 60_000
    assert (defaults.retry_backoff_ms, defaults.retry_backoff_max_ms) == (100, 1000)
    assert (defaults.fetch_max_bytes, defaults.max_partition_fetch_bytes) == (52_428_800, 1_048_576)
    assert (defaults.fetch_min_bytes, defaults.fetch_max_wait_ms) == (1, 500)
    assert defaults.check_crcs is True
    assert defaults.isolation_level == "read_uncommitted"


def test_servers_are_addresses_also_of_ip6():
    given = ClientSettings.of({"bootstrap.servers": "one:9092, [::1]:9093"})
    assert given.addresses == (Address("one", 9092), Address("::1", 9093))


@pytest.mark.parametrize("server", ["one", "one:", "one:x", "one:0", "one:65536"])
def test_a_server_that_is_no_address_is_refused(server):
    with pytest.raises(InvalidSettingError, match="HOST:PORT"):
        assert ClientSettings.of({"bootstrap.servers": server}).addresses


@pytest.mark.parametrize("given", [{}, {"bootstrap.servers": ""}])
def test_without_servers_nothing_begins(given):
    with pytest.raises(MissingSettingError, match=r"bootstrap\.servers"):
        ClientSettings.of(given)


@pytest.mark.parametrize("protocol", ["SSL", "SASL_PLAINTEXT", "SASL_SSL"])
def test_a_protocol_that_is_not_built_is_refused_not_ignored(protocol):
    with pytest.raises(UnsupportedSettingError, match=r"security\.protocol.*PLAINTEXT listener"):
        settings(security_protocol=protocol)


def test_an_unknown_setting_is_warned_about(caplog):
    settings(fetch_mni_bytes="5")
    assert "fetch.mni.bytes is no setting" in caplog.text


def test_an_impossible_value_is_refused():
    with pytest.raises(InvalidSettingError, match=r"request\.timeout\.ms"):
        settings(request_timeout_ms="soon")
