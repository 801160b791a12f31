"""Classes are run, filled, and written and read by the schema that they come from."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import json

import pytest

from moldau.client.schemas.serializing import _plain
from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.of_types import made_as, schema_of_type
from tests.schemas.shapes.texts import AVRO, JSON, PROTOBUF, module_of, parsed, shown

AT = datetime.datetime(2026, 11, 23, tzinfo=datetime.timezone.utc)  # noqa: UP017


def test_a_dataclass_goes_through_its_own_schema_and_back(monkeypatch):
    written = module_of(monkeypatch, shown(AVRO, "AVRO", "dataclass"))
    order = written.Order(
        id=7, at=AT, price=decimal.Decimal("1.50"), lines=[written.Line(what="tea")]
    )
    assert (order.kind, order.first, order.tags) == (written.Kind.TIN, None, {})
    assert (order.either, order.raw) == (7, b"\xff")
    assert written.Order.__doc__ == "What was 'bought'"
    schema = parsed(AVRO)
    data = schema.encoder()(_plain(order)).payload
    assert made_as(written.Order, schema.decoder()(data)) == order


def test_the_schema_of_a_dataclass_is_the_one_that_it_was_written_from(monkeypatch):
    fields = (
        '{"name":"id","type":"long"},{"name":"what","type":["null","string"],"default":null},'
        '{"name":"many","type":{"type":"array","items":"double"}}'
    )
    text = f'{{"type":"record","name":"Order","fields":[{fields}]}}'
    written = module_of(monkeypatch, shown(text, "AVRO", "dataclass"))
    assert json.loads(schema_of_type(written.Order).text) == json.loads(text)


def test_models_of_pydantic_check_values_and_know_the_names_of_the_schema(monkeypatch):
    pydantic = pytest.importorskip("pydantic")
    written = module_of(monkeypatch, shown(JSON, "JSON", "pydantic"))
    given = {"id": 1, "lines": [{"what": "tea", "below": {}}], "first-line": {"what": "tin"}}
    order = written.Order.model_validate(given | {"class": True, "at": "2026-11-23T00:00:00Z"})
    assert (order.first_line.what, order.class_, order.at) == ("tin", True, AT)
    assert (order.lines[0].below.count, order.kind) == (3, "tea")
    found = order.model_dump(mode="json", exclude_none=True)
    assert (found["first-line"], found["class"]) == ({"what": "tin"}, True)
    schema = parsed(JSON, "JSON")
    assert schema.decoder()(schema.encoder()(found).payload) == found
    with pytest.raises(pydantic.ValidationError):
        written.Order.model_validate(given | {"kind": "coffee"})
    with pytest.raises(pydantic.ValidationError):
        written.Order.model_validate({"id": 1})


@pytest.mark.parametrize("form", ["dataclass", "pydantic"])
def test_every_message_of_a_file_is_a_class_with_its_defaults(monkeypatch, form):
    if form == "pydantic":
        pytest.importorskip("pydantic")
    written = module_of(monkeypatch, shown(PROTOBUF, "PROTOBUF", form))
    order = written.Bill(order=written.Order(id=2)).order
    assert (order.id, order.what, order.lines, order.tags) == (2, None, [], {})
    assert (order.kind, order.large, order.raw, order.count) == (written.Kind.TEA, 0, b"", None)


MUTUAL = (
    '{"type":"record","name":"A","fields":[{"name":"b","type":["null",{"type":"record","name":"B",'
    '"fields":[{"name":"a","type":["null","A"],"default":null}]}],"default":null}]}'
)


@pytest.mark.parametrize("form", ["dataclass", "pydantic"])
def test_classes_may_hold_each_other(monkeypatch, form):
    if form == "pydantic":
        pytest.importorskip("pydantic")
    written = module_of(monkeypatch, shown(MUTUAL, "AVRO", form))
    inner = written.A(b=written.B(a=written.A()))
    assert inner.b.a.b is None
    if form == "pydantic":
        assert written.B.model_validate({"a": {"b": {"a": None}}}).a.b == written.B()


NASTY = {
    "title": "int",
    "description": 'it ends: \'""" \n\\',
    "properties": {
        name: {"type": "string", "default": name}
        for name in (
            "str",
            "model_config",
            "_a",
            "json",
            "1st",
            "a b",
            "a_b",
            "é",
            "None",
            "datetime",
        )
    }
    | {"t": {"title": "9 lives", "properties": {}}, "e": {"enum": ["'", "\n"]}},
}


def test_no_name_or_text_of_a_schema_breaks_out_of_the_module(monkeypatch):
    pytest.importorskip("pydantic")
    written = module_of(monkeypatch, shown(json.dumps(NASTY), "JSON", "pydantic"))
    made = written.Int(t={}, e="\n")
    assert made.model_dump(exclude={"t", "e"}) == {
        name: name for name in NASTY["properties"] if name not in "te"
    }
    assert written.Int.__doc__ == NASTY["description"]
    with pytest.raises(InvalidSchemaError, match="is no name of Python: take pydantic"):
        shown(json.dumps(NASTY), "JSON", "dataclass")


def test_a_field_that_is_called_like_a_type_leaves_that_type_alone(monkeypatch):
    fields = '{"name":"int","type":"string","default":"x"},{"name":"other","type":"int"}'
    text = f'{{"type":"record","name":"str","fields":[{fields}]}}'
    made = module_of(monkeypatch, shown(text, "AVRO", "dataclass")).str2(other=1)
    assert dataclasses.asdict(made) == {"int": "x", "other": 1}
    assert schema_of_type(type(made)).text.count("long") == 1


def test_what_is_no_record_is_an_alias(monkeypatch):
    text = '{"type":"array","items":{"type":"enum","name":"E","symbols":["name","A"]}}'
    written = module_of(monkeypatch, shown(text, "AVRO", "dataclass"))
    assert written.Value == list[written.E]  # type: ignore[name-defined]  # it is made just now
    assert [one.value for one in written.E] == ["name", "A"]
