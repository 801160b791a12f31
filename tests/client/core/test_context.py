"""What all dialogues stand on."""

from __future__ import annotations

import pytest

from moldau.client.errors import ClosedError, TimedOutError
from tests.client.conversation import context


def test_patience_lasts_as_long_as_the_settings_say():
    deadline = context(default_api_timeout_ms="500").deadline("trying", 100)
    deadline.pause(599, ClosedError())
    with pytest.raises(TimedOutError, match="trying after 500 ms"):
        deadline.pause(600, ClosedError())


def test_backoff_is_as_the_settings_say():
    assert 8 <= context(retry_backoff_ms="10").backoff.wait_ms(0) <= 12
    assert context(retry_backoff_ms="0").backoff.wait_ms(5) == 0
