"""Levels are read, and releases known, without asking a cluster."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            "upgrade --feature a=1",
            "Command line error: You must specify either --bootstrap-controller or --bootstra",
        ),
        (
            f"{SERVER} upgrade --feature a",
            "Can't parse feature=level string a: equals sign not found.",
        ),
        (
            f"{SERVER} upgrade --feature a=70000",
            "Can't parse feature=level string a=70000: unable to parse 70",
        ),
        (
            f"{SERVER} upgrade --feature a=1 --feature a=2",
            "Feature a was specified more than once.",
        ),
        (f"{SERVER} upgrade --feature =1", "Provided feature can not be empty."),
        (f"{SERVER} upgrade --feature a=-1", "Cannot specify a negative version level."),
        (f"{SERVER} describe --node-id -1", "Invalid node id -1: must be non-negative."),
        (f"{SERVER} disable", "You must specify at least one feature to disable"),
        ("feature-dependencies --feature a=1", "Unknown feature: a"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"features {words}")
    assert code == 1
    assert printed[0].startswith(message)


def test_the_levels_of_a_release_are_shown(call):
    code, printed = call("features version-mapping --release-version 4.0")
    assert (code, printed[0]) == (0, "metadata.version=25 (4.0)")
    assert "transaction.version=2" in printed
