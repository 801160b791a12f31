"""Which flags of `moldau streams-groups` go together, and what Kafka's tool says of others."""

from __future__ import annotations

import pytest

SERVER = "--bootstrap-server localhost:1"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--describe --delete --group a", "Command must include exactly one action"),
        ("--list --delete", "Option [delete] takes one of these options: [all-groups], [group]"),
        ("--state", "Option(s) [state] are unavailable"),
        ("--list --members", "Option(s) [members] are unavailable"),
        ("--list --execute", "Only Option [reset-offsets] accepts [execute] or [dry-run]"),
        ("--describe --group a --dry-run", "Only Option [reset-offsets] accepts [execute]"),
        ("--list --input-topic x", 'Option "[input-topic]" can\'t be used with option "[list]"'),
        ("--delete --group a --input-topic x", "Kafka Streams does not support topic-specific"),
        (
            "--delete --group a --delete-internal-topic x",
            "Option [delete-internal-topic] takes [reset-offsets] when [execute] is used.",
        ),
        (
            "--delete-offsets --group a --input-topic x --delete-all-internal-topics",
            "Option [delete-all-internal-topics] takes one of these options: [delete], [reset",
        ),
        (
            "--reset-offsets --group a --dry-run --to-latest --delete-all-internal-topics",
            "Option [delete-all-internal-topics] takes [execute] when [reset-offsets] is used.",
        ),
        ("--list --verbose", "Option(s) [verbose] are unavailable"),
        ("--list --state frob", "Invalid state list 'frob'."),
        ("--describe --group a --members --state", "Option [describe] takes at most one of"),
        ("--delete-offsets --group a", "Option [delete-offsets] takes the [group] and one of"),
        ("--reset-offsets --group a --to-latest", "Option [reset-offsets] takes the option"),
    ],
)
def test_wrong_usage_has_kafkas_words(call, words, message):
    code, printed = call(f"streams-groups {SERVER} {words}")
    assert code == 1
    assert printed[0].startswith(message)


def test_a_deletion_may_be_shown_first(call):
    code, printed = call(f"streams-groups {SERVER} --delete --group a --dry-run --timeout 1")
    assert code == 1
    assert "Executing streams group command failed" in printed[1]
