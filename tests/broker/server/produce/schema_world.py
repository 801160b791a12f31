"""Topics that ask for schemas, a registry that is a table, and batches for them."""

from __future__ import annotations

from moldau.broker.metadata.settings import TOPIC
from moldau.broker.server.produce.schemas.checks import SchemaChecks
from moldau.errors import NetworkError
from moldau.protocol.messages.stored.metadata_cluster import ConfigRecord
from moldau.protocol.records.builder import BatchBuilder
from moldau.schemas.framing import id_frame
from moldau.schemas.kinds import language_of
from moldau.schemas.known import KnownSchema
from tests.broker.server.data_broker import DataBroker

ONE, TWO, PROTO, SEVEN = (id_frame(number) for number in (1, 2, 3, 7))
GOOD = ONE + b"\2"
INT = language_of("AVRO").parse('"int"', {})
RECORD = language_of("AVRO").parse('{"type":"record","name":"shop.R","fields":[]}', {})


LINE_NAME = "shop.Order.Line"
FILE = language_of("PROTOBUF").parse(
    """syntax = "proto3"; package shop;
    message Order { message Other {} message Line {} } message Bill {}""",
    {},
)


class Registry:
    """Schemas by their ids; None is a registry that does not answer."""

    def __init__(self):
        self.known = {
            1: KnownSchema(frozenset({"topic-value", "topic-key"}), INT),
            2: KnownSchema(frozenset({"shop.R", "topic-shop.R"}), RECORD),
            3: KnownSchema(
                frozenset(
                    start + name for start in ("", "topic-") for name in ("shop.Bill", LINE_NAME)
                ),
                FILE,
            ),
        }
        self.asked = []
        self.is_there = True

    async def find(self, schema):
        self.asked.append(schema)
        if not self.is_there:
            raise NetworkError("registry", "connection refused")
        return self.known.get(schema)


def values(*given, key=None):
    builder = BatchBuilder()
    for value in given:
        builder.append(1000, key, value)
    return builder.build()


def set_on(world: DataBroker, topic="topic", **given):
    """Settings of a topic, with `_` for `.`."""
    world.write(
        ConfigRecord(
            resource_type=TOPIC, resource_name=topic, name=name.replace("_", "."), value=value
        )
        for name, value in given.items()
    )


async def asking_topic(world: DataBroker, registry=None, **given):
    """A topic that asks for the schemas of values, and what the broker checks it with."""
    await world.topic("topic")
    await world.topic("other")
    set_on(world, confluent_value_schema_validation="true", **given)
    clock = world.broker.clock
    world.broker.schema_checks = SchemaChecks(clock, lambda: registry)
    return world.broker.schema_checks
