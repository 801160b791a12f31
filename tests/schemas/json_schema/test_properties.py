"""Properties with patterns; the rest is in test_accepting."""

import json

import pytest

from moldau.schemas.json_schema.language import JSON_LANGUAGE


def rules(new, old):
    parsed = (JSON_LANGUAGE.parse(json.dumps({"type": "object", **one}), {}) for one in (new, old))
    return [one.rule for one in JSON_LANGUAGE.differences(*parsed)]


STRINGS = {"patternProperties": {"^x": {"type": "string"}}, "additionalProperties": False}


@pytest.mark.parametrize(
    ("new", "old", "found"),
    [
        ({"properties": {"xa": {"type": "string"}}}, STRINGS, []),
        (
            {"properties": {"xa": {"type": "null"}}},
            STRINGS,
            ["PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"],
        ),
        (STRINGS, {**STRINGS, "properties": {"xa": {"type": "string"}}}, []),
        (
            STRINGS,
            {**STRINGS, "properties": {"xa": {"type": "null"}}},
            ["PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL"],
        ),
        ({"required": ["a"], "properties": {"a": {"default": 1}}}, {}, []),
        ({"additionalProperties": {"type": "null"}}, {}, ["ADDITIONAL_PROPERTIES_NARROWED"]),
    ],
)
def test_what_may_be_there_is_compared_name_by_name(new, old, found):
    assert rules(new, old) == found
