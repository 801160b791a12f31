"""What a call stands on."""

from __future__ import annotations

from tests.client.core.admin.asking import call


def test_a_call_has_the_settings_time_or_its_own():
    assert call(default_api_timeout_ms="70").timeout_ms == 70
    assert call(5).timeout_ms == 5


def test_a_broker_waits_no_longer_than_the_call_nor_than_a_request():
    assert call(5).request_timeout_ms == 5
    assert call(90_000).request_timeout_ms == 30_000


def test_controllers_are_what_the_settings_say():
    assert call(bootstrap_controllers="c1:9093").context.uses_controllers
    assert not call().context.uses_controllers
