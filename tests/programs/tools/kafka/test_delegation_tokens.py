"""Flags of `moldau delegation-tokens` that belong together."""

from datetime import UTC, datetime

import pytest

from moldau.programs.tools.kafka.delegation_tokens import time_text

SERVER = "--bootstrap-server localhost:1 --command-config /dev/null"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (SERVER, "Command must include exactly one action: --create, --renew, --expire or"),
        (f"{SERVER} --create", 'Missing required argument "[max-life-time-period]"'),
        (f"{SERVER} --expire --hmac a", 'Missing required argument "[expiry-time-period]"'),
        (f"{SERVER} --describe --owner-principal a", "expected a string in format principalType:"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"delegation-tokens {words}")
    assert code == 1
    assert printed[0].startswith(message)


def test_times_are_shown_as_the_calendar_has_them():
    for seconds in range(4_000, 60_000 * 86_400, 86_399):
        shown = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M")
        assert time_text(seconds * 1000) == shown
