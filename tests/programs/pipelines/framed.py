"""Orders as confluent-kafka's serializers write them, by a schema of each type in a registry.

`amount` is what the schema takes for the type of an amount: a number, or a text, as a careless
producer would have it.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from moldau.schemas.protobuf.pools import read

avro = pytest.importorskip("confluent_kafka.schema_registry.avro")
json_schema = pytest.importorskip("confluent_kafka.schema_registry.json_schema")
protobuf = pytest.importorskip("confluent_kafka.schema_registry.protobuf")
pools = pytest.importorskip("google.protobuf.descriptor_pool")
factory = pytest.importorskip("google.protobuf.message_factory")
timestamps = pytest.importorskip("google.protobuf.timestamp_pb2")

Order = dict[str, Any]
FIELDS: dict[str, tuple[Any, Any, str]] = {
    "order_id": ("long", "integer", "int64"),
    **dict.fromkeys(("customer", "country", "city", "product"), ("string", "string", "string")),
    "quantity": ("int", "integer", "int32"),
    "amount": ("double", "number", "double"),
    **dict.fromkeys(
        ("coupon", "note"), (["null", "string"], ["null", "string"], "optional string")
    ),
}
"""Each with its type in Avro, in JSON Schema and in Protobuf; `ordered_at` is the last one."""
PROTO_HEAD = 'syntax = "proto3"; import "google/protobuf/timestamp.proto"; message Order {'


def by_avro(schemas: Any, amount: str = "double") -> Callable[[Order, Any], bytes]:
    at = {"type": "long", "logicalType": "timestamp-millis"}
    kinds = {name: kind for name, (kind, _, _) in FIELDS.items()} | {"amount": amount}
    fields = [{"name": name, "type": kind} for name, kind in {**kinds, "ordered_at": at}.items()]
    schema = json.dumps({"type": "record", "name": "Order", "fields": fields})
    serializer = avro.AvroSerializer(schemas, schema)
    return lambda order, about: serializer(order | {"ordered_at": _moment(order)}, about)


def by_json_schema(schemas: Any, amount: str = "number") -> Callable[[Order, Any], bytes]:
    at = {"type": "string", "format": "date-time"}
    kinds = {name: {"type": kind} for name, (_, kind, _) in FIELDS.items()}
    properties = kinds | {"amount": {"type": amount}, "ordered_at": at}
    schema = {"title": "Order", "type": "object", "properties": properties}
    serializer = json_schema.JSONSerializer(json.dumps(schema), schemas)
    return lambda order, about: serializer(order, about)


def by_protobuf(schemas: Any, amount: str = "double") -> Callable[[Order, Any], bytes]:
    kinds = {name: kind for name, (_, _, kind) in FIELDS.items()} | {"amount": amount}
    kinds["ordered_at"] = "google.protobuf.Timestamp"
    fields = [f"{kind} {name} = {at};" for at, (name, kind) in enumerate(kinds.items(), 1)]
    pool = pools.DescriptorPool()
    pool.AddSerializedFile(timestamps.DESCRIPTOR.serialized_pb)
    pool.Add(read("".join([PROTO_HEAD, *fields, "}"]), "order.proto")[0])
    kind = factory.GetMessageClass(pool.FindMessageTypeByName("Order"))
    serializer = protobuf.ProtobufSerializer(kind, schemas)

    def written(order: Order, about: Any) -> bytes:
        message = kind(**{name: value for name, value in order.items() if name != "ordered_at"})
        message.ordered_at.FromDatetime(_moment(order))
        found: bytes = serializer(message, about)
        return found

    return written


def _moment(order: Order) -> datetime:
    return datetime.fromisoformat(order["ordered_at"])
