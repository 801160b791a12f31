"""What came of a call, by key."""

from __future__ import annotations

import pytest

from moldau.client.core.admin.outcomes import Outcomes
from moldau.client.errors import InvalidArgumentError

ERROR = InvalidArgumentError("no")


def test_a_key_has_its_value_or_raises_its_error():
    outcomes = Outcomes({"a": 1}, {"b": ERROR})
    assert outcomes["a"] == 1
    with pytest.raises(InvalidArgumentError):
        outcomes["b"]
    with pytest.raises(KeyError):
        outcomes["c"]


def test_all_raises_the_first_error_there_is():
    assert Outcomes({"a": 1}).all() == {"a": 1}
    with pytest.raises(InvalidArgumentError):
        Outcomes({"a": 1}, {"b": ERROR}).all()


def test_it_counts_shows_and_finds_both_kinds():
    outcomes = Outcomes({"a": 1}, {"b": ERROR})
    assert (len(outcomes), list(outcomes), "b" in outcomes) == (2, ["a", "b"], True)
    assert "'a': 1" in repr(outcomes)


def test_it_is_mapped_and_put_in_order():
    outcomes = Outcomes({"a": 1, "b": 2}, {"c": ERROR})
    assert outcomes.map(str).values == {"a": "1", "b": "2"}
    ordered = outcomes.ordered(["b", "c", "x"])
    assert (ordered.values, ordered.errors) == ({"b": 2}, {"c": ERROR})
