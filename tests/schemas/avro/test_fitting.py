"""Which branch of a union a value is of."""

from __future__ import annotations

import json
import uuid

import pytest

from moldau.schemas.avro.fitting import branch_of, fits
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
        pytest.param("double", 10**400, False, id="beyond a double"),
        ("float", 1e39, False),
        ("float", float("inf"), True),
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


@pytest.mark.parametrize(
    ("union", "value", "index"),
    [
        (["float", "double"], 0.5, 0),
        (["float", "double"], 0.1, 1),
        (["float", "double"], 1e39, 1),
        (["float", "double"], float("nan"), 0),
        (["float", "int"], 2**24 + 1, 1),
        (["double", "long"], 2**53 + 1, 1),
        (["null", "float"], 0.1, 1),
        (["null", "string"], 0.1, None),
    ],
)
def test_the_first_branch_that_keeps_a_number_is_taken(union, value, index):
    branches = parse_avro(json.dumps(union), {})[0].branches
    assert branch_of(branches, value) == index
