"""Ranges of versions are shown as Kafka shows them."""

import pytest

from moldau.programs.tools.kafka.broker_api_versions import lines_of
from moldau.protocol.wire.versions import Versions

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--command-config /none", 'Missing required argument "[bootstrap-server]"'),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"broker-api-versions {words}")
    assert code == 1
    assert printed[0].startswith(message)


def test_versions_are_usable_where_both_have_them():
    spoken = {"PRODUCE": Versions(0, 13), "FETCH": Versions(0, 2), "API 999": Versions(3, 3)}
    lines = list(lines_of(spoken))
    assert lines[0] == "Produce(0): 0 to 13 [usable: 13]"
    assert lines[1] == "Fetch(1): 0 to 2 [unusable: node too old]"
    assert "Metadata(3): UNSUPPORTED" in lines
    assert lines[-1] == "UNKNOWN(999): 3"
