"""Settings of clients."""

from __future__ import annotations

import pytest

from moldau.client.errors import UnsupportedSettingError
from moldau.client.settings.client import CHUNK_BYTES, ClientSettings, chosen_settings
from moldau.config.refusals import (
    InvalidSettingError,
    MissingSettingError,
    SettingError,
    UnknownSettingError,
)
from moldau.platform.ports.network import Address


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


def test_what_stands_before_a_server_means_nothing_as_with_java():
    given = ClientSettings.of({"bootstrap.servers": "http://one:9092,PLAINTEXT://[::1]:9093"})
    assert given.addresses == (Address("one", 9092), Address("::1", 9093))


@pytest.mark.parametrize("given", [{}, {"bootstrap.servers": ""}])
def test_without_servers_nothing_begins(given):
    with pytest.raises(MissingSettingError, match=r"bootstrap\.servers"):
        ClientSettings.of(given)


@pytest.mark.parametrize("protocol", ["TLS", "QUIC"])
def test_a_protocol_that_is_none_is_refused_not_ignored(protocol):
    with pytest.raises(UnsupportedSettingError, match=r"security\.protocol.*SASL_SSL"):
        settings(security_protocol=protocol)


def test_an_unknown_setting_is_warned_about(caplog):
    settings(fetch_mni_bytes="5")
    assert (
        "fetch.mni.bytes is no setting of this client (did you mean fetch.min.bytes?)"
        in caplog.text
    )


def test_an_impossible_value_is_refused():
    with pytest.raises(InvalidSettingError, match=r"request\.timeout\.ms"):
        settings(request_timeout_ms="soon")


def test_values_are_those_of_python_and_names_may_have_underscores():
    given = {"bootstrap_servers": ["one:1", "two:2"], "check.crcs": False, "fetch_min_bytes": 5}
    chosen = ClientSettings.of(given)
    assert chosen.addresses == (Address("one", 1), Address("two", 2))
    assert (chosen.check_crcs, chosen.fetch_min_bytes) == (False, 5)


@pytest.mark.parametrize(
    "servers",
    ["one:1,two:2", ["one:1", "two:2"], ("one:1", "two:2"), {"bootstrap.servers": "one:1,two:2"}],
)
def test_servers_are_given_in_every_form(servers):
    assert chosen_settings(servers, {}).addresses == (Address("one", 1), Address("two", 2))


def test_keywords_win_over_a_mapping_and_none_leaves_it_as_it_is():
    mapping = {"bootstrap.servers": "one:1", "fetch.max.bytes": "5", "fetch.min.bytes": 2}
    chosen = chosen_settings(mapping, {"fetch_max_bytes": 6, "fetch_min_bytes": None})
    assert (chosen.fetch_max_bytes, chosen.fetch_min_bytes) == (6, 2)


def test_a_keyword_that_is_no_setting_is_refused_with_the_nearest():
    sentence = r"^fetch_max_byte is no setting of this client \(did you mean fetch_max_bytes\?\)$"
    with pytest.raises(UnknownSettingError, match=sentence):
        chosen_settings("one:1", {"fetch_max_byte": 6})


@pytest.mark.parametrize("servers", [5, None, [5.5, None], b"one:1", {1: 2}, [], ""])
def test_what_are_no_servers_is_one_sentence(servers):
    with pytest.raises(SettingError) as caught:
        chosen_settings(servers, {})
    assert "--set" not in str(caught.value)


def test_a_reading_takes_much_at_a_time_unless_a_setting_changes_that():
    assert settings().chunk_bytes == CHUNK_BYTES
    assert settings(max_partition_fetch_bytes=7).chunk_bytes == 7
