"""What types have of JSON Schemas."""

from __future__ import annotations

import json

import pytest

from moldau.schemas.shapes.model import (
    ANY,
    NO_DEFAULT,
    Choice,
    Enumeration,
    ListOf,
    MapOf,
    Nullable,
    Scalar,
)
from moldau.schemas.shapes.of_json_schema import json_shape
from tests.schemas.shapes.texts import parsed

INT, TEXT = Scalar("long"), Scalar("string")


def shape(schema):
    return json_shape(parsed(json.dumps(schema), "JSON").document)


@pytest.mark.parametrize(
    ("schema", "found"),
    [
        (True, ANY),
        ({}, ANY),
        ({"type": ["integer", "null"]}, Nullable(INT)),
        ({"oneOf": [{"type": "integer"}, {"type": "string"}]}, Choice((INT, TEXT))),
        ({"const": "a"}, Enumeration("", ("a",))),
        ({"enum": ["a", 1, None]}, Nullable(Choice((Enumeration("", ("a",)), INT)))),
        ({"enum": [[]]}, ANY),
        ({"type": "array", "items": [True]}, ListOf(ANY)),
        ({"type": "object"}, MapOf(TEXT, ANY)),
        ({"allOf": [{"type": "string"}, {"minLength": 1}]}, TEXT),
        ({"type": "string", "format": "date"}, Scalar("date")),
        ({"type": "string", "format": "email"}, TEXT),
    ],
)
def test_a_schema_without_properties_is_what_its_types_are(schema, found):
    assert shape(schema) == found


def test_all_parts_of_a_schema_make_one_struct():
    base = {"properties": {"a": {"type": "integer", "default": 3}}, "required": ["b"]}
    whole = shape(
        {
            "title": "T",
            "allOf": [{"$ref": "#/$defs/base"}],
            "properties": {"b": {"type": "string"}, "c": {"type": "string", "default": 1}},
            "$defs": {"base": base},
        }
    )
    assert whole.name == "T"
    assert [(one.name, one.shape, one.default) for one in whole.fields] == [
        ("b", TEXT, NO_DEFAULT),
        ("c", Nullable(TEXT), None),
        ("a", INT, 3),
    ]
