"""Flags of `moldau groups` that exclude each other."""

import pytest

SERVER = "groups --bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("groups --list", "Missing required option(s) [bootstrap-server]"),
        (SERVER, "Command must include exactly one action: --list."),
        (f"{SERVER} --list --group-type x", "--group-type must be a valid group type."),
        (
            f"{SERVER} --list --share --streams",
            'Option "[share]" can\'t be used with option "[streams]"',
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(words)
    assert (code, printed[0]) == (1, message)
