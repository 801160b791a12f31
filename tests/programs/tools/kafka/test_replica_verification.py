"""Flags of `moldau replica-verification`; `tests/cluster` compares it with Java's."""

from __future__ import annotations

import pytest

from tests.programs.tools.test_bad_input import DEAD


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


def test_a_cluster_that_does_not_answer_is_named_after_the_time_that_is_given(call):
    code, printed = call(f"replica-verification --broker-list {DEAD} --timeout 300")
    assert code == 1
    assert DEAD in "".join(printed)
    assert "after 300 ms" in "".join(printed)
