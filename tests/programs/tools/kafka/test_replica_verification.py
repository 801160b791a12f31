"""Flags of `moldau replica-verification`; `tests/cluster` compares it with Java's."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("--time -2", 'Missing required argument "[broker-list]"'),
        ("--broker-list x:1 --fetch-size y", "Cannot parse argument 'y' of option fetch-size"),
        ("--broker-list x:1 --topics-include se(", "se( is an invalid regex."),
    ],
)
def test_wrong_usage_is_named(call, words, message):
    code, printed = call(f"replica-verification {words}")
    assert code == 1
    assert message in printed[0]
