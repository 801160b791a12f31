"""Settings of an admin client."""

from __future__ import annotations

import pytest

from moldau.client.settings.admin import AdminSettings
from moldau.client.settings.client import settings_of
from moldau.config.refusals import InvalidSettingError, MissingSettingError, SettingError
from moldau.platform.ports.network import Address


def test_controllers_stand_instead_of_brokers():
    settings = settings_of(AdminSettings, None, {"bootstrap_controllers": "c1:9093,c2:9093"})
    assert settings.uses_controllers
    assert settings.addresses == (Address("c1", 9093), Address("c2", 9093))
    assert settings_of(AdminSettings, "b1:9092", {}).addresses == (Address("b1", 9092),)


def test_both_or_neither_are_refused():
    with pytest.raises(SettingError, match="exclude each other"):
        settings_of(AdminSettings, "b1:9092", {"bootstrap_controllers": "c1:9093"})
    with pytest.raises(MissingSettingError):
        settings_of(AdminSettings, None, {})


def test_a_wrong_address_is_named_with_its_setting():
    with pytest.raises(InvalidSettingError, match=r"bootstrap\.controllers"):
        _ = settings_of(AdminSettings, None, {"bootstrap_controllers": "c1"}).addresses
