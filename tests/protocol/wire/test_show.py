"""Generated codecs, shown."""

from __future__ import annotations

from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.wire.show import show_codec


def test_both_functions_of_a_version_are_shown():
    text = show_codec(ProduceRequest, 9)
    assert "def decode(buf, pos, end, limit):" in text
    assert "def encode(message, parts):" in text
    assert "partition_data" in text
