"""JSON Schema, as the table of languages has it."""

import json

import pytest

from moldau.schemas.data_errors import DataError
from moldau.schemas.json_schema.language import JSON_LANGUAGE
from moldau.schemas.model import InvalidSchemaError


def test_the_text_is_compact_and_in_order_where_it_is_to_be_normal():
    schema = JSON_LANGUAGE.parse('{"type" : "object", "properties": {"é": true}}', {})
    assert schema.canonical == '{"type":"object","properties":{"é":true}}'
    assert schema.normalized == '{"properties":{"é":true},"type":"object"}'
    assert schema.formatted("") == schema.canonical
    with pytest.raises(InvalidSchemaError, match="has no format"):
        schema.formatted("proto")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "7",
        "[]",
        '{"type":"strange"}',
        '{"type":["string",7]}',
        '{"allOf":"x"}',
        '{"properties":[]}',
        '{"required":[1]}',
        '{"$ref":"#/nowhere"}',
        '{"a":' * 300 + "1" + "}" * 300,
    ],
)
def test_what_is_no_schema_is_refused(text):
    with pytest.raises(InvalidSchemaError):
        JSON_LANGUAGE.parse(text, {})


def test_properties_may_be_named_like_keywords():
    names = ("type", "required", "properties", "$ref", "enum", "allOf")
    text = json.dumps({"properties": {name: {"type": "string"} for name in names}})
    assert repr(JSON_LANGUAGE.parse(text, {})).startswith('JsonSchema({"properties"')


EXPLODING = [
    {"pattern": "^(a+)+$"},
    {"properties": {"x": {"patternProperties": {"^(a+)+$": True}}}},
    {"uniqueItems": True},
    {"anyOf": [{"properties": {"x": {"$ref": "#"}}}, {"properties": {"x": {"$ref": "#"}}}]},
]


@pytest.mark.parametrize("schema", EXPLODING)
def test_who_must_not_wait_reads_a_schema_that_may_explode_as_any_json(schema):
    decode = JSON_LANGUAGE.parse(json.dumps(schema), {}).bounded_decoder()
    text = "a" * 40 + "b"
    deep = '{"x":' * 60 + "1" + "}" * 60
    assert decode(json.dumps([text]).encode()) == [text]
    decode(deep.encode())
    with pytest.raises(DataError):
        decode(b"[1")


def test_who_must_not_wait_holds_values_against_any_other_schema():
    decode = JSON_LANGUAGE.parse('{"type":"object","required":["a"]}', {}).bounded_decoder()
    with pytest.raises(DataError):
        decode(b"{}")
