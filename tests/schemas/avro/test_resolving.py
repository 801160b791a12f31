"""One schema wrote and another reads, judged by fastavro."""

from __future__ import annotations

import io
import json

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from moldau.schemas.avro.encoding import AvroEncoder
from moldau.schemas.avro.parsing import parse_avro
from moldau.schemas.avro.reading_rules import PROMOTIONS, avro_differences
from moldau.schemas.avro.resolving import avro_decoder
from moldau.schemas.data_errors import DataError
from tests.schemas.avro.drawn import WITH_VALUES

fastavro = pytest.importorskip("fastavro", reason="fastavro is not installed")


def kind_of(schema):
    return parse_avro(json.dumps(schema), {})[0]


def read(writer, reader, value):
    written, wanted = kind_of(writer), kind_of(reader)
    return avro_decoder(written, wanted).decode(AvroEncoder(written).encode(value))


def wider(schema):
    """Schemas that read what this one wrote."""
    if isinstance(schema, str):
        kinds = [name for name, others in PROMOTIONS.items() if schema in others]
        return st.sampled_from([schema, *kinds, [schema]])
    if isinstance(schema, list):
        without = "bytes" if "string" in schema else ""  # another branch than Java's would be taken
        return st.permutations([one for one in schema if one != without])
    inner = next((key for key in ("items", "values") if key in schema), None)
    if inner is not None:
        return wider(schema[inner]).map(lambda one: {**schema, inner: one})
    if "fields" not in schema:
        return st.just(schema)
    fields = [
        wider(one["type"]).map(lambda kind, one=one: {**one, "type": kind})
        for one in schema["fields"]
    ]
    more = {"name": "more", "type": {"type": "array", "items": "int"}, "default": [1]}
    return (
        st.tuples(*fields)
        .flatmap(
            lambda given: st.lists(
                st.sampled_from([*given, more]), unique_by=lambda one: one["name"]
            )
        )
        .map(lambda given: {**schema, "fields": given})
    )


PAIRS = WITH_VALUES.flatmap(lambda drawn: st.tuples(st.just(drawn), wider(drawn[0])))


@pytest.mark.judge
@settings(max_examples=50)
@given(PAIRS)
def test_fastavro_resolves_the_same(pair):
    (writer, value), reader = pair
    assume(not avro_differences(kind_of(reader), kind_of(writer)))
    data = AvroEncoder(kind_of(writer)).encode(value)
    given_schemas = fastavro.parse_schema(writer), fastavro.parse_schema(reader)
    try:
        theirs = fastavro.schemaless_reader(io.BytesIO(data), *given_schemas)
    except (UnicodeDecodeError, fastavro.read.SchemaResolutionError):
        return
    assert read(writer, reader, value) == theirs


def record(*fields, name="R"):
    return {"type": "record", "name": name, "fields": list(fields)}


ID = {"name": "id", "type": "int"}


@pytest.mark.parametrize(
    ("writer", "reader", "value", "found"),
    [
        ("int", "double", 3, 3.0),
        ("string", "bytes", "é", "é".encode()),
        ("bytes", "string", b"a", "a"),
        (["null", "int"], ["long", "null"], 3, 3),
        (["int", "string"], "int", 3, 3),
        (
            record(ID, {"name": "old", "type": "string"}),
            record(ID),
            {"id": 1, "old": ""},
            {"id": 1},
        ),
        (
            record(ID),
            record({"name": "number", "aliases": ["id"], "type": "long"}),
            {"id": 1},
            {"number": 1},
        ),
        (
            record(ID),
            record(ID, {"name": "tags", "type": {"type": "map", "values": "bytes"}, "default": {}}),
            {"id": 1},
            {"id": 1, "tags": {}},
        ),
        (
            {"type": "enum", "name": "E", "symbols": ["A", "B"]},
            {"type": "enum", "name": "E", "symbols": ["A"], "default": "A"},
            "B",
            "A",
        ),
    ],
)
def test_what_was_written_is_read_as_it_is_wanted(writer, reader, value, found):
    got = read(writer, reader, value)
    assert (got, type(got)) == (found, type(found))


@pytest.mark.parametrize(
    ("writer", "reader", "value", "sentence"),
    [
        ("string", "int", "a", "string cannot be read as int"),
        (["int", "string"], "int", "a", "string cannot be read as int"),
        ("int", ["string"], 1, "int is none of the reader's union"),
        ("bytes", "string", b"\xff", "no text in UTF-8"),
        (record(ID), record(ID, name="S"), {"id": 1}, "R cannot be read as S"),
        (record(ID), record({"name": "x", "type": "int"}), {"id": 1}, "x was not written"),
        (
            {"type": "enum", "name": "E", "symbols": ["A", "B"]},
            {"type": "enum", "name": "E", "symbols": ["A"]},
            "B",
            "E has no symbol B",
        ),
    ],
)
def test_what_cannot_be_read_is_refused(writer, reader, value, sentence):
    with pytest.raises(DataError, match=sentence):
        read(writer, reader, value)


def test_defaults_are_not_shared_between_values():
    wanted = record(ID, {"name": "t", "type": {"type": "array", "items": "int"}, "default": []})
    decoder = avro_decoder(kind_of(record(ID)), kind_of(wanted))
    decoder.decode(b"\x02")["t"].append(1)
    assert decoder.decode(b"\x02")["t"] == []
