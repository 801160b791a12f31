"""Values to bytes by a schema of a registry."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from moldau.client.errors import InvalidArgumentError, SerializationError
from moldau.client.schemas import RegistryError, SchemaSerializer, SchemaText
from tests.client.schemas.simulated_registry import SimulatedRegistry

ORDER = '{"type":"record","name":"Order","namespace":"shop","fields":[{"name":"id","type":"int"}]}'


@dataclass
class Order:
    id: int


def test_the_registry_is_asked_once_for_each_topic():
    registry = SimulatedRegistry()
    serializer = SchemaSerializer(registry, ORDER)
    assert serializer("a", {"id": 1}) == b"\0\0\0\0\1\2"
    asked = registry.asked
    assert serializer("a", Order(2)) == b"\0\0\0\0\1\4"
    assert serializer("a", None) is None
    assert registry.asked == asked
    assert serializer("b", {"id": 1}) == b"\0\0\0\0\1\2"
    assert registry.subjects() == ["a-value", "b-value"]


@pytest.mark.parametrize(
    ("strategy", "subject"),
    [("topic", "a-key"), ("record", "shop.Order"), ("topic_record", "a-shop.Order")],
)
def test_subjects_are_named_by_their_strategy(strategy, subject):
    registry = SimulatedRegistry()
    SchemaSerializer(registry, ORDER, is_key=True, subject=strategy)("a", {"id": 1})
    assert registry.subjects() == [subject]


FILE = SchemaText(
    'syntax = "proto3"; package shop; message Order { message Line {} } message Bill {}', "PROTOBUF"
)


@pytest.mark.parametrize(("strategy", "start"), [("record", ""), ("topic_record", "a-")])
def test_a_message_of_protobuf_is_registered_under_its_own_name(strategy, start):
    registry = SimulatedRegistry()
    decode = registry.parsed(FILE).decoder()
    serializer = SchemaSerializer(registry, FILE, subject=strategy)
    for indexes in (b"\2\2", b"\4\0\0", b"\2\2"):
        assert serializer("a", decode(indexes)) == b"\0\0\0\0\1" + indexes
    assert registry.subjects() == [f"{start}shop.Bill", f"{start}shop.Order.Line"]
    assert serializer("a", {}) == b"\0\0\0\0\1\0"
    assert f"{start}shop.Order" in registry.subjects()
    with pytest.raises(SerializationError, match="no message of Protobuf"):
        serializer("a", 7)


def test_without_registering_the_schema_has_to_be_there():
    registry = SimulatedRegistry()
    with pytest.raises(RegistryError, match="not found"):
        SchemaSerializer(registry, ORDER, auto_register=False)("a", {"id": 1})
    SchemaSerializer(registry, ORDER)("a", {"id": 1})
    assert SchemaSerializer(registry, ORDER, auto_register=False)("a", {"id": 1})
    assert SchemaSerializer(registry, use_latest=True)("a", {"id": 1}) == b"\0\0\0\0\1\2"
    assert registry.versions("a-value") == [1]


def test_what_is_no_value_of_the_schema_is_refused_with_its_place():
    serializer = SchemaSerializer(SimulatedRegistry(), ORDER, is_key=True)
    with pytest.raises(SerializationError, match="a key for a is none of its schema: id: 'x' is"):
        serializer("a", {"id": "x"})


def test_a_schema_is_named_where_the_frame_is():
    registry = SimulatedRegistry()
    guid = registry.register("a-value", SchemaText(ORDER)).guid
    named = b"\1" + bytes.fromhex(guid.replace("-", ""))
    value = {"id": 1}
    assert SchemaSerializer(registry, ORDER, frame="guid")("a", value) == named + b"\2"
    header = SchemaSerializer(registry, ORDER, frame="header")
    assert header.serialize("a", value) == (b"\2", (("__value_schema_id", named),))
    with pytest.raises(InvalidArgumentError):
        header("a", value)


def test_arguments_that_mean_nothing_are_refused():
    with pytest.raises(InvalidArgumentError, match="needs a schema"):
        SchemaSerializer(SimulatedRegistry())
    with pytest.raises(InvalidArgumentError, match="one of id, guid, header"):
        SchemaSerializer(SimulatedRegistry(), ORDER, frame="x")
