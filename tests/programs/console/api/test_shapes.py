"""Shapes as schemas, which the reference implementation of JSON Schema reads as they are meant."""

import pytest
from jsonschema import Draft202012Validator

from moldau.programs.console.api.shapes import ByName, Maybe, schema_of

ONE = {"id": "integer", "note?": "string?"}


@pytest.mark.parametrize(
    ("shape", "right", "wrong"),
    [
        ("integer", [1], ["1", None, 1.5]),
        ("integer?", [1, None], ["1"]),
        ("any", [1, None, {}], []),
        (ONE, [{"id": 1}, {"id": 1, "note": None}], [{}, {"id": 1, "more": 2}, {"note": "a"}]),
        ([ONE], [[], [{"id": 1}]], [{"id": 1}, [{}]]),
        (("string", "integer"), [["a", 1]], [["a"], ["a", 1, 2], [1, "a"]]),
        (Maybe(ONE), [None, {"id": 1}], [{}]),
        (ByName("number"), [{}, {"a": 1.5}], [{"a": "b"}, []]),
    ],
)
def test_a_schema_takes_what_has_the_shape_and_nothing_else(shape, right, wrong):
    schema = schema_of(shape)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    assert [validator.is_valid(one) for one in right] == [True] * len(right)
    assert [validator.is_valid(one) for one in wrong] == [False] * len(wrong)
