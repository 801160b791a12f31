"""Defaults of Avro are values of Python."""

from __future__ import annotations

import datetime
import uuid

import pytest

from moldau.schemas.shapes.model import NO_DEFAULT, Struct
from moldau.schemas.shapes.of_avro import avro_shape
from tests.schemas.shapes.texts import parsed

ID = "00000000-1111-2222-3333-444444444444"


@pytest.mark.parametrize(
    ("kind", "given", "default"),
    [
        ('{"type":"int","logicalType":"date"}', "1", datetime.date(1970, 1, 2)),
        ('{"type":"string","logicalType":"uuid"}', f'"{ID}"', uuid.UUID(ID)),
        ('"double"', "1", 1.0),
        ('["string","int"]', "3", 3),
        ('["null","int"]', "null", None),
        ('{"type":"array","items":"int"}', "[]", []),
        ('{"type":"array","items":"int"}', "[1]", NO_DEFAULT),
        ('{"type":"fixed","name":"F","size":1}', '"\\u00ff"', b"\xff"),
    ],
)
def test_a_default_is_what_its_type_means(kind, given, default):
    fields = f'{{"name":"a","type":{kind},"default":{given}}},{{"name":"b","type":"int"}}'
    struct = avro_shape(parsed(f'{{"type":"record","name":"R","fields":[{fields}]}}').type)
    assert isinstance(struct, Struct)
    assert [field.default for field in struct.fields] == [default, NO_DEFAULT]
    assert type(struct.fields[0].default) is type(default)
