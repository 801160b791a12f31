"""Flags of `moldau configs` that belong together."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (SERVER, "Command must include exactly one action: --describe, --alter"),
        (f"{SERVER} --describe", "At least one entity type must be specified"),
        (f"{SERVER} --describe --entity-type a", "Invalid entity type a, the entity type must be"),
        (f"{SERVER} --describe --topic a --user b", "Only 'users' and 'clients' entity types may"),
        ("--describe --topic a", "Either --bootstrap-server or"),
        (f"{SERVER} --describe --broker a", "The entity name for brokers must be a valid integer"),
        (f"{SERVER} --alter --topic a", "At least one of --add-config, --add-config-file, or"),
        (f"{SERVER} --alter --entity-type topics", "An entity name must be specified with --alter"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"configs {words}")
    assert code == 1
    assert printed[0].startswith(message)
