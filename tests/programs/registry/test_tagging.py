"""Tags go into a schema's text where its language has a place for them, and beside it otherwise."""

import json

from moldau.programs.registry.tagging import REGISTERED, with_tags
from moldau.schemas.model import SchemaText
from tests.programs.registry.asked import error_of, record


def changes(path, *tags):
    return [{"schemaEntity": {"entityType": "sr_field", "entityPath": path}, "tags": list(tags)}]


def test_a_schema_without_changes_is_the_same_one():
    schema = SchemaText(record("a"))
    assert with_tags(schema, {}) is schema
    assert with_tags(schema, {"tagsToAdd": changes("R.a", "X")}, REGISTERED) is schema


def test_tags_are_in_the_text_or_in_the_metadata():
    body = {"tagsToAdd": changes("R.a", "X", "Y"), "tagsToRemove": changes("R.a", "Y")}
    fields = json.loads(with_tags(SchemaText(record("a")), body).text)["fields"]
    assert fields[0]["confluent:tags"] == ["X"]
    text = SchemaText('syntax = "proto3"; message R { string a = 1; }', "PROTOBUF")
    assert with_tags(text, body).metadata == {"tags": {"R.a": ["X"]}}
    assert with_tags(text, body).text == text.text


def test_what_is_no_place_is_refused():
    for schema in (SchemaText(record("b")), SchemaText("{", "JSON")):
        body = {"tagsToAdd": changes("R.a", "X")}
        assert error_of(lambda body=body, schema=schema: with_tags(schema, body)) == 42201


def test_a_version_has_the_tags_of_the_one_before_it_where_that_is_asked_for(ask):
    asked = {"schemaTagsToAdd": changes("R.a", "PII")}
    assert ask.register("s", record("a"), **asked)[0] == 200
    wider = json.loads(record("a"))
    wider["fields"].append({"name": "z", "type": "string", "default": ""})
    assert ask.register("s", wider, propagateSchemaTags=True)[0] == 200
    found = json.loads(ask("GET", "/subjects/s/versions/2")[1]["schema"])["fields"]
    assert [one.get("confluent:tags") for one in found] == [["PII"], None]
    without = {**wider, "fields": wider["fields"][1:]}
    assert ask.register("s", without, propagateSchemaTags=True)[1]["error_code"] == 42201
    assert ask.register("s", without)[0] == 200
