"""Versions of an order as people change them, each held against each: judged by documents.

A document that the writer's schema accepts and the reader's does not is lost: where nothing
differs, none is. Where something differs and none of our documents is lost, it is by a rule that
forbids on principle, of which Confluent's registry has some.
"""

from __future__ import annotations

import json
from functools import cache
from itertools import product
from typing import Any

import pytest

from moldau.schemas.json_schema.language import JSON_LANGUAGE

jsonschema = pytest.importorskip("jsonschema", reason="jsonschema is not installed")
pytestmark = pytest.mark.judge


def order(required=(), *, closed=False, **properties):
    more = {"additionalProperties": False} if closed else {}
    return {"type": "object", "properties": properties, "required": list(required), **more}


TEXT, WHOLE, NUMBER = {"type": "string"}, {"type": "integer"}, {"type": "number"}
LINE = order(("sku",), sku=TEXT)
SCHEMAS = {
    "first": order(id=WHOLE),
    "closed": order(id=WHOLE, closed=True),
    "id required": order(("id",), id=WHOLE),
    "id as a number": order(id=NUMBER),
    "id as a text": order(id=TEXT),
    "id or null": order(id={"type": ["integer", "null"]}),
    "id from 1": order(id={"type": "integer", "minimum": 1}),
    "id from 5": order(id={"type": "integer", "minimum": 5}),
    "id up to 9": order(id={"type": "integer", "maximum": 9}),
    "even ids": order(id={"type": "integer", "multipleOf": 2}),
    "ids by four": order(id={"type": "integer", "multipleOf": 4}),
    "a note": order(id=WHOLE, note=TEXT),
    "a note, closed": order(id=WHOLE, note=TEXT, closed=True),
    "a note required": order(("note",), id=WHOLE, note=TEXT),
    "a short note, closed": order(id=WHOLE, note={**TEXT, "maxLength": 3}, closed=True),
    "a long note, closed": order(id=WHOLE, note={**TEXT, "minLength": 2}, closed=True),
    "a state, closed": order(id=WHOLE, state={"enum": ["NEW", "PAID"]}, closed=True),
    "a state more, closed": order(id=WHOLE, state={"enum": ["NEW", "PAID", "SENT"]}, closed=True),
    "lines, closed": order(id=WHOLE, lines={"type": "array", "items": LINE}, closed=True),
    "few lines, closed": order(
        id=WHOLE, lines={"type": "array", "items": LINE, "maxItems": 1}, closed=True
    ),
    "lines or one, closed": order(
        id=WHOLE, lines={"anyOf": [LINE, {"type": "array", "items": LINE}]}, closed=True
    ),
    "anything": True,
    "nothing": False,
    "no object": TEXT,
    "two kinds": {"oneOf": [TEXT, order(id=WHOLE)]},
    "other properties are texts": {**order(id=WHOLE), "additionalProperties": TEXT},
}
PAIRS = [*product(SCHEMAS, SCHEMAS)]
IDS: tuple[Any, ...] = (None, 0, 1, 2, 4, 6, 7, 8, 12, 1.5, "x")
NOTES: tuple[Any, ...] = ("", "ab", "abc", "abcdef", 1)
ONE_LINE = {"sku": "a"}
LINES: tuple[Any, ...] = ([], [ONE_LINE], [ONE_LINE, ONE_LINE], [{}], ONE_LINE, 1)
DOCUMENTS: tuple[Any, ...] = (
    None, 1, "text", [], {},
    *({"id": one} for one in IDS),
    *({"id": one, "note": "ab"} for one in IDS),
    *({"id": 8, "note": one} for one in NOTES),
    *({"id": 8, "state": one} for one in ("NEW", "SENT", "GONE")),
    *({"id": 8, "lines": one} for one in LINES),
    {"note": "ab"}, {"id": 8, "more": "text"}, {"id": 8, "more": 1},
    {"id": 8, "note": "ab", "more": 1},
)  # fmt: skip
ON_PRINCIPLE = frozenset(
    (
        "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL",
        "REQUIRED_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL",
        "PROPERTY_ADDED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
        "PROPERTY_REMOVED_NOT_COVERED_BY_PARTIALLY_OPEN_CONTENT_MODEL",
    )
)


def test_there_are_more_than_five_hundred_pairs():
    assert len(PAIRS) > 500


@cache
def accepted(name):
    validator = jsonschema.Draft202012Validator(SCHEMAS[name])
    return {index for index, one in enumerate(DOCUMENTS) if validator.is_valid(one)}


def rules(reader, writer):
    new, old = (JSON_LANGUAGE.parse(json.dumps(SCHEMAS[name]), {}) for name in (reader, writer))
    return {one.rule for one in JSON_LANGUAGE.differences(new, old)}


def test_where_nothing_differs_no_document_is_lost():
    for reader, writer in PAIRS:
        if not rules(reader, writer):
            lost = accepted(writer) - accepted(reader)
            assert [DOCUMENTS[one] for one in lost] == [], (reader, writer)


def test_where_something_differs_a_document_is_lost_or_it_is_on_principle():
    strict = {
        (reader, writer): found
        for reader, writer in PAIRS
        if (found := rules(reader, writer)) and not accepted(writer) - accepted(reader)
    }
    assert {pair: found for pair, found in strict.items() if found.isdisjoint(ON_PRINCIPLE)} == {}
