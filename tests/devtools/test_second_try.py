"""A second try is for a few failures, and clears them only if every one has passed."""

from __future__ import annotations

from collections import Counter

import pytest

from devtools.second_try import MOST, is_worth_a_second_try, unsteady_tests

PASSED = "PASSED tests/a.py::test_one\nPASSED tests/b.py::test_two\n"


@pytest.mark.parametrize(("failed", "is_worth"), [(0, False), (1, True), (MOST, True)])
def test_a_few_failures_are_worth_it(failed, is_worth):
    assert is_worth_a_second_try(Counter(failed=failed)) is is_worth
    assert not is_worth_a_second_try(Counter(failed=MOST + 1))


@pytest.mark.parametrize(
    ("first", "second", "names"),
    [
        ({"failed": 2}, {"passed": 2}, ["tests/a.py::test_one", "tests/b.py::test_two"]),
        ({"failed": 3}, {"passed": 2}, []),
        ({"failed": 2}, {"passed": 2, "failed": 1}, []),
    ],
    ids=["all have passed", "one did not run", "one has failed again"],
)
def test_they_are_unsteady_if_all_of_them_pass(first, second, names):
    assert unsteady_tests(Counter(first), Counter(second), PASSED) == names
