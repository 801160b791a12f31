"""Flags of `moldau reassign-partitions` that belong to its actions."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (SERVER, "Command must include exactly one action: --generate, --execute, --verify"),
        ("--list", "Please specify either --bootstrap-server"),
        (f"{SERVER} --execute", 'Missing required argument "[reassignment-json-file]"'),
        (
            f"{SERVER} --list --throttle 4",
            'Option "[throttle]" can\'t be used with action "[list]"',
        ),
        (
            f"{SERVER} --execute --reassignment-json-file /a --throttle x",
            "Error: Cannot parse argument 'x' of option throttle",
        ),
        (f"{SERVER} --verify --reassignment-json-file /a", "Error: Unable to read file /a"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"reassign-partitions {words}")
    assert code == 1
    assert printed[0].startswith(message)
