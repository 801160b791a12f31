"""Subjects and versions as the pages show them; changing them is in changes/test_schemas.py."""

import json
import uuid

import pytest

from moldau.programs.console.cluster.subjects import in_sentences

FIRST = '{"type":"record","name":"R","fields":[{"name":"a","type":"int"}]}'
SECOND = (
    '{"type":"record","name":"R","fields":[{"name":"a","type":"int"},'
    '{"name":"b","type":"string","default":""}]}'
)
BROKEN = (
    '{"type":"record","name":"R","fields":[{"name":"a","type":"int"},{"name":"b","type":"string"}]}'
)

OTHER = FIRST.replace('"int"', '"string"')


@pytest.fixture
def subject(console):
    """Of two versions; its name has a slash."""
    name = f"a/{uuid.uuid4().hex[:12]}-value"
    for schema in (FIRST, SECOND):
        console.run("register-schema", subject=name, schema=schema)
    return name


def path(subject):
    return f"/subjects/{subject.replace('/', '%2F')}"


def test_a_subject_has_a_row_with_its_newest_version(console, subject):
    (row,) = [row for row in console.get("/subjects")["rows"] if row[0] == subject]
    assert (row[1], row[3]) == (2, "AVRO")
    assert console.get("/subjects")["level"] == "BACKWARD"


def test_a_version_is_shown_with_what_it_refers_to_and_what_refers_to_it(console, subject):
    user = f"{subject}-user"
    reference = {"name": "R", "subject": subject, "version": 1}
    holder = {"type": "record", "name": "Holder", "fields": [{"name": "r", "type": "R"}]}
    console.run("register-schema", subject=user, schema=json.dumps(holder), references=[reference])
    shown = console.get(f"{path(user)}/versions/1")
    assert shown["references"] == [reference]
    assert console.get(f"{path(subject)}/versions/1")["referenced_by"] == [shown["id"]]


def test_what_may_follow_is_reported_with_its_reasons(console, subject):
    found = console.raw("POST", f"/api{path(subject)}/check", {"schema": OTHER})[2]
    assert "writer type: INT." in str(json.loads(found)["conflicts"])
    found = console.raw("POST", f"/api{path(subject)}/check", {"schema": FIRST})[2]
    assert json.loads(found) == {"conflicts": []}


def test_reasons_of_a_registry_are_sentences():
    assert in_sentences(
        [
            "{errorType:'A_B', description:'The field 'x' lacks a default', additionalInfo:'x'}",
            "{errorType:'C', description:'Another type', additionalInfo:'STRING for LONG'}",
            "{errorType:'D', description:'Of another kind at path '#/M/1''}",
            "{oldSchemaVersion: 2}",
            "{oldSchema: '{}'}",
            "{validateFields: 'false', compatibility: 'BACKWARD'}",
            "Empty schema",
        ]
    ) == [
        "The field 'x' lacks a default.",
        "Another type: STRING for LONG.",
        "Of another kind at path '#/M/1'.",
        "It was compared with version 2.",
        "Empty schema",
    ]


def test_no_reason_is_shown_in_the_notation_of_the_registry(console, subject):
    found = console.raw("POST", f"/api{path(subject)}/check", {"schema": OTHER})[2]
    assert "{" not in "".join(json.loads(found)["conflicts"])


def test_an_unknown_subject_and_no_schema_are_sentences(console):
    status, sentence = console.refusal("GET", "/subjects/no-such")
    assert (status, "no-such" in sentence) == (404, True)
    status, sentence = console.refusal("POST", "/subjects/any/check", {})
    assert (status, sentence) == (400, "schema is missing")
