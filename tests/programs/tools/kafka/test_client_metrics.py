"""Flags of `moldau client-metrics` that exclude each other."""

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (f"{SERVER}", "Command must include exactly one action: --alter, --delete,"),
        (f"{SERVER} --delete", "A client metrics resource name must be specified with --dele"),
        (
            f"{SERVER} --delete --generate-name",
            'Option "[delete]" can\'t be used with option "[generate-name]"',
        ),
        (f"{SERVER} --list --name a", 'Option "[list]" can\'t be used with option "[name]"'),
        (
            f"{SERVER} --alter --name a --interval x",
            "Invalid interval value. Enter an integer, or leave empty to",
        ),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"client-metrics {words}")
    assert code == 1
    assert printed[0].startswith(message)
