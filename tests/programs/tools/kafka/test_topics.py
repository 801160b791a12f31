"""Flags of `moldau topics` that do not fit together are refused before a cluster is asked."""

import pytest

SERVER = "topics --bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("topics --list", "--bootstrap-server must be specified"),
        (f"{SERVER} --create", 'Missing required argument "[topic]"'),
        (
            f"{SERVER} --list --partitions 4",
            'Option "[partitions]" can\'t be used with option "[list]"',
        ),
        (
            f"{SERVER} --list --dry-run",
            'Option "[dry-run]" can\'t be used with option "[list]"',
        ),
        (f"{SERVER} --alter --topic a", 'Missing required argument "[partitions]"'),
        (
            f"{SERVER} --describe --if-exists",
            "--topic or --topic-id is required to describe a topic",
        ),
    ],
)
def test_wrong_usage_is_one_line_of_kafkas(call, words, message):
    code, printed = call(words)
    assert code == 1
    assert printed == [message, "`moldau topics --help` shows all flags."]


def test_exactly_one_action_is_wanted(call):
    for words in (SERVER, f"{SERVER} --list --delete"):
        assert call(words)[1][0].startswith("Command must include exactly one action")


def test_a_cluster_that_is_not_there_is_an_error_of_one_line(call):
    code, printed = call("topics --bootstrap-server nowhere --list")
    assert code == 1
    assert len(printed) == 1
    assert printed[0].startswith("moldau topics: ")
