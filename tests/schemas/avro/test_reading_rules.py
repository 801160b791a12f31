"""Who can read whom, judged by Avro's own checker for pairs that are drawn."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from moldau.schemas.avro.language import AVRO_LANGUAGE
from tests.schemas.avro.drawn import TEXTS

compatibility = pytest.importorskip("avro.compatibility", reason="avro is not installed")
judge_schema = pytest.importorskip("avro.schema", reason="avro is not installed")


def ours(reader, writer):
    parse = AVRO_LANGUAGE.parse
    return AVRO_LANGUAGE.differences(parse(reader, {}), parse(writer, {}))


def fields(*given):
    return json.dumps({"type": "record", "name": "R", "fields": list(given)})


@pytest.mark.judge
@given(TEXTS, TEXTS)
def test_the_checker_of_avro_agrees(reader, writer):
    checker = compatibility.ReaderWriterCompatibilityChecker()
    found = checker.get_compatibility(judge_schema.parse(reader), judge_schema.parse(writer))
    is_compatible = found.compatibility is compatibility.SchemaCompatibilityType.compatible
    assert (not ours(reader, writer)) == is_compatible, (reader, writer, found.messages)


@pytest.mark.parametrize(
    ("reader", "writer", "rule", "path"),
    [
        ('"int"', '"long"', "TYPE_MISMATCH", "/"),
        (
            fields({"name": "a", "type": "int"}),
            fields(),
            "READER_FIELD_MISSING_DEFAULT_VALUE",
            "/fields/0",
        ),
        (
            fields({"name": "a", "type": {"type": "array", "items": "int"}}),
            fields({"name": "a", "type": {"type": "array", "items": "string"}}),
            "TYPE_MISMATCH",
            "/fields/0/type/items",
        ),
        ('["int"]', '["string","int"]', "MISSING_UNION_BRANCH", "/0"),
        (
            '{"type":"enum","name":"E","symbols":["A"]}',
            '{"type":"enum","name":"E","symbols":["A","B"]}',
            "MISSING_ENUM_SYMBOLS",
            "/symbols",
        ),
        (
            '{"type":"fixed","name":"F","size":1}',
            '{"type":"fixed","name":"F","size":2}',
            "FIXED_SIZE_MISMATCH",
            "/size",
        ),
        (
            '{"type":"fixed","name":"F","size":1}',
            '{"type":"fixed","name":"G","size":1}',
            "NAME_MISMATCH",
            "/name",
        ),
    ],
)
def test_what_breaks_is_named_by_rule_and_path(reader, writer, rule, path):
    assert [(one.rule, one.path) for one in ours(reader, writer)] == [(rule, path)]


def test_an_alias_is_the_name_that_a_field_or_a_record_had():
    old = '{"type":"record","name":"Old","fields":[{"name":"a","type":"int"}]}'
    new = (
        '{"type":"record","name":"New","aliases":["Old"],'
        '"fields":[{"name":"b","type":"long","aliases":["a"]}]}'
    )
    assert ours(new, old) == []
    assert {one.rule for one in ours(old, new)} == {
        "NAME_MISMATCH",
        "READER_FIELD_MISSING_DEFAULT_VALUE",
    }


def test_records_that_hold_themselves_come_to_an_end():
    tree = (
        '{"type":"record","name":"T","fields":[{"name":"next","type":["null","T"]},'
        '{"name":"x","type":"%s"}]}'
    )
    assert ours(tree % "long", tree % "int") == []
    assert ours(tree % "int", tree % "long") != []
