"""Bytes to values by the schema that they name."""

from __future__ import annotations

import pytest

from moldau.client.errors import SerializationError
from moldau.client.schemas import RegistryError, SchemaDeserializer, SchemaSerializer, SchemaText
from tests.client.schemas.simulated_registry import SimulatedRegistry

ORDER = '{"type":"record","name":"Order","fields":[{"name":"id","type":"int"}]}'
LARGER = (
    '{"type":"record","name":"Order","fields":[{"name":"id","type":"long"},'
    '{"name":"gift","type":"boolean","default":false}]}'
)


@pytest.fixture
def registry():
    found = SimulatedRegistry()
    found.register("a-value", SchemaText(ORDER))
    return found


def test_the_registry_is_asked_once_for_each_schema(registry):
    read = SchemaDeserializer(registry)
    assert read("a", b"\0\0\0\0\1\2") == {"id": 1}
    asked = registry.asked
    assert read("a", b"\0\0\0\0\1\4") == {"id": 2}
    assert registry.asked == asked


def test_values_are_as_the_reader_has_them(registry):
    read = SchemaDeserializer(registry, LARGER, into=lambda value: tuple(value.items()))
    assert read("a", b"\0\0\0\0\1\2") == (("id", 1), ("gift", False))


@pytest.mark.parametrize("frame", ["id", "guid", "header"])
def test_a_schema_is_found_where_it_is_named(registry, frame):
    written = SchemaSerializer(registry, ORDER, frame=frame).serialize("a", {"id": 1})
    data, headers = written
    assert data is not None
    assert SchemaDeserializer(registry).deserialize("a", data, headers) == {"id": 1}


class Subjects:
    """Notes the subject that each rule is run for."""

    types = ("NOTE",)

    def __init__(self):
        self.found = []

    def runner(self, rule, scene):
        def run(value):
            self.found.append((scene.subject, scene.mode))
            return value

        return run


def test_rules_are_run_for_the_subject_of_the_message_that_is_read():
    registry, noted = SimulatedRegistry(), Subjects()
    rules = {"domainRules": [{"name": "n", "type": "NOTE"}]}
    text = 'syntax = "proto3"; message A {} message B {}'
    file = SchemaText(text, "PROTOBUF", rule_set=rules)
    message = registry.parsed(file).decoder()(b"\2\2")
    data = SchemaSerializer(registry, file, subject="record", rules=[noted])("a", message)
    assert data is not None
    SchemaDeserializer(registry, subject="record", rules=[noted])("a", data)
    assert noted.found == [("B", "WRITE"), ("B", "READ")]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"{}", "does not begin with the id of a schema"),
        (b"\0\0\0\0\1", "id: the bytes end too early"),
        (b"\0\0\0\0\1\2\2", "1 bytes are left"),
    ],
)
def test_what_is_none_is_refused(registry, data, sentence):
    with pytest.raises(SerializationError, match=sentence):
        SchemaDeserializer(registry)("a", data)


def test_an_unknown_id_is_what_the_registry_refuses(registry):
    with pytest.raises(RegistryError, match="40403"):
        SchemaDeserializer(registry)("a", b"\0\0\0\0\7\2")


def test_a_reader_of_another_language_is_refused(registry):
    read = SchemaDeserializer(registry, SchemaText("true", "JSON"))
    with pytest.raises(SerializationError, match="written by a schema of AVRO"):
        read("a", b"\0\0\0\0\1\2")
