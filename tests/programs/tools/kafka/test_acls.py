"""What `moldau acls` would do is found out without a cluster, as far as it can be."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{SERVER} --add", "You must provide at least one resource"),
        (f"{SERVER} --add --topic t", "You must specify one of: --allow-principal"),
        (
            f"{SERVER} --add --topic t --allow-principal User:a --operation ClusterAction",
            "ResourceType TOPIC only supports operations [",
        ),
        (
            f"{SERVER} --add --topic t --allow-principal a",
            "Error while executing ACL command: expected a string in format principalType:",
        ),
        (
            f"{SERVER} --list --resource-pattern-type some",
            "Error while executing ACL command: Cannot parse argument 'some' of option",
        ),
        (
            f"{SERVER} --add --topic t --allow-principal User:a --resource-pattern-type any",
            "A '--resource-pattern-type' value of 'ANY' is not valid when adding acls.",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"acls {words}")
    assert code == 1
    assert printed[0].startswith(message)
