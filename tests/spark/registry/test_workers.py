"""Values are read by the schemas that they name, and rows written by that of a subject."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime

import pyarrow as pa
import pytest

from moldau.client.errors import SerializationError
from moldau.client.schemas import RegistryError, SchemaDeserializer, SchemaSerializer, SchemaText
from moldau.spark.registry.workers import (
    Target,
    decode,
    deserializer_of,
    encode,
    options_of,
    writer,
    writer_of,
)
from tests.client.schemas.simulated_registry import URL, SimulatedRegistry

OLD = '{"type":"record","name":"Order","fields":[{"name":"id","type":"int"}]}'
NEW = (
    '{"type":"record","name":"Order","fields":[{"name":"id","type":"int"},'
    '{"name":"gift","type":"boolean","default":false}]}'
)
TIMED = (
    '{"type":"record","name":"Timed","fields":[{"name":"at","type":'
    '{"type":"long","logicalType":"timestamp-micros"}},'
    '{"name":"tags","type":{"type":"map","values":"int"}}]}'
)
NOON = datetime(2026, 11, 23, 12, tzinfo=UTC)


@pytest.fixture
def registry():
    return SimulatedRegistry()


def written(registry, schema, value):
    return SchemaSerializer(registry, schema)("orders", value)


def test_each_value_is_read_by_its_own_schema(registry):
    values = [written(registry, OLD, {"id": 1}), None, written(registry, NEW, {"id": 2})]
    found = decode(SchemaDeserializer(registry), pa.array(values, pa.binary()))
    texts = ['{"id":1}', None, '{"id":2,"gift":false}']
    assert [row and row["text"] for row in found.to_pylist()] == texts
    found = decode(SchemaDeserializer(registry, NEW), pa.array(values[:1], pa.binary()))
    assert found.to_pylist() == [{"text": '{"id":1,"gift":false}', "problem": None}]


@pytest.mark.parametrize(
    ("value", "problem"),
    [(b"{}", "does not begin with the id"), (b"\0\0\0\0\x63\2", "40403"), (b"", "does not begin")],
)
def test_what_cannot_be_read_has_the_reason(registry, value, problem):
    (row,) = decode(SchemaDeserializer(registry), pa.array([value], pa.binary())).to_pylist()
    assert row["text"] is None
    assert problem in row["problem"]


def test_a_registry_that_fails_is_no_records_fault(registry):
    def refuse(work):
        raise RegistryError("it", 500, 50001, "no store")

    registry.ask = refuse
    with pytest.raises(RegistryError, match="no store"):
        decode(SchemaDeserializer(registry), pa.array([b"\0\0\0\0\1\2"]))


def test_rows_are_written_by_a_schema_that_is_registered_for_them(registry):
    write = writer(registry, Target("orders-value", TIMED, "AVRO"))
    row = {"at": NOON, "tags": {"a": 1}}
    kind = pa.struct(
        [("at", pa.timestamp("us", "UTC")), ("tags", pa.map_(pa.string(), pa.int32()))]
    )
    data = encode(write, pa.array([row, None], kind)).to_pylist()
    assert data[1] is None
    assert SchemaDeserializer(registry)("orders", data[0]) == row
    assert registry.latest("orders-value").schema.text


def test_without_a_schema_the_newest_of_the_subject_is_taken(registry):
    for schema in (OLD, NEW):
        registry.register("orders-value", SchemaText(schema))
    write = writer(registry, Target("orders-value", None, "AVRO"))
    assert SchemaDeserializer(registry)("orders", write({"id": 1, "gift": True}) or b"")["gift"]
    with pytest.raises(SerializationError, match="id: it is missing"):
        write({"gift": True})


def test_json_schema_gets_what_json_has(registry):
    schema = '{"type":"object","properties":{"at":{"type":"string"}}}'
    write = writer(registry, Target("orders-value", schema, "JSON"))
    data = write({"at": NOON})
    assert SchemaDeserializer(registry)("orders", data or b"") == {"at": NOON.isoformat()}


def test_a_worker_keeps_what_it_has_asked_for():
    options, target = options_of(URL), Target("orders-value", OLD, "AVRO")
    assert options == options_of({"url": URL})
    assert deserializer_of(options, None) is deserializer_of(
        *pickle.loads(pickle.dumps((options, None)))
    )
    assert writer_of(options, target) is writer_of(options, pickle.loads(pickle.dumps(target)))
