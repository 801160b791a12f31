"""Tags of records and fields are found at their paths, added there and taken away."""

import json

import pytest

from moldau.schemas.inline_tags import Place, has_inline_tags, inline_tags, retagged
from moldau.schemas.model import InvalidSchemaError

AVRO = {
    "type": "record",
    "name": "Order",
    "namespace": "shop",
    "fields": [
        {"name": "card", "type": "string", "confluent:tags": ["PII"]},
        {
            "name": "lines",
            "type": {"type": "array", "items": {
                "type": "record", "name": "Line", "confluent:tags": ["L"],
                "fields": [{"name": "price", "type": ["null", "int"]}],
            }},
        },
        {"name": "more", "type": {"type": "map", "values": "shop.Line"}},
    ],
}  # fmt: skip
PERSON = {"type": "object", "properties": {"name": {"type": "string", "confluent:tags": ["PII"]}}}
JSON = {
    "type": "object",
    "confluent:tags": ["TOP"],
    "definitions": {"Person": PERSON},
    "properties": {
        "to": {"oneOf": [{"type": "null"}, PERSON]},
        "lines": {"type": "array", "items": {**PERSON, "confluent:tags": ["L"]}},
        "home": {"type": "object", "confluent:tags": ["H"], "properties": {}},
        "other": {"not": PERSON, "if": PERSON, "else": True},
    },
}


def test_avro_has_tags_at_records_and_fields():
    assert inline_tags("AVRO", json.dumps(AVRO)) == {
        Place("sr_field", "shop.Order.card"): ["PII"],
        Place("sr_record", "shop.Line"): ["L"],
    }


def test_json_schema_has_tags_along_its_document():
    assert inline_tags("JSON", json.dumps(JSON)) == {
        Place("sr_record", "object"): ["TOP"],
        Place("sr_field", "object.to.oneof.1.object.name"): ["PII"],
        Place("sr_record", "object.lines.array.object"): ["L"],
        Place("sr_field", "object.lines.array.object.name"): ["PII"],
        Place("sr_field", "object.home"): ["H"],
        Place("sr_field", "object.other.not.object.name"): ["PII"],
        Place("sr_field", "object.other.conditional.if.object.name"): ["PII"],
        Place("sr_field", "object.definitions.Person.object.name"): ["PII"],
    }


@pytest.mark.parametrize(
    ("kind", "document", "path"),
    [("AVRO", AVRO, "shop.Line.price"), ("JSON", JSON, "object.to")],
)
def test_tags_are_added_once_and_taken_away(kind, document, path):
    place, text = Place("sr_field", path), json.dumps(document)
    more = retagged(kind, text, [(place, ["A", "B"]), (place, ["B"])], [(place, ["A"])])
    assert inline_tags(kind, more) == {**inline_tags(kind, text), place: ["B"]}
    assert json.loads(retagged(kind, more, [], [(place, ["B"])])) == document
    with pytest.raises(InvalidSchemaError, match="no sr_record at"):
        retagged(kind, text, [(Place("sr_record", path), ["A"])], [])


def test_a_schema_that_is_no_record_has_no_places():
    assert inline_tags("AVRO", '"int"') == inline_tags("JSON", "true") == {}
    assert [has_inline_tags(kind) for kind in ("AVRO", "JSON", "PROTOBUF")] == [True, True, False]
