"""Rules in CEL check values and fields, and change them."""

from __future__ import annotations

import json

import pytest

from moldau.platform.simulated.clock import SimulatedClock
from moldau.schemas.data_errors import DataError
from moldau.schemas.kinds import language_of
from moldau.schemas.model import SchemaText
from moldau.schemas.rules import READ, WRITE, Record, Scene, rules_of

pytest.importorskip("celpy", reason="cel-python is not installed")
cel = pytest.importorskip("moldau.schemas.cel")

AVRO = {
    "type": "record", "name": "n.Order", "fields": [
        {"name": "id", "type": "int"},
        {"name": "name", "type": "string", "confluent:tags": ["PII"]},
        {"name": "note", "type": ["null", "string"], "default": None},
        {"name": "price", "type": "double"},
        {"name": "tags", "type": {"type": "array", "items": "string"}},
        {"name": "photo", "type": "bytes"},
        {"name": "is_new", "type": "boolean"},
    ],
}  # fmt: skip
VALUE = {
    "id": 1, "name": "Anna", "note": None, "price": 1.5, "tags": ["a", "bb"], "photo": b"p",
    "is_new": True,
}  # fmt: skip
PROTO = 'syntax = "proto3"; message M { string name = 1; int32 n = 2; map<string, int64> m = 3; }'


def ran(
    value, expression, *, kind="CONDITION", of="CEL", tags=(), schema=None, mode=WRITE, most=None
):
    text, language = schema or (json.dumps(AVRO), "AVRO")
    rule = {
        "name": "r", "type": of, "kind": kind, "mode": "WRITEREAD", "tags": list(tags),
        "expr": expression,
    }  # fmt: skip
    parsed = language_of(language).parse(text, {})
    given = SchemaText(text, language, rule_set={"domainRules": [rule]})
    rules = [cel.CelRules(SimulatedClock(), steps_max=most)]
    on_values = rules_of(given, Scene(parsed, "s", mode), rules).on_values
    assert on_values is not None
    return on_values(value, Record("t", value))


@pytest.mark.parametrize(
    "expression",
    [
        "message.id == 1 && size(message.name) == 4 && message.price > 1.0",
        "message.note == null",
        "message.is_new && message.photo == b'p' && message.tags.exists(t, t == 'bb')",
        "message.id == 2 ; message.name == 'carol'",
        "; message.id == 1",
        "now > timestamp('1970-01-01T00:00:00Z') || message.id == 1",
        "'a@b.c'.isEmail() && !message.name.isUuid()",
    ],
)
def test_a_condition_that_holds_passes_the_value(expression):
    assert ran(VALUE, expression) is VALUE


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("message.id == 2", "by the rule 'r': message.id == 2"),
        ("message.id == 1 ; message.name == 'carol'", "carol"),
        ("message.nothing == 1", "cannot be evaluated"),
        ("message.id ==", "is no expression of CEL"),
        (" ", "has no expression"),
    ],
)
def test_what_does_not_hold_or_means_nothing_is_refused(expression, reason):
    with pytest.raises(DataError, match=reason):
        ran(VALUE, expression)


def test_a_condition_of_fields_is_about_those_with_its_tags():
    assert ran(VALUE, "value == 'Anna'", of="CEL_FIELD", tags=["PII"]) is VALUE
    with pytest.raises(DataError, match=r"n\.Order\.name does not have"):
        ran(VALUE, "value != 'Anna'", of="CEL_FIELD", tags=["PII"])
    guarded = "typeName == 'STRING' && name == 'name' ; message.id == 1 && size(value) == 4"
    assert ran(VALUE, guarded, of="CEL_FIELD") is VALUE
    with pytest.raises(DataError, match=r"n\.Order\.note does not have"):
        ran(VALUE, "typeName == 'NULL' ; false", of="CEL_FIELD")


def test_fields_are_changed_to_plain_values():
    expression = "typeName == 'STRING' ; value + '-' + fullName"
    found = ran(VALUE, expression, kind="TRANSFORM", of="CEL_FIELD", mode=READ)
    assert found == {
        **VALUE, "name": "Anna-n.Order.name", "tags": ["a-n.Order.tags", "bb-n.Order.tags"]
    }  # fmt: skip
    assert type(found["name"]) is str


def test_a_whole_value_is_made_anew():
    found = ran(VALUE, "{'id': message.id + 1, 'new': true, 'l': [1.5, b'x']}", kind="TRANSFORM")
    assert found == {"id": 2, "new": True, "l": [1.5, b"x"]}
    assert [type(one) for one in found.values()] == [int, bool, list]


def test_messages_of_protobuf_have_their_defaults():
    schema = PROTO, "PROTOBUF"
    value = {"name": "a", "m": {"x": 2}}
    assert ran(value, "message.n == 0 && message.m['x'] == 2", schema=schema) is value
    with pytest.raises(DataError, match="does not have"):
        ran({}, "name == 'name' ; size(value) > 0", of="CEL_FIELD", schema=schema)
    found = ran(value, "{'name': message.name + 'b'}", kind="TRANSFORM", schema=schema)
    assert (found.name, found.n) == ("ab", 0)


LONG = {"id": 1, **VALUE, "tags": ["a"] * 100}
PAIRS = "message.tags.all(x, message.tags.all(y, x == y))"


def test_an_evaluation_ends_after_its_steps():
    assert ran(LONG, PAIRS) is LONG
    assert ran(VALUE, PAIRS.replace("==", "!= 'c' || x =="), most=1000) is VALUE
    with pytest.raises(DataError, match="it takes too many steps"):
        ran(LONG, PAIRS, most=1000)


def test_an_expression_that_is_nested_too_deeply_is_a_refusal():
    with pytest.raises(DataError, match="by the rule 'r'"):
        ran(VALUE, "!" * 3001 + "false")


def test_each_part_of_an_expression_is_a_step():
    expression = " && ".join(["message.id == 1"] * 3)
    assert ran(VALUE, expression, most=1000) is VALUE
    with pytest.raises(DataError, match="it takes too many steps"):
        ran(VALUE, expression, most=20)
