"""References, and bounds of what is parsed."""

import json

from moldau.programs.registry.parsing import CHARACTERS_MAX
from tests.programs.registry.asked import record


def reference(subject, name=None, version=1):
    return {"name": name or subject, "subject": subject, "version": version}


def holding(name, *others):
    fields = [{"name": f"f{index}", "type": other} for index, other in enumerate(others)]
    return {"type": "record", "name": name, "fields": fields}


def test_references_of_references_are_there_too(ask):
    ask.register("a", holding("A"))
    ask.register("b", holding("B", "A"), references=[reference("a", "A")])
    status, _ = ask.register("c", holding("C", "B", "A"), references=[reference("b", "B")])
    assert status == 200


def test_a_reference_to_what_is_not_there_is_refused(ask):
    status, body = ask.register("b", holding("B", "A"), references=[reference("a", "A")])
    assert (status, body["error_code"]) == (404, 40401)
    assert ask.register("b", holding("B", "A"))[1]["error_code"] == 42201
    assert ask.register("b", record("a"), references=[{"name": "x"}])[1]["error_code"] == 42201
    assert ask.store.records == []


def test_a_schema_of_many_megabytes_is_refused_before_it_is_parsed(ask):
    text = json.dumps({"type": "int", "doc": "x" * CHARACTERS_MAX})
    assert ask.register("s", text)[1]["error_code"] == 42209


def test_a_schema_that_is_nested_deep_is_refused(ask):
    deep = '{"type":"array","items":' * 5000 + '"int"' + "}" * 5000
    assert ask.register("s", deep)[1]["error_code"] == 42201
    assert ask.store.records == []


def test_a_reference_that_only_leads_to_itself_is_refused(ask):
    for schema in ({"$ref": "#"}, {"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}):
        assert ask.register("s", schema, schemaType="JSON")[1]["error_code"] == 42201
    imports = 'syntax = "proto3"; import "default"; message A {}'
    assert ask.register("s", imports, schemaType="PROTOBUF")[1]["error_code"] == 42201
    assert ask.store.records == []


def test_an_expression_that_would_explode_is_stored_and_compared_and_not_run(ask):
    pattern = {"type": "string", "pattern": "(a+)+$", "default": "a" * 5000 + "!"}
    assert ask.register("s", pattern, schemaType="JSON")[0] == 200
    assert ask.register("s", {**pattern, "title": "b"}, schemaType="JSON")[0] == 200


def test_what_a_schema_refers_to_is_in_its_own_context(ask):
    ask.register("inner", record("wrong", name="Inner"))
    ask.register(":.x:inner", record("right", name="Inner"))
    outer = {"type": "record", "name": "R", "fields": [{"name": "f", "type": "Inner"}]}
    references = [{"name": "Inner", "subject": "inner", "version": 1}]
    assert ask.register(":.x:outer", outer, references=references)[0] == 200
    assert ask.register("outer", outer, references=references)[0] == 200

    def resolved(subject):
        return ask("GET", f"/subjects/{subject}/versions/1?format=resolved")[1]["schema"]

    assert "right" in resolved(":.x:outer")
    assert "wrong" in resolved("outer")
    assert ask("GET", "/subjects/:.x:inner/versions/1/referencedby") == (200, [2])
    assert ask.code("DELETE", "/subjects/:.x:inner/versions/1") == 42206
    ask("DELETE", "/subjects/outer")
    assert ask("DELETE", "/subjects/inner/versions/1") == (200, 1)


def test_a_reference_into_another_context_goes_on_there(ask):
    ask.register(":.y:leaf", record("a", name="Leaf"))
    middle = {"type": "record", "name": "Middle", "fields": [{"name": "f", "type": "Leaf"}]}
    leaf = {"name": "Leaf", "subject": "leaf", "version": 1}
    assert ask.register(":.y:middle", middle, references=[leaf])[0] == 200
    outer = {"type": "record", "name": "R", "fields": [{"name": "f", "type": "Middle"}]}
    reference = {"name": "Middle", "subject": ":.y:middle", "version": 1}
    assert ask.register("outer", outer, references=[reference])[0] == 200
