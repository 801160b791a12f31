"""Avro's JSON, beside fastavro's reading and writing of it."""

from __future__ import annotations

import io
import json

import pytest

from moldau.schemas.avro.json_form import avro_json_decoder, avro_of_json
from moldau.schemas.avro.language import AVRO_LANGUAGE
from moldau.schemas.data_errors import DataError

SCHEMA = {
    "type": "record",
    "name": "shop.Order",
    "fields": [
        {"name": "id", "type": "long"},
        {"name": "what", "type": ["null", "string", "long"]},
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 4}},
        {"name": "at", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "mark", "type": {"type": "fixed", "name": "Mark", "size": 2}},
        {"name": "tags", "type": {"type": "array", "items": ["string", "Mark"]}},
        {"name": "more", "type": {"type": "map", "values": ["null", "shop.Mark"]}},
        {"name": "share", "type": "double", "default": 0.5},
    ],
}
VALUE = {
    "id": 7,
    "what": {"string": "tea"},
    "price": "\u0000\u00ff",
    "at": 1_700_000_000_000,
    "mark": "ab",
    "tags": [{"string": "x"}, {"shop.Mark": "\u00e4b"}],
    "more": {},
    "share": 0.25,
}
WHOLE = {**VALUE, "what": None, "more": {"next": {"shop.Mark": "cd"}, "none": None}}
PARSED = AVRO_LANGUAGE.parse(json.dumps(SCHEMA), {})


@pytest.mark.parametrize("value", [VALUE, WHOLE])
def test_json_is_the_bytes_that_fastavro_makes_of_it_and_comes_back(value):
    fastavro = pytest.importorskip("fastavro")
    schema = fastavro.parse_schema(json.loads(json.dumps(SCHEMA)))
    plain = json.loads(json.dumps(SCHEMA).replace('"logicalType"', '"kind"'))
    [read] = fastavro.json_reader(io.StringIO(json.dumps(value)), fastavro.parse_schema(plain))
    out = io.BytesIO()
    fastavro.schemaless_writer(out, schema, read)
    data = PARSED.json_encoder()(value).payload
    assert data == out.getvalue()
    assert PARSED.json_decoder()(data) == value


def test_a_record_may_hold_itself():
    fields = [{"name": "next", "type": ["null", "shop.Node"]}]
    text = json.dumps({"type": "record", "name": "shop.Node", "fields": fields})
    parsed = AVRO_LANGUAGE.parse(text, {})
    value = {"next": {"shop.Node": {"next": None}}}
    assert parsed.json_decoder()(parsed.json_encoder()(value).payload) == value


def test_a_field_that_is_not_there_takes_its_default():
    given = {name: value for name, value in VALUE.items() if name != "share"}
    data = PARSED.json_encoder()(given).payload
    assert PARSED.json_decoder()(data) == {**VALUE, "share": 0.5}


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity"])
def test_floats_that_json_has_no_number_for_are_text(text):
    parsed = AVRO_LANGUAGE.parse('"double"', {})
    assert avro_json_decoder(parsed.type).decode(parsed.json_encoder()(text).payload) == text


WRONG = {
    "what": ({"what": "tea"}, "an object of one name"),
    "what.boolean": ({"what": {"boolean": True}}, "boolean is no branch"),
    "price": ({"price": "\u0100"}, "above U"),
    "mark": ({"mark": 7}, "bytes are text"),
    "tags.0": ({"tags": [7]}, r"tags\.0"),
    "none": ({"none": 1}, "none: shop.Order has no such field"),
    "id": ({"id": "7"}, "id: '7' is no long"),
}


@pytest.mark.parametrize(("changed", "why"), WRONG.values(), ids=list(WRONG))
def test_what_is_not_of_the_schema_is_refused_with_its_place(changed, why):
    with pytest.raises(DataError, match=why):
        PARSED.json_encoder()({**VALUE, **changed})


def test_what_is_no_record_is_left_to_the_encoder():
    assert avro_of_json(PARSED.type)(7) == 7
    with pytest.raises(DataError, match=r"is no shop\.Order"):
        PARSED.json_encoder()(7)
