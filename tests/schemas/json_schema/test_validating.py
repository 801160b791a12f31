"""Whether a value is accepted, judged by jsonschema."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from moldau.schemas.data_errors import DataError
from moldau.schemas.json_schema.language import JSON_LANGUAGE
from moldau.schemas.json_schema.validating import Validator
from tests.schemas.json_schema.test_accepting import INSTANCES, SIMPLE, larger

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")


def combined(kinds):
    pairs = st.tuples(kinds, kinds)
    return (
        larger(kinds)
        | kinds.map(lambda one: {"not": one})
        | pairs.map(lambda both: {"allOf": list(both)})
        | st.tuples(kinds, kinds, kinds).map(
            lambda given: dict(zip(("if", "then", "else"), given, strict=True))
        )
        | pairs.map(lambda both: {"prefixItems": [both[0]], "items": both[1]})
        | kinds.map(lambda one: {"contains": one, "maxContains": 1})
        | pairs.map(
            lambda both: {
                "anyOf": [{"properties": {"x": both[0]}}, {"properties": {"y": True}}],
                "unevaluatedProperties": both[1],
            }
        )
        | kinds.map(lambda one: {"prefixItems": [True], "unevaluatedItems": one})
        | kinds.map(lambda one: {"dependentSchemas": {"x": one}, "propertyNames": {"const": "x"}})
        | kinds.map(lambda one: {"patternProperties": {"^x": one}, "dependentRequired": {"x": "y"}})
    )


SCHEMAS = st.recursive(SIMPLE, combined, max_leaves=5)


def accepts(schema, value, others=()):
    document = JSON_LANGUAGE.parse(json.dumps(schema), dict(others)).document
    try:
        Validator(document).check(value)
    except DataError:
        return False
    return True


@pytest.mark.judge
@given(SCHEMAS, st.sampled_from(INSTANCES))
def test_jsonschema_agrees(schema, value):
    judge = jsonschema.Draft202012Validator(schema)
    assert accepts(schema, value) is judge.is_valid(value), (schema, value)


DRAFT4 = {"$schema": "http://json-schema.org/draft-04/schema#"}
DRAFT7 = {"$schema": "http://json-schema.org/draft-07/schema#"}


@pytest.mark.judge
@pytest.mark.parametrize(
    "schema",
    [
        {**DRAFT4, "minimum": 1, "exclusiveMinimum": True},
        {**DRAFT7, "items": [{"type": "null"}], "additionalItems": {"type": "integer"}},
        {**DRAFT7, "dependencies": {"x": ["y"], "y": {"maxProperties": 1}}},
        {**DRAFT7, "definitions": {"a": {}}, "$ref": "#/definitions/a", "type": "null"},
        {"$defs": {"a": {}}, "$ref": "#/$defs/a", "type": "null"},
        {"properties": {"x": {"$ref": "#"}}, "required": ["x"]},
        {"uniqueItems": True, "minItems": 2},
    ],
)
def test_drafts_differ_as_jsonschema_has_it(schema):
    judge = jsonschema.validators.validator_for(schema)(schema)
    found = [value for value in INSTANCES if accepts(schema, value)]
    assert found == [value for value in INSTANCES if judge.is_valid(value)]
    assert (len(found) == len(INSTANCES)) == ("definitions" in schema)


def test_a_reference_inside_another_document_is_of_that_document():
    other = json.dumps({"$ref": "#/$defs/cents", "$defs": {"cents": {"type": "integer"}}})
    schema = {"$ref": "money.json", "$defs": {"cents": {"type": "string"}}}
    assert accepts(schema, 3, {"money.json": other})
    assert not accepts(schema, "3", {"money.json": other})


def test_the_place_and_the_reason_are_named():
    schema = {"properties": {"lines": {"items": {"required": ["what"]}}}}
    document = JSON_LANGUAGE.parse(json.dumps(schema), {}).document
    with pytest.raises(DataError, match=r"^lines\.1: what is missing$"):
        Validator(document).check({"lines": [{"what": 1}, {}]})


def test_a_schema_that_only_refers_to_itself_is_refused():
    document = JSON_LANGUAGE.parse(
        '{"$ref": "#/allOf/0", "allOf": [{"anyOf": [{"$ref": "#"}]}]}', {}
    )
    with pytest.raises(DataError, match="nested too deep"):
        Validator(document.document).check(1)
