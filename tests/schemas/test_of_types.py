"""Schemas of Python's types."""

from __future__ import annotations

import datetime
import json
from dataclasses import dataclass, field
from enum import Enum

import pytest

from moldau.schemas.kinds import language_of
from moldau.schemas.model import InvalidSchemaError
from moldau.schemas.of_types import made_as, schema_of_type


class Kind(Enum):
    TEA = 1
    TIN = 2


@dataclass
class Line:
    what: str
    kind: Kind = Kind.TEA


@dataclass
class Order:
    id: int
    at: datetime.datetime
    lines: list[Line]
    first: Line | None = None
    priority: int | None = 3
    tags: dict[str, float] = field(default_factory=dict)


def test_a_dataclass_is_a_record_of_avro_and_its_values_go_both_ways():
    schema = schema_of_type(Order)
    parsed = language_of(schema.kind).parse(schema.text, {})
    at = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
    value = {
        "id": 1,
        "at": at,
        "lines": [{"what": "a", "kind": "TIN"}],
        "tags": {"a": 1.5},
    }
    found = parsed.decoder()(parsed.encoder()(value).payload)
    order = Order(1, at, [Line("a", Kind.TIN)], None, 3, {"a": 1.5})
    assert made_as(Order, found) == order


def test_defaults_stand_in_the_first_branch():
    declared = {one["name"]: one for one in json.loads(schema_of_type(Order).text)["fields"]}
    assert declared["first"]["type"][0] == "null"
    assert (declared["priority"]["type"], declared["priority"]["default"]) == (["long", "null"], 3)
    assert "default" not in declared["id"]


class Model:
    @classmethod
    def model_json_schema(cls):
        return {"type": "object"}

    @classmethod
    def model_validate(cls, value):
        return ("made", value)


def test_a_model_has_a_json_schema_of_its_own():
    assert schema_of_type(Model).kind == "JSON"
    assert made_as(Model, {}) == ("made", {})


@dataclass
class Odd:
    what: complex


def test_a_type_that_no_schema_has_is_named():
    with pytest.raises(InvalidSchemaError, match=r"Odd\.what has the type"):
        schema_of_type(Odd)
    with pytest.raises(InvalidSchemaError, match="int is neither a dataclass"):
        schema_of_type(int)
