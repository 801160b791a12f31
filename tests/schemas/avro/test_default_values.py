"""Defaults as values."""

from __future__ import annotations

import datetime
import json

import pytest

from moldau.schemas.avro.default_values import default_value
from moldau.schemas.avro.parsing import parse_avro

POINT = {
    "type": "record",
    "name": "P",
    "fields": [{"name": "x", "type": "int", "default": 1}, {"name": "y", "type": "bytes"}],
}


@pytest.mark.parametrize(
    ("schema", "default", "value"),
    [
        ("bytes", "\u00ff", b"\xff"),
        ("double", 1, 1.0),
        (["null", "bytes"], "a", b"a"),
        ({"type": "array", "items": "bytes"}, ["a"], [b"a"]),
        ({"type": "map", "values": "float"}, {"a": 1}, {"a": 1.0}),
        (POINT, {"y": "b"}, {"x": 1, "y": b"b"}),
        ({"type": "int", "logicalType": "date"}, 1, datetime.date(1970, 1, 2)),
    ],
)
def test_a_default_is_what_a_reader_would_get(schema, default, value):
    found = default_value(parse_avro(json.dumps(schema), {})[0], default)
    assert (found, type(found)) == (value, type(value))
