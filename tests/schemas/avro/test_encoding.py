"""Values to Avro's bytes, judged by fastavro."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings

from moldau.schemas.avro.encoding import AvroEncoder, zigzag
from moldau.schemas.avro.parsing import parse_avro
from moldau.schemas.data_errors import DataError
from tests.schemas.avro.drawn import WITH_VALUES

fastavro = pytest.importorskip("fastavro", reason="fastavro is not installed")

ORDER = json.dumps(
    {
        "type": "record",
        "name": "Order",
        "fields": [
            {"name": "id", "type": "long"},
            {"name": "tags", "type": {"type": "array", "items": "string"}, "default": ["new"]},
            {"name": "of", "type": ["null", "Order"], "default": None},
            {
                "name": "kind",
                "type": {"type": "enum", "name": "Kind", "symbols": ["TEA", "TIN"]},
                "default": "TIN",
            },
        ],
    }
)


def encoded(schema, value):
    return AvroEncoder(parse_avro(schema, {})[0]).encode(value)


@pytest.mark.judge
@settings(max_examples=50)
@given(WITH_VALUES)
def test_fastavro_reads_what_is_written(drawn):
    schema, value = drawn
    data = io.BytesIO(encoded(json.dumps(schema), value))
    assert fastavro.schemaless_reader(data, fastavro.parse_schema(schema)) == value
    assert data.read() == b""


def test_what_a_record_does_not_have_takes_its_default():
    whole = {"id": 1, "tags": ["new"], "of": None, "kind": "TIN"}
    assert encoded(ORDER, {"id": 1}) == encoded(ORDER, whole)
    assert encoded(ORDER, {"id": 1, "of": {"id": 2}}) != encoded(ORDER, whole)


def test_a_pair_names_the_branch_of_a_union():
    schema = '["int", "long", {"type":"fixed","name":"F","size":1}]'
    assert encoded(schema, 5) == b"\x00\x0a"
    assert encoded(schema, ("long", 5)) == b"\x02\x0a"
    assert encoded(schema, b"x") == b"\x04x"


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({}, "id: it is missing"),
        ({"id": "1"}, "id: '1' is no long"),
        ({"id": 2**63}, "id: 9223372036854775808 is no long"),
        ({"id": True}, "id: True is no long"),
        ({"id": 1, "tags": ["a", 2]}, "tags.1: 2 is no string"),
        ({"id": 1, "tags": ["\ud800"]}, "tags.0: the text has half of a surrogate pair"),
        ({"id": 1, "tags": "ab"}, "tags: 'ab' is no array"),
        ({"id": 1, "of": {"id": ""}}, "of: {'id': ''} is none of null, Order"),
        ({"id": 1, "kind": "CUP"}, "kind: 'CUP' is no symbol of Kind"),
        ([], r"\[\] is no Order"),
    ],
)
def test_what_is_no_value_is_refused_with_its_place(value, sentence):
    with pytest.raises(DataError, match=f"^{sentence}$"):
        encoded(ORDER, value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ('"null"', 0),
        ('"boolean"', 1),
        ('"float"', 1e300),
        ('"double"', "1"),
        ('"bytes"', "a"),
        ('{"type":"map","values":"int"}', [1]),
        ('{"type":"map","values":"int"}', {1: 1}),
        ('{"type":"fixed","name":"F","size":2}', b"a"),
    ],
)
def test_each_type_takes_its_own_values_alone(schema, value):
    with pytest.raises(DataError):
        encoded(schema, value)


def test_a_value_that_holds_itself_is_refused():
    order: dict[str, object] = {"id": 1}
    order["of"] = order
    with pytest.raises(DataError, match="nested too deep"):
        encoded(ORDER, order)


@pytest.mark.parametrize(("number", "data"), [(0, "00"), (-1, "01"), (64, "8001")])
def test_numbers_are_zigzag(number, data):
    out = bytearray()
    zigzag(out, number)
    assert out.hex() == data
