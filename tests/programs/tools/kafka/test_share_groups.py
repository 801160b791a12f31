"""Flags of `moldau share-groups` that belong together."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--list", 'Missing required argument "[bootstrap-server]"'),
        (SERVER, "Command must include exactly one action: --list, --describe, --delete,"),
        (f"{SERVER} --describe", "Option [describe] takes one of these options: [all-groups]"),
        (f"{SERVER} --list --state a", "Invalid state list 'a'. Valid states are: Dead, Empty"),
        (f"{SERVER} --reset-offsets", "Option [reset-offsets] takes the option: [execute] or"),
        (f"{SERVER} --delete-offsets", "Option [delete-offsets] takes the following options:"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"share-groups {words}")
    assert code == 1
    assert printed[0].startswith(message)
