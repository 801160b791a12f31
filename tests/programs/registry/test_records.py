"""Records as Confluent's registry writes them, byte by byte in their keys."""

import pytest

from moldau.programs.registry.records import (
    StoredSchema,
    config_record,
    delete_subject_record,
    mode_record,
    read_json,
    schema_record,
    stored_schema,
    tombstone,
)
from moldau.schemas.model import Reference, SchemaText

STORED = StoredSchema(
    "s",
    2,
    7,
    "g",
    SchemaText("{}", "JSON", (Reference("n", "o", 1),), {"tags": {}}, {"domainRules": []}),
    True,
)


@pytest.mark.parametrize(
    ("record", "key"),
    [
        (schema_record(STORED), b'{"keytype":"SCHEMA","subject":"s","version":2,"magic":1}'),
        (tombstone("s", 2), b'{"keytype":"SCHEMA","subject":"s","version":2,"magic":1}'),
        (config_record(None, {}), b'{"keytype":"CONFIG","subject":null,"magic":0}'),
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
