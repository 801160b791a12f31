"""Flags of `moldau consumer-groups` that do not fit together."""

import pytest

SERVER = "consumer-groups --bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("consumer-groups --list", 'Missing required argument "[bootstrap-server]"'),
        (
            f"{SERVER} --describe",
            "Option [describe] takes one of these options: [group], [all-groups]",
        ),
        (f"{SERVER} --delete", "Option [delete] takes one of these options: [group], [all-groups]"),
        (
            f"{SERVER} --reset-offsets --group g --execute --dry-run",
            "Option [reset-offsets] only accepts one of [execute] and [dry-run]",
        ),
        (
            f"{SERVER} --list --verbose",
            "Option(s) [verbose] are unavailable given other options on the command line",
        ),
        (f"{SERVER} --list --type x", "Invalid types list 'x'. Valid types are: Consumer, Classic"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(words)
    assert (code, printed[0]) == (1, message)
