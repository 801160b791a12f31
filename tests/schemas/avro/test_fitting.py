"""Which branch of a union a value is of."""

from __future__ import annotations

import json
import uuid

import pytest

from moldau.schemas.avro.fitting import fits
from moldau.schemas.avro.parsing import parse_avro

RECORD = {"type": "record", "name": "R", "fields": [{"name": "a", "type": "int"}]}
OPTIONAL = {
    "type": "record",
    "name": "R",
    "fields": [{"name": "a", "type": "int", "default": 1}],
}


@pytest.mark.parametrize(
    ("schema", "value", "does"),
    [
        ("int", 1, True),
        ("int", 2**31, False),
        ("long", 2**31, True),
        ("int", True, False),
        ("double", 1, True),
        ("string", b"", False),
        ({"type": "string", "logicalType": "uuid"}, uuid.UUID(int=1), True),
        ({"type": "array", "items": "int"}, [1, "a"], False),
        ({"type": "map", "values": "int"}, {"a": 1}, True),
        ({"type": "map", "values": "int"}, {1: 1}, False),
        ({"type": "fixed", "name": "F", "size": 2}, b"ab", True),
        ({"type": "enum", "name": "E", "symbols": ["A"]}, "B", False),
        (RECORD, {"a": 1}, True),
        (RECORD, {}, False),
        (RECORD, {"a": 1, "b": 1}, False),
        (OPTIONAL, {}, True),
    ],
)
def test_a_value_fits_its_type_alone(schema, value, does):
    assert fits(parse_avro(json.dumps(schema), {})[0], value) is does
