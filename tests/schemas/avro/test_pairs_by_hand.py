"""Versions of an order as people change them, each held against each: judged by Avro's checker."""

from __future__ import annotations

import json
from itertools import product

import pytest

from moldau.schemas.avro.language import AVRO_LANGUAGE

compatibility = pytest.importorskip("avro.compatibility", reason="avro is not installed")
judge_schema = pytest.importorskip("avro.schema", reason="avro is not installed")
pytestmark = pytest.mark.judge


def order(*fields, **more):
    return {"type": "record", "name": "Order", "fields": list(fields), **more}


def field(name, kind, **more):
    return {"name": name, "type": kind, **more}


def enum(*symbols, **more):
    return {"type": "enum", "name": "State", "symbols": list(symbols), **more}


def fixed(size, name="Hash"):
    return {"type": "fixed", "name": name, "size": size}


ID = field("id", "long")
LINE = {"type": "record", "name": "Line", "fields": [field("sku", "string")]}
LINE_WITH_COUNT = {**LINE, "fields": [*LINE["fields"], field("count", "int", default=1)]}
LINE_THAT_ASKS = {**LINE, "fields": [*LINE["fields"], field("count", "int")]}
TREE = order(ID, field("parts", {"type": "array", "items": "Order"}))
SCHEMAS = {
    "first": order(ID),
    "narrower id": order(field("id", "int")),
    "id as a float": order(field("id", "float")),
    "id as a double": order(field("id", "double")),
    "id as a text": order(field("id", "string")),
    "id as bytes": order(field("id", "bytes")),
    "id may be null": order(field("id", ["null", "long"])),
    "id may be text": order(field("id", ["long", "string"])),
    "a note": order(ID, field("note", "string")),
    "a note with a default": order(ID, field("note", "string", default="")),
    "a note or null": order(ID, field("note", ["null", "string"], default=None)),
    "a note in bytes": order(ID, field("note", "bytes", default="")),
    "renamed with an alias": order(field("number", "long", aliases=["id"])),
    "renamed without": order(field("number", "long")),
    "another name": {**order(ID), "name": "Purchase"},
    "another name with an alias": {**order(ID), "name": "Purchase", "aliases": ["Order"]},
    "in a namespace": order(ID, namespace="shop"),
    "a state": order(ID, field("state", enum("NEW", "PAID"), default="NEW")),
    "a state more": order(ID, field("state", enum("NEW", "PAID", "SENT"), default="NEW")),
    "a state with a default": order(
        ID, field("state", enum("NEW", "PAID", default="NEW"), default="NEW")
    ),
    "a hash": order(ID, field("hash", fixed(16), default="x" * 16)),
    "a longer hash": order(ID, field("hash", fixed(32), default="x" * 32)),
    "a hash of another name": order(ID, field("hash", fixed(16, "Md5"), default="x" * 16)),
    "lines": order(ID, field("lines", {"type": "array", "items": LINE}, default=[])),
    "lines with a count": order(
        ID, field("lines", {"type": "array", "items": LINE_WITH_COUNT}, default=[])
    ),
    "lines that ask for a count": order(
        ID, field("lines", {"type": "array", "items": LINE_THAT_ASKS}, default=[])
    ),
    "lines in a map": order(ID, field("lines", {"type": "map", "values": LINE}, default={})),
    "a tree": TREE,
    "no record": "long",
    "a union of orders and nothing": ["null", order(ID)],
}
PAIRS = [*product(SCHEMAS, SCHEMAS)]


def test_there_are_more_than_five_hundred_pairs():
    assert len(PAIRS) > 500


def judged(reader, writer):
    checker = compatibility.ReaderWriterCompatibilityChecker()
    given = (judge_schema.parse(json.dumps(SCHEMAS[name])) for name in (reader, writer))
    found = checker.get_compatibility(*given)
    return found.compatibility is compatibility.SchemaCompatibilityType.compatible


def ours(reader, writer):
    parse = AVRO_LANGUAGE.parse
    given = (parse(json.dumps(SCHEMAS[name]), {}) for name in (reader, writer))
    return AVRO_LANGUAGE.differences(*given)


def test_each_pair_is_as_avro_has_it():
    wrong = [
        (reader, writer)
        for reader, writer in PAIRS
        if judged(reader, writer) is bool(ours(reader, writer))
    ]
    assert wrong == []


def test_both_verdicts_are_among_them_and_what_breaks_has_a_rule_and_a_path():
    found = [ours(reader, writer) for reader, writer in PAIRS]
    assert 100 < sum(not one for one in found) < len(PAIRS) - 100
    assert all(one.rule and one.path.startswith("/") for some in found for one in some)
