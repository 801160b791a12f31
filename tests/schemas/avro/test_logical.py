"""Logical types, judged by fastavro."""

from __future__ import annotations

import datetime
import io
import json
import uuid
from decimal import Decimal

import pytest

from moldau.schemas.avro.encoding import AvroEncoder
from moldau.schemas.avro.logical import logical_of
from moldau.schemas.avro.parsing import parse_avro
from moldau.schemas.avro.resolving import avro_decoder
from moldau.schemas.data_errors import DataError

fastavro = pytest.importorskip("fastavro", reason="fastavro is not installed")

MOMENT = datetime.datetime(1969, 7, 20, 20, 17, 40, 123000, tzinfo=datetime.UTC)
FIXED = {"type": "fixed", "name": "F", "size": 4}


def logical(kind, name, **more):
    below = kind if isinstance(kind, dict) else {"type": kind}
    return {**below, "logicalType": name, **more}


@pytest.mark.judge
@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (logical("int", "date"), datetime.date(1969, 7, 20)),
        (logical("int", "time-millis"), datetime.time(20, 17, 40, 123000)),
        (logical("long", "time-micros"), datetime.time(20, 17, 40, 123456)),
        (logical("long", "timestamp-millis"), MOMENT),
        (logical("long", "timestamp-micros"), MOMENT.replace(microsecond=123456)),
        (logical("long", "local-timestamp-millis"), MOMENT.replace(tzinfo=None)),
        (logical("long", "local-timestamp-micros"), MOMENT.replace(tzinfo=None)),
        (logical("string", "uuid"), uuid.UUID(int=7)),
        (logical("bytes", "decimal", precision=6, scale=2), Decimal("-327.67")),
        (logical("bytes", "decimal", precision=6, scale=2), Decimal("1.28")),
        (logical(FIXED, "decimal", precision=6, scale=2), Decimal("-12.34")),
    ],
)
def test_values_are_those_of_fastavro(schema, value):
    kind = parse_avro(json.dumps(schema), {})[0]
    out = io.BytesIO()
    fastavro.schemaless_writer(out, fastavro.parse_schema(schema), value)
    assert AvroEncoder(kind).encode(value) == out.getvalue()
    assert avro_decoder(kind).decode(out.getvalue()) == value


def test_a_name_that_does_not_fit_its_type_means_nothing():
    assert logical_of(parse_avro('{"type":"string","logicalType":"date"}', {})[0]) is None
    kind = parse_avro('{"type":"bytes","logicalType":"decimal"}', {})[0]
    assert avro_decoder(kind).decode(b"\x02a") == b"a"


@pytest.mark.parametrize(
    ("schema", "value", "sentence"),
    [
        (logical("bytes", "decimal", precision=4, scale=2), Decimal("1.234"), "more than 2 digits"),
        (logical(FIXED, "decimal", precision=20), Decimal(2**31), "does not fit 4 bytes"),
        (logical("long", "timestamp-millis"), datetime.datetime(1970, 1, 1), "no time zone"),
    ],
)
def test_what_cannot_be_kept_is_refused(schema, value, sentence):
    with pytest.raises(DataError, match=sentence):
        AvroEncoder(parse_avro(json.dumps(schema), {})[0]).encode(value)


@pytest.mark.parametrize(
    ("schema", "data"),
    [
        (logical("long", "timestamp-millis"), b"\xfe\xff\xff\xff\xff\xff\xff\xff\x7f"),
        (logical("int", "date"), b"\xff\xff\xff\xff\x0f"),
        (logical("string", "uuid"), b"\x02a"),
    ],
)
def test_numbers_that_are_no_time_are_refused(schema, data):
    with pytest.raises(DataError):
        avro_decoder(parse_avro(json.dumps(schema), {})[0]).decode(data)
