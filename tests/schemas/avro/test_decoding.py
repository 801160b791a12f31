"""Avro's bytes to values, judged by fastavro; bytes that are none are refused."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from moldau.schemas.avro.encoding import AvroEncoder
from moldau.schemas.avro.parsing import parse_avro
from moldau.schemas.avro.resolving import avro_decoder
from moldau.schemas.data_errors import DataError
from tests.schemas.avro.drawn import SCHEMAS, WITH_VALUES

fastavro = pytest.importorskip("fastavro", reason="fastavro is not installed")


def decoder(schema):
    return avro_decoder(parse_avro(schema, {})[0])


@pytest.mark.judge
@settings(max_examples=50)
@given(WITH_VALUES)
def test_what_fastavro_wrote_is_read(drawn):
    schema, value = drawn
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
    assert decoder(json.dumps(schema)).decode(out.getvalue()) == value


@given(SCHEMAS, st.binary(max_size=30))
def test_bytes_are_a_value_or_an_error(schema, data):
    kind = parse_avro(json.dumps(schema), {})[0]
    try:
        value = avro_decoder(kind).decode(data)
    except DataError:
        return
    again = avro_decoder(kind).decode(AvroEncoder(kind).encode(value))
    assert repr(again) == repr(value)


@pytest.mark.parametrize(
    ("schema", "data", "sentence"),
    [
        ('"long"', "", "end too early"),
        ('"long"', "0200", "1 bytes are left"),
        ('"long"', "ff" * 11, "more than ten bytes"),
        ('"int"', "ffffffff7f", "is no int"),
        ('"boolean"', "02", "2 is no boolean"),
        ('"string"', "0261", None),
        ('"string"', "02ff", "not UTF-8"),
        ('"string"', "0861", "end too early"),
        ('"string"', "01", "end too early"),
        ('"double"', "00", "end too early"),
        ('["null"]', "02", "no branch 1"),
        ('{"type":"enum","name":"E","symbols":["A"]}', "02", "no symbol 1"),
        ('{"type":"array","items":"null"}', "feffffffffffffff7f", "end too early"),
        ('{"type":"map","values":"null"}', "feffffffffffffff7f", "end too early"),
        ('{"type":"array","items":"int"}', "010202" + "00", None),
        ('{"type":"fixed","name":"F","size":2}', "00", "end too early"),
        (
            '{"type":"record","name":"R","fields":[{"name":"a","type":"int"},'
            '{"name":"b","type":"string"}]}',
            "020461",
            "^b: the bytes end too early$",
        ),
    ],
)
def test_what_is_wrong_is_named(schema, data, sentence):
    if sentence is None:
        decoder(schema).decode(bytes.fromhex(data))
        return
    with pytest.raises(DataError, match=sentence):
        decoder(schema).decode(bytes.fromhex(data))


def test_records_that_hold_themselves_too_deep_are_refused():
    schema = (
        '{"type":"record","name":"R","fields":[{"name":"of","type":["null","R"],"default":null}]}'
    )
    with pytest.raises(DataError, match="nested too deep"):
        decoder(schema).decode(b"\x02" * 100_000)


NULLS = '{"type":"array","items":{"type":"array","items":"null"}}'


def nulls(*counts):
    """Arrays of so many nulls, in one array."""
    inner = b"".join(long_of(count) + b"\0" for count in counts)
    return long_of(len(counts)) + inner + b"\0"


def long_of(number):
    return AvroEncoder(parse_avro('"long"', {})[0]).encode(number)


def test_items_without_bytes_are_bounded_in_all_arrays_of_a_value_together():
    """Four bytes could claim a million of them, again and again."""
    decode = decoder(NULLS).decode
    assert [len(one) for one in decode(nulls(400_000, 500_000))] == [400_000, 500_000]
    assert len(decode(nulls(900_000))) == 1, "each value begins anew"
    with pytest.raises(DataError, match="end too early"):
        decode(nulls(*[400_000] * 3))
