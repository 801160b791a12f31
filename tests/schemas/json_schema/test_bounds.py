"""Bounds: what may grow, and what may shrink."""

import pytest

from moldau.schemas.json_schema.bounds import bound_differences

EVERY = frozenset(("string", "number", "array", "object"))


@pytest.mark.parametrize(
    ("new", "old", "rule"),
    [
        ({"maxItems": 3}, {"maxItems": 2}, None),
        ({"maxItems": 3}, {"maxItems": 4}, "MAX_ITEMS_DECREASED"),
        ({"minItems": 3}, {"minItems": 2}, "MIN_ITEMS_INCREASED"),
        ({"minItems": 0}, {}, None),
        ({"minimum": 0}, {}, "MINIMUM_ADDED"),
        ({"multipleOf": 2}, {"multipleOf": 4}, None),
        ({"multipleOf": 4}, {"multipleOf": 2}, "MULTIPLE_OF_CHANGED"),
        ({"multipleOf": 4}, {}, "MULTIPLE_OF_ADDED"),
        ({"pattern": "a"}, {"pattern": "a"}, None),
        ({"pattern": "a"}, {"pattern": "b"}, "PATTERN_CHANGED"),
        ({"uniqueItems": True}, {}, "UNIQUE_ITEMS_ADDED"),
        ({"exclusiveMaximum": True}, {}, "EXCLUSIVE_MAXIMUM_ADDED"),
    ],
)
def test_less_is_a_difference_and_more_is_none(new, old, rule):
    found = [one.rule for one in bound_differences(new, old, EVERY, "#")]
    assert found == ([] if rule is None else [rule])


def test_bounds_of_what_cannot_come_do_not_matter():
    assert list(bound_differences({"maxLength": 1}, {}, frozenset(("number",)), "#")) == []
