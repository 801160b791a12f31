"""Flags of `moldau acls` that belong together."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--list", "One of --bootstrap-server or --bootstrap-controller must be specified"),
        (SERVER, "Command must include exactly one action: --list, --add, --remove."),
        (f"{SERVER} --add --principal User:a", "The --principal option is only available if"),
        (f"{SERVER} --list --producer", 'Option "[list]" can\'t be used with option "[producer]"'),
        (f"{SERVER} --add --producer", "With --producer you must specify a --topic"),
        (f"{SERVER} --add --idempotent", "The --idempotent option is only available if"),
        (f"{SERVER} --add --consumer --topic t", "With --consumer you must specify a --topic and"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"acls {words}")
    assert code == 1
    assert printed[0].startswith(message)
