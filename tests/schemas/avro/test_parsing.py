"""What is a schema of Avro, judged by fastavro and by hand."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from moldau.schemas.avro.language import AVRO_LANGUAGE
from moldau.schemas.avro.parsing import parse_avro
from moldau.schemas.model import InvalidSchemaError
from tests.schemas.avro.drawn import TEXTS

fastavro = pytest.importorskip("fastavro", reason="fastavro is not installed")


@given(TEXTS)
def test_its_own_text_means_the_same_to_another_parser(text):
    canonical = AVRO_LANGUAGE.parse(text, {}).canonical
    assert fastavro.schema.to_parsing_canonical_form(
        json.loads(canonical)
    ) == fastavro.schema.to_parsing_canonical_form(json.loads(text))
    assert AVRO_LANGUAGE.parse(canonical, {}).canonical == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("{", "not JSON"),
        ("17", "No type"),
        ('"strin"', 'Undefined name: "strin"'),
        ("{}", "No type"),
        ('{"type":"array"}', "No items type"),
        ('{"type":"record","fields":[]}', "No name in schema"),
        ('{"type":"record","name":"a-b","fields":[]}', "Illegal character"),
        ('{"type":"record","name":"int","fields":[]}', "named after primitives"),
        ('{"type":"record","name":"R"}', "Record has no fields"),
        ('{"type":"record","name":"R","fields":[1]}', "is no object"),
        ('{"type":"record","name":"R","fields":[{"name":"a"}]}', "No field type"),
        ('{"type":"enum","name":"E","symbols":["A","A"]}', "Duplicate enum symbol"),
        ('{"type":"enum","name":"E"}', "no symbols"),
        ('{"type":"enum","name":"E","symbols":["A"],"default":"B"}', "Enum Default"),
        ('{"type":"fixed","name":"F","size":-1}', "no size"),
        ('["int","int"]', "Duplicate in union"),
        ('["int",["string"]]', "Nested union"),
        ("[" * 300 + "]" * 300, "nested"),
    ],
)
def test_what_is_no_schema_is_refused_with_the_reason(text, message):
    with pytest.raises(InvalidSchemaError, match=message):
        parse_avro(text, {})


@pytest.mark.parametrize("twice", ["x", "y"])
def test_a_name_is_defined_once(twice):
    field = '{"name":"%s","type":{"type":"fixed","name":"F","size":1}}'
    fields = ",".join((field % "x", field % twice))
    text = f'{{"type":"record","name":"R","fields":[{fields}]}}'
    with pytest.raises(InvalidSchemaError, match="Can't redefine: F"):
        parse_avro(text, {})


def test_a_reference_is_used_by_its_name_and_not_spelled_out():
    money = '{"type":"record","name":"Money","namespace":"shop","fields":[]}'
    text = (
        '{"type":"record","name":"Order","namespace":"shop","fields":[{"name":"m","type":"Money"}]}'
    )
    schema = AVRO_LANGUAGE.parse(text, {"shop.Money": money})
    assert schema.canonical == text
    assert money.replace(',"namespace":"shop"', "") in schema.formatted("resolved")
    with pytest.raises(InvalidSchemaError, match="Undefined name"):
        AVRO_LANGUAGE.parse(text, {})
