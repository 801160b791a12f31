"""Levels and modes: the nearest scope has the word."""

import json

import pytest

from moldau.programs.registry.settings import config_of, level_of, mode_of
from moldau.schemas.levels import Level
from tests.programs.registry.asked import record


def test_a_subject_has_the_level_of_its_nearest_scope(ask):
    def level(subject):
        return level_of(ask.state, subject, Level.BACKWARD)

    assert level("s") is Level.BACKWARD
    ask("PUT", "/config", {"compatibility": "full"})
    ask("PUT", "/config/:.x:", {"compatibility": "NONE"})
    ask("PUT", "/config/:.x:s", {"compatibility": "FORWARD"})
    assert [level(name) for name in ("s", ":.x:t", ":.x:s")] == ["FULL", "NONE", "FORWARD"]


def test_what_is_not_given_stays_as_it_is(ask):
    ask("PUT", "/config/s", {"compatibility": "FULL", "normalize": True})
    answer = ask("PUT", "/config/s", {"compatibilityGroup": "major"})[1]
    assert list(answer.items()) == [
        ("normalize", True),
        ("compatibility", "FULL"),
        ("compatibilityGroup", "major"),
    ]
    found = config_of(ask.state, "s", Level.BACKWARD)
    assert found == {
        "compatibilityLevel": "FULL",
        "normalize": True,
        "compatibilityGroup": "major",
    }
    ask("PUT", "/config/s", {"normalize": None})
    assert "normalize" not in config_of(ask.state, "s", Level.BACKWARD)


@pytest.mark.parametrize(
    "body", [{"compatibility": "SOME"}, {"compatibility": 1}, {"normalize": 1}]
)
def test_what_is_no_level_is_refused(ask, body):
    assert ask.code("PUT", "/config", body) == 42203
    assert ask.store.records == []


def test_a_subject_that_is_read_only_takes_no_versions(ask):
    ask("PUT", "/mode/s", {"mode": "READONLY"})
    assert ask.register("s", record("a"))[1]["error_code"] == 42205
    assert ask.register("t", record("a"))[0] == 200
    assert ask.code("DELETE", "/subjects/s") == 42205


def test_a_mode_that_overrides_holds_for_all(ask):
    ask("PUT", "/mode/s", {"mode": "READWRITE"})
    ask("PUT", "/mode", {"mode": "READONLY_OVERRIDE"})
    assert mode_of(ask.state, "s") == "READONLY_OVERRIDE"


def test_importing_begins_where_nothing_is_unless_it_is_forced(ask):
    ask.register("s", record("a"))
    assert ask.code("PUT", "/mode", {"mode": "IMPORT"}) == 42205
    assert ask.code("PUT", "/mode/s", {"mode": "IMPORT"}) == 42205
    assert ask("PUT", "/mode/t", {"mode": "IMPORT"}) == (200, {"mode": "IMPORT"})
    assert ask("PUT", "/mode?force=true", {"mode": "import"}) == (200, {"mode": "IMPORT"})
    assert ask.code("PUT", "/mode", {"mode": "SIDEWAYS"}) == 42204


def test_what_is_deleted_softly_is_gone_when_importing_begins(ask):
    ask.register("s", record("a"))
    ask("DELETE", "/subjects/s")
    assert ask("PUT", "/mode/s", {"mode": "IMPORT"}) == (200, {"mode": "IMPORT"})
    assert ask.code("GET", "/schemas/ids/1") == 40403
    assert any(b"CLEAR_SUBJECT" in key for key, _ in ask.store.records)
    assert ask.register("s", record("b"), id=7, version=1)[1]["id"] == 7


def test_all_are_forwarded_or_none(ask):
    assert ask.code("PUT", "/mode/s", {"mode": "FORWARD"}) == 42204
    assert ask("PUT", "/mode", {"mode": "FORWARD"}) == (200, {"mode": "FORWARD"})
    assert ask.register("s", record("a"))[1]["error_code"] == 42205
    assert ask.register("s", record("a"), id=7)[1]["id"] == 7


def test_the_default_context_as_a_whole_is_all_of_them(ask):
    ask("PUT", "/config/:.:", {"compatibility": "NONE"})
    assert ask("GET", "/config") == (200, {"compatibilityLevel": "NONE"})
    assert ask("GET", "/config/:.:") == (200, {"compatibilityLevel": "NONE"})
    ask("PUT", "/mode/:.:", {"mode": "READONLY"})
    assert ask("GET", "/mode") == (200, {"mode": "READONLY"})


@pytest.mark.parametrize("name", ["__GLOBAL", "__EMPTY", ":.x:__GLOBAL"])
def test_reserved_names_have_no_settings(ask, name):
    assert ask.code("PUT", f"/config/{name}", {"compatibility": "NONE"}) == 42208
    assert ask.code("PUT", f"/mode/{name}", {"mode": "READONLY"}) == 42208


def test_the_global_context_holds_where_no_other_setting_does(ask):
    whole = ":.__GLOBAL:"
    assert ask("GET", f"/config/{whole}") == (200, {"compatibilityLevel": "BACKWARD"})
    assert ask("GET", f"/mode/{whole}") == (200, {"mode": "READWRITE"})
    ask("PUT", f"/config/{whole}", {"compatibility": "NONE"})
    assert ask("GET", "/config/:.x:s?defaultToGlobal=true")[1] == {"compatibilityLevel": "NONE"}
    ask("PUT", "/config", {"compatibility": "FULL"})
    assert ask("GET", "/config/s?defaultToGlobal=true")[1] == {"compatibilityLevel": "FULL"}
    assert ask.register(f"{whole}s", record("a"))[1]["error_code"] == 42208
    ask("PUT", f"/mode/{whole}", {"mode": "READONLY"})
    assert ask("GET", "/mode")[1] == {"mode": "READONLY"}
    assert ask.register("s", record("a"))[1]["error_code"] == 42205


def test_a_mode_of_null_is_no_mode_any_more(ask):
    ask("PUT", "/mode/s", {"mode": "READONLY"})
    assert ask("PUT", "/mode/s", {"mode": None}) == (200, {"mode": None})
    assert ask.code("GET", "/mode/s") == 40409
    assert ask.code("PUT", "/mode/s", {}) == 42204


RESERVED = {"properties": {"confluent:reserved": "old, gone"}}


def test_reserved_fields_stay_reserved_where_that_is_looked_at(ask):
    assert ask.register("t", record("old"), metadata=RESERVED)[0] == 200
    ask("PUT", "/config/s", {"validateFields": True})
    _, answer = ask.register("s", record("old"), metadata=RESERVED)
    assert answer["error_code"] == 40901
    assert "conflicts with the reserved field old" in answer["message"]
    assert ask.register("s", record("a"), metadata=RESERVED)[0] == 200
    other = {"properties": {"confluent:reserved": "old"}}
    _, answer = ask.register("s", record("a", "b="), metadata=other)
    assert "reserved field gone removed" in answer["message"]


def test_names_with_two_dollars_are_refused_where_fields_are_looked_at(ask):
    schema = {"type": "object", "properties": {"$$a": {"type": "string"}}}
    assert ask.register("t", schema, schemaType="JSON")[0] == 200
    ask("PUT", "/config/s", {"validateFields": True})
    assert ask.register("s", schema, schemaType="JSON")[1]["error_code"] == 42201


ODD_NAME = {"type": "record", "name": "a-b", "fields": [{"name": "f-g", "type": "int"}]}
ODD_FIELD = {"name": "f", "type": "int", "default": "one"}
ODD_DEFAULT = {"type": "record", "name": "R", "fields": [ODD_FIELD]}


@pytest.mark.parametrize("schema", [ODD_NAME, ODD_DEFAULT, {**ODD_NAME, "namespace": "o-n"}])
def test_names_and_defaults_of_avro_are_taken_as_they_are_where_validation_is_off(ask, schema):
    assert ask.register("s", schema)[1]["error_code"] == 42201
    ask("PUT", "/config/s", {"validateNewSchemas": False})
    assert ask.register("s", schema)[0] == 200
    ask("PUT", "/config/s", {"validateNewSchemas": None})
    later = {**schema, "doc": "again"}
    assert ask.register("s", later)[1]["error_code"] == 42201
    assert ask("POST", "/subjects/s", {"schema": json.dumps(schema)})[0] == 200
    assert ask.register("s", record("a"))[1]["error_code"] == 40901


def test_a_schema_that_is_imported_is_taken_as_it_is(ask):
    ask("PUT", "/mode/s", {"mode": "IMPORT"})
    assert ask.register("s", ODD_NAME, id=7, version=1)[1]["id"] == 7


def test_a_lenient_policy_lets_json_schemas_add_properties(ask):
    def register(*names):
        properties = {name: {"type": "string"} for name in names}
        return ask.register("s", {"type": "object", "properties": properties}, schemaType="JSON")

    assert register("a")[0] == 200
    status, refused = register("a", "b")
    assert status == 409
    assert "OPTIONAL_PROPERTY_ADDED_TO_OPEN_CONTENT_MODEL" in refused["message"]
    assert refused["message"].endswith("{validateFields: 'false', compatibility: 'BACKWARD'}]")
    assert ask("PUT", "/config/s", {"compatibilityPolicy": "lenient"})[1] == {
        "compatibilityPolicy": "LENIENT"
    }
    assert register("a", "b")[0] == 200
    assert ask("PUT", "/config/s", {"compatibilityPolicy": "SOME"}) == (200, {})
    assert register("a", "b", "c")[0] == 409
