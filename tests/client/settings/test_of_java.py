"""Settings of Java's clients that these have not."""

from __future__ import annotations

import pytest

from moldau.client import ConsumerSettings, UnsupportedSettingError
from moldau.client.settings.client import settings_of


def test_as_a_keyword_such_a_name_is_refused_with_the_reason():
    with pytest.raises(UnsupportedSettingError, match="every address of a host name is tried"):
        settings_of(ConsumerSettings, "one:9092", {"client_dns_lookup": "use_all_dns_ips"})


def test_in_a_mapping_it_is_warned_about_with_the_reason(caplog):
    given = {"bootstrap.servers": "one:9092", "send.buffer.bytes": 131072}
    settings_of(ConsumerSettings, given, {})
    assert "send.buffer.bytes has no effect in this client: the system sizes" in caplog.text
