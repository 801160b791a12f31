"""Records as Confluent's registry writes them, byte by byte in their keys."""

from dataclasses import replace

import pytest

from moldau.programs.registry.records import (
    StoredSchema,
    clear_subject_record,
    config_record,
    context_record,
    delete_subject_record,
    mode_record,
    read_json,
    schema_record,
    stored_schema,
    tombstone,
)
from moldau.schemas.model import Reference, SchemaText, guid_of

STORED = StoredSchema(
    "s",
    2,
    7,
    "5e160ca9-5adc-1e80-62d7-8c0fe62644e7",
    SchemaText("{}", "JSON", (Reference("n", "o", 1),), {"tags": {}}, {"domainRules": []}),
    True,
)


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (schema_record(STORED), b'{"keytype":"SCHEMA","subject":"s","version":2,"magic":1}'),
        (tombstone("s", 2), b'{"keytype":"SCHEMA","subject":"s","version":2,"magic":1}'),
        (config_record(None, {}), b'{"keytype":"CONFIG","magic":0}'),
        (clear_subject_record(None), b'{"keytype":"CLEAR_SUBJECT","magic":0}'),
        (
            context_record(".x"),
            b'{"keytype":"CONTEXT","tenant":"default","context":".x","magic":0}',
        ),
        (mode_record("s", "IMPORT"), b'{"keytype":"MODE","subject":"s","magic":0}'),
        (delete_subject_record("s", 3), b'{"keytype":"DELETE_SUBJECT","subject":"s","magic":0}'),
    ],
)
def test_keys_have_their_fields_in_confluents_order(record, key):
    assert record.encoded()[0] == key


def test_a_schema_is_read_as_it_was_written():
    value = schema_record(STORED).value
    assert value is not None
    assert stored_schema(value) == STORED


def test_a_record_of_an_old_registry_is_avro_without_a_guid():
    found = stored_schema(
        {"subject": "s", "version": 1, "id": 1, "schema": '"int"', "deleted": False}
    )
    assert found.schema == SchemaText('"int"')
    assert len(found.guid) == 36


@pytest.mark.parametrize("data", [None, b"", b"{", b"\xff", b"[]"])
def test_what_is_no_object_is_none(data):
    assert read_json(data) is None


def test_a_guid_of_its_own_is_beside_a_schema_as_confluents_registry_has_it():
    value = schema_record(STORED).value
    assert value is not None
    assert (value["md5"], "guid" in value) == ("XhYMqVrcHoBi14wP5iZE5w==", False)
    schema = replace(STORED.schema, rule_set={"domainRules": [{"name": "r"}]})
    usual = STORED._replace(schema=schema, guid=guid_of(schema))
    plain = schema_record(usual).value
    assert plain is not None
    assert plain.keys() & {"md5", "guid"} == set()
    assert stored_schema(plain) == usual
    assert stored_schema({**plain, "guid": STORED.guid}).guid == STORED.guid
    assert stored_schema(value) == STORED
