"""Fields of Avro's values, by their full names and tags."""

from __future__ import annotations

import json

from moldau.schemas.avro.changing import changed_avro
from moldau.schemas.avro.parsing import parse_avro

SCHEMA = {
    "type": "record", "name": "n.R", "fields": [
        {"name": "id", "type": "long", "confluent:tags": ["ID", "KEY"]},
        {"name": "maybe", "type": ["null", "string"], "default": None},
        {"name": "names", "type": {"type": "map", "values": {"type": "array", "items": "string"}}},
        {"name": "kind", "type": {"type": "enum", "name": "K", "symbols": ["A"]}},
        {"name": "next", "type": ["null", "R"], "default": None},
    ],
}  # fmt: skip
VALUE = {"id": 1, "maybe": None, "names": {"a": ["b"]}, "kind": "A"}


def test_each_value_in_a_field_is_changed_and_enums_and_the_given_value_are_not():
    kind, _ = parse_avro(json.dumps(SCHEMA), {})
    seen = {}

    def change(field, value):
        seen[field.name, field.kind] = field.tags
        assert field.holder["kind"] == "A"
        return value if value is None else f"<{value}>"

    given = {**VALUE, "next": {**VALUE, "maybe": "x"}}
    found = changed_avro(kind, given, change)
    assert found == {
        "id": "<1>", "maybe": None, "names": {"a": ["<b>"]}, "kind": "A",
        "next": {"id": "<1>", "maybe": "<x>", "names": {"a": ["<b>"]}, "kind": "A"},
    }  # fmt: skip
    assert given["names"] == {"a": ["b"]}
    assert seen == {
        ("n.R.id", "LONG"): frozenset(("ID", "KEY")),
        ("n.R.names", "STRING"): frozenset(),
        ("n.R.maybe", "NULL"): frozenset(),
        ("n.R.maybe", "STRING"): frozenset(),
    }


def test_what_is_in_no_field_stays_as_it_is():
    kind, _ = parse_avro('"string"', {})
    assert changed_avro(kind, "x", lambda *_: "changed") == "x"
