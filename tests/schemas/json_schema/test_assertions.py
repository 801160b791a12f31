"""Keywords that look at one value."""

from __future__ import annotations

import pytest

from moldau.schemas.data_errors import DataError
from moldau.schemas.json_schema.assertions import ASSERTIONS, found_in, is_of, same


def test_types_are_those_of_json():
    assert is_of("integer", 1.0)
    assert not is_of("integer", True)
    assert not is_of("number", True)
    assert not is_of("date", "2020-01-01")


def test_equality_is_that_of_json():
    assert same([1, {"a": 1.0}], [1.0, {"a": 1}])
    assert not same(True, 1)
    assert not same([0], [False])


def test_a_pattern_is_found_anywhere_and_a_wrong_one_is_named():
    assert found_in("b", "abc")
    assert not found_in("^b", "abc")
    with pytest.raises(DataError, match="pattern"):
        found_in("(", "abc")


def test_the_reason_is_a_sentence():
    assert ASSERTIONS["maximum"](3, 4, {}) == "4 is more than 3"
    assert ASSERTIONS["maximum"](3, 3, {"exclusiveMaximum": True}) == "3 is more than 3"
    assert ASSERTIONS["required"](["a"], {}, {}) == "a is missing"
    assert ASSERTIONS["multipleOf"](0.1, 0.3, {}) is None
    assert ASSERTIONS["type"]("string", 3, {}) == "3 is no string"
