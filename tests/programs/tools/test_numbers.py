"""Covers moldau.programs.tools.numbers."""

from __future__ import annotations

from argparse import ArgumentTypeError

import pytest

from moldau.programs.tools.numbers import whole_number


@pytest.mark.parametrize(("text", "number"), [("1", 1), ("50_000", 50_000), ("-3", -3)])
def test_a_number_within_its_bounds_is_taken(text, number):
    assert whole_number(-3, 50_000)(text) == number


@pytest.mark.parametrize(
    "text", ["-5", "0", "101", "", "-", "1.5", "ten", "_", "\u0663", "9" * 5_000]
)
def test_all_else_is_one_sentence(text):
    with pytest.raises(ArgumentTypeError, match=r"is no whole number from 1 to 100$"):
        whole_number(1, 100)(text)
