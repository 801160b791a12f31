"""Flags of `moldau delegation-tokens` that belong together."""

import time
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


@pytest.mark.parametrize(
    ("words", "other"),
    [
        ("--create --max-life-time-period -1 --hmac a", "hmac"),
        ("--renew --hmac a --renew-time-period -1 --owner-principal User:a", "owner-principal"),
        ("--expire --hmac a --expiry-time-period -1 --renew-time-period 1", "renew-time-period"),
        ("--describe --max-life-time-period 5", "max-life-time-period"),
    ],
)
def test_what_says_nothing_to_an_action_is_refused(call, words, other):
    code, printed = call(f"delegation-tokens {SERVER} {words}")
    action = words.split()[0].removeprefix("--")
    refusal = f'Option "[{action}]" can\'t be used with option "[{other}]"'
    assert (code, printed[0]) == (1, refusal)


@pytest.mark.parametrize(("zone", "shown"), [("UTC", "T12:34"), ("Asia/Tokyo", "T21:34")])
def test_times_are_those_of_the_zone_of_this_machine(monkeypatch, zone, shown):
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    moment = datetime(2030, 1, 31, 12, 34, 59, tzinfo=UTC)
    assert time_text(int(moment.timestamp() * 1000)) == f"2030-01-31{shown}"
    monkeypatch.undo()
    time.tzset()
