"""Fields of JSON, by their paths and tags."""

from __future__ import annotations

from moldau.schemas.json_schema.changing import changed_json
from moldau.schemas.json_schema.pointers import Document

NAME = {"type": "string", "confluent:tags": ["PII"]}
SCHEMA = {
    "$defs": {"node": {"properties": {"name": NAME, "next": {"$ref": "#/$defs/node"}}}},
    "$ref": "#/$defs/node",
    "properties": {
        "list": {"items": {"anyOf": [{"type": "null"}, {"properties": {"name": NAME}}, NAME]}},
    },
}


def test_a_field_is_changed_once_whatever_number_of_schemas_name_it():
    seen = []

    def change(field, value):
        seen.append((field.name, sorted(field.tags)))
        return f"<{value}>"

    value = {"name": "a", "next": {"name": "b", "other": "c"}, "list": [{"name": "d"}, None, "e"]}
    found = changed_json(Document(SCHEMA, {}), value, change)
    assert found == {
        "name": "<a>", "next": {"name": "<b>", "other": "c"}, "list": [{"name": "<d>"}, None, "<e>"]
    }  # fmt: skip
    assert seen == [
        ("$.name", ["PII"]),
        ("$.next.name", ["PII"]),
        ("$.list.name", ["PII"]),
        ("$.list", []),
    ]
    assert value["name"] == "a"


def test_the_type_of_a_value_is_that_of_the_schema():
    schema = {"properties": {
        "a": {"type": "integer"}, "b": {"type": "number"}, "c": {"type": ["null", "boolean"]},
        "d": {"enum": ["x"]}, "e": {"type": "number"}, "f": {"type": "string"},
    }}  # fmt: skip
    value = {"a": 1, "b": 2, "c": True, "d": "x", "e": 1.5, "f": "y"}
    seen = {}

    def change(field, value):
        seen[field.name] = field.kind
        return value

    assert changed_json(Document(schema, {}), value, change) == value
    assert list(seen.values()) == ["INT", "DOUBLE", "BOOLEAN", "ENUM", "DOUBLE", "STRING"]
