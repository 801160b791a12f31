"""What our serializers write confluent-kafka's deserializers read, and the other way round."""

from __future__ import annotations

import decimal
import json
import pickle
import uuid
from dataclasses import dataclass
from enum import Enum
from io import StringIO

import pytest

from moldau.client import Consumer, Producer
from moldau.client.schemas import (
    Reference,
    RegisteredTopic,
    RegistryClient,
    SchemaDeserializer,
    SchemaSerializer,
    SchemaText,
)
from moldau.platform.system.clock import SystemClock
from moldau.platform.system.files import SystemFiles
from moldau.platform.system.randomness import SystemRandom
from moldau.programs.tools.command import World
from moldau.programs.tools.main import run_command
from tests.interop.registry.order_message import MONEY as PROTO_MONEY
from tests.interop.registry.order_message import ORDER as PROTO_ORDER

client = pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
avro = pytest.importorskip("confluent_kafka.schema_registry.avro", reason="fastavro is missing")
json_schema = pytest.importorskip("confluent_kafka.schema_registry.json_schema")
protobuf = pytest.importorskip("confluent_kafka.schema_registry.protobuf")
serialization = pytest.importorskip("confluent_kafka.serialization")
pytestmark = pytest.mark.judge

PRICE = '{"type":"bytes","logicalType":"decimal","precision":9,"scale":2}'
AVRO_ORDER = f"""{{"type":"record","name":"Order","namespace":"shop","fields":[
    {{"name":"id","type":"long"}},
    {{"name":"what","type":["null","string"],"default":null}},
    {{"name":"price","type":{PRICE}}}]}}"""
AVRO_VALUE = {"id": -7, "what": "tea", "price": decimal.Decimal("-12.34")}
JSON_ORDER = (
    '{"type":"object","properties":{"id":{"type":"integer"},"price":{"$ref":"money.json"}}}'
)
JSON_MONEY = '{"type":"object","properties":{"cents":{"type":"integer"}}}'
JSON_VALUE = {"id": 7, "price": {"cents": 250}}


@pytest.fixture
def ours(registry):
    with RegistryClient(registry.url) as found:
        yield found


@pytest.fixture
def context(topic):
    return serialization.SerializationContext(topic, serialization.MessageField.VALUE, [])


def test_avro_goes_both_ways(ours, schemas, topic, context):
    data = SchemaSerializer(ours, AVRO_ORDER)(topic, AVRO_VALUE)
    assert avro.AvroDeserializer(schemas)(data, context) == AVRO_VALUE
    theirs = avro.AvroSerializer(schemas, AVRO_ORDER)(AVRO_VALUE, context)
    assert theirs == data
    assert SchemaDeserializer(ours)(topic, theirs) == AVRO_VALUE
    later = AVRO_ORDER.replace("]}", ',{"name":"gift","type":"boolean","default":true}]}')
    again = pickle.loads(pickle.dumps(SchemaDeserializer(ours, later)))
    assert again(topic, data) == {**AVRO_VALUE, "gift": True}


def test_json_schema_with_a_reference_goes_both_ways(ours, schemas, topic, context):
    ours.register(f"{topic}-money", SchemaText(JSON_MONEY, "JSON"))
    schema = SchemaText(JSON_ORDER, "JSON", (Reference("money.json", f"{topic}-money", 1),))
    data = SchemaSerializer(ours, schema)(topic, JSON_VALUE)
    reader = json_schema.JSONDeserializer(None, schema_registry_client=schemas)
    assert reader(data, context) == JSON_VALUE
    given = client.Schema(
        JSON_ORDER,
        "JSON",
        [client.schema_registry_client.SchemaReference("money.json", f"{topic}-money", 1)],
    )
    theirs = json_schema.JSONSerializer(given, schemas)(JSON_VALUE, context)
    assert SchemaDeserializer(ours)(topic, theirs) == json.loads(theirs[5:]) == JSON_VALUE


def test_protobuf_of_a_second_message_goes_both_ways(ours, schemas, topic, context, order_class):
    ours.register(f"{topic}-money", SchemaText(PROTO_MONEY, "PROTOBUF"))
    schema = SchemaText(PROTO_ORDER, "PROTOBUF", (Reference("money.proto", f"{topic}-money", 1),))
    order = order_class(id=7, price={"cents": 250})
    data = SchemaSerializer(ours, schema)(topic, order)
    reader = protobuf.ProtobufDeserializer(order_class, {"use.deprecated.format": False}, schemas)
    assert reader(data, context) == order
    theirs = protobuf.ProtobufSerializer(order_class, schemas)(order, context)
    found = SchemaDeserializer(ours)(topic, theirs)
    assert (found.id, found.price.cents, found.DESCRIPTOR.full_name) == (7, 250, "shop.Order")


@pytest.mark.parametrize("frame", ["guid", "header"])
def test_a_schema_may_be_named_by_its_guid(ours, schemas, topic, context, frame):
    data, headers = SchemaSerializer(ours, AVRO_ORDER, frame=frame).serialize(topic, AVRO_VALUE)
    context.headers.extend(headers)
    assert len(headers) == (frame == "header")
    assert avro.AvroDeserializer(schemas)(data, context) == AVRO_VALUE
    given = {"schema.id.serializer": client.header_schema_id_serializer}
    context.headers.clear()
    theirs = avro.AvroSerializer(schemas, AVRO_ORDER, conf=given)(AVRO_VALUE, context)
    found = SchemaDeserializer(ours).deserialize(topic, theirs, context.headers)
    assert found == AVRO_VALUE


def test_a_header_of_the_record_names_its_schema_where_it_is_asked_for(ours, place, topic):
    writes = SchemaSerializer(ours, AVRO_ORDER, frame="header")
    with Producer(place, value_serializer=writes) as producer:
        producer.send(topic, AVRO_VALUE, partition=0, headers={"trace": b"7"})
    reads = SchemaDeserializer(ours)
    with Consumer(place, value_deserializer=reads, auto_offset_reset="earliest") as consumer:
        consumer.assign([(topic, 0)])
        record = next(iter(consumer))
    assert record.value == AVRO_VALUE
    assert [name for name, _ in record.headers] == ["trace", "__value_schema_id"]


def test_a_topic_of_a_type_registers_its_schema(ours, schemas, topic, context):
    orders = RegisteredTopic(topic, Tea, ours)
    data = orders.dump(Tea(7, Kind.GREEN))
    assert orders.load(data) == Tea(7, Kind.GREEN)
    assert avro.AvroDeserializer(schemas)(data, context) == {"id": 7, "kind": "GREEN", "what": None}
    assert schemas.get_latest_version(f"{topic}-value").version == 1


def test_the_newest_records_of_a_topic_are_checked(ours, registry, place, topic, tmp_path):
    with Producer(place, value_serializer=SchemaSerializer(ours, AVRO_ORDER)) as producer:
        for number in range(5):
            producer.send(topic, {**AVRO_VALUE, "id": number}, partition=0)
    path = tmp_path / "order.avsc"
    path.write_text(AVRO_ORDER.replace("]}", ',{"name":"gift","type":"boolean"}]}'))
    out = StringIO()
    world = World(
        files=SystemFiles(), clock=SystemClock(), random=SystemRandom(), out=out, errors=out
    )
    flags = f"--registry {registry.url} --bootstrap-server {place} --topic {topic} --last 6"
    given = ["schema", "check", "--subject", "free", "--file", str(path), *flags.split()]
    assert run_command(given, world) == 1
    lines = out.getvalue().splitlines()
    assert "0 of 3 records can be read with it" in lines
    assert lines[0].startswith(f"{topic}-0@2: gift was not written and has no default")


class Kind(Enum):
    GREEN = 1


@dataclass
class Tea:
    id: int
    kind: Kind
    what: str | None = None


@dataclass
class Order:
    id: int
    what: str | None
    price: decimal.Decimal


def test_subjects_are_named_after_records_and_the_newest_schema_is_taken(ours, schemas, topic):
    name = f"Order{uuid.uuid4().hex[:8]}"
    text = AVRO_ORDER.replace('"Order"', f'"{name}"')
    value = Order(1, None, decimal.Decimal("1.50"))
    data = SchemaSerializer(ours, text, subject="topic_record")(topic, value)
    assert schemas.get_latest_version(f"{topic}-shop.{name}").version == 1
    latest = SchemaSerializer(
        ours, subject=lambda topic, is_key, record: f"{topic}-shop.{name}", use_latest=True
    )
    assert latest(topic, value) == data


def test_records_go_through_a_topic(ours, place, topic):
    with Producer(place, value_serializer=SchemaSerializer(ours, AVRO_ORDER)) as producer:
        producer.send(topic, AVRO_VALUE, partition=0)
    reads = SchemaDeserializer(ours)
    with Consumer(place, value_deserializer=reads, auto_offset_reset="earliest") as consumer:
        consumer.assign([(topic, 0)])
        assert next(iter(consumer)).value == AVRO_VALUE
