"""What an append returns, compared and shown."""

from __future__ import annotations

from typing import Any

import pytest

from moldau.broker.log.appending.result import AppendResult


def test_results_that_say_the_same_are_equal():
    assert AppendResult(3, 5, 7, -1, 1) == AppendResult(3, 5, 7, -1, 1)
    assert repr(AppendResult(3, 5)) == "AppendResult(3 to 5)"


@pytest.mark.parametrize("place", range(6))
def test_a_result_that_differs_anywhere_is_another(place):
    fields: list[Any] = [3, 5, 7, 9, 1, False]
    other = [*fields[:place], True if place == 5 else 11, *fields[place + 1 :]]
    assert AppendResult(*fields) != AppendResult(*other)
