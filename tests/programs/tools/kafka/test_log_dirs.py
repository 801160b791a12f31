"""Flags of `moldau log-dirs`."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{SERVER}", 'Missing required argument "[describe]"'),
        (f"{SERVER} --describe --broker-list 1,x", 'For input string: "x"'),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"log-dirs {words}")
    assert code == 1
    assert printed[0].startswith(message)
