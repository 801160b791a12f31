"""Fields that we encrypt confluent-kafka decrypts, and the other way round."""

from __future__ import annotations

import json
import uuid
from copy import deepcopy
from typing import Any

import pytest

from moldau.client.errors import SerializationError
from moldau.client.schemas import (
    FieldEncryption,
    LocalKeyManager,
    RegistryClient,
    SchemaDeserializer,
    SchemaSerializer,
    SchemaText,
)

registry_module = pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
pytest.importorskip("tink", reason="confluent-kafka encrypts with tink and hkdf")
pytest.importorskip("hkdf", reason="confluent-kafka encrypts with tink and hkdf")
descriptor_pool = pytest.importorskip("google.protobuf.descriptor_pool")
message_factory = pytest.importorskip("google.protobuf.message_factory")
pools = pytest.importorskip("moldau.schemas.protobuf.pools")
protobuf = pytest.importorskip("confluent_kafka.schema_registry.protobuf")
avro = pytest.importorskip("confluent_kafka.schema_registry.avro")
json_schema = pytest.importorskip("confluent_kafka.schema_registry.json_schema")
serialization = pytest.importorskip("confluent_kafka.serialization")
encryption = pytest.importorskip(
    "confluent_kafka.schema_registry.rules.encryption.encrypt_executor"
)
local = pytest.importorskip(
    "confluent_kafka.schema_registry.rules.encryption.localkms.local_driver"
)
rule_registry = pytest.importorskip("confluent_kafka.schema_registry.rule_registry")
pytestmark = pytest.mark.judge

SECRET = "a secret that all know"
ALGORITHMS = ["AES128_GCM", "AES256_GCM", "AES256_SIV"]
PII = {"confluent:tags": ["PII"]}
AVRO = {
    "type": "record", "name": "Customer", "namespace": "shop", "fields": [
        {"name": "id", "type": "long"},
        {"name": "name", "type": "string", **PII},
        {"name": "mails", "type": {"type": "array", "items": "string"}, **PII},
        {"name": "photo", "type": ["null", "bytes"], "default": None},
    ],
}  # fmt: skip
JSON = {
    "type": "object", "title": "Customer", "properties": {
        "id": {"type": "integer"},
        "name": {"type": "string", **PII},
        "home": {"type": "object", "properties": {"street": {"type": "string"}}},
    },
}  # fmt: skip
PROTO = """syntax = "proto3";
package shop;
message Customer {
  int64 id = 1;
  string name = 2;
}
"""
VALUE = {"id": 1, "name": "Anna", "mails": ["a@b.c"], "photo": b"\x00\x01"}
JSON_VALUE = {"id": 1, "name": "Anna", "home": {"street": "Main"}}
TAGGED = {"tags": {"shop.*.photo": ["PII"], "$.home.street": ["PII"]}}


def customer_class():
    pool = descriptor_pool.DescriptorPool()
    pool.Add(pools.read(PROTO, "customer.proto")[0])
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("shop.Customer"))


def schema_of(schema, kind, *, rule_type="ENCRYPT", phase="domainRules", tagged=None, **params):
    rule = {
        "name": "encryptPII", "kind": "TRANSFORM", "mode": "WRITEREAD", "type": rule_type,
        "tags": ["PII"], "onFailure": "ERROR,ERROR",
        "params": {
            "encrypt.kek.name": f"kek-{uuid.uuid4().hex}",
            "encrypt.kms.type": "local-kms",
            "encrypt.kms.key.id": "one",
            **params,
        },
    }  # fmt: skip
    text = schema if isinstance(schema, str) else json.dumps(schema)
    metadata = TAGGED if tagged is None else {"tags": tagged}
    return SchemaText(text, kind, (), metadata, {phase: [rule]})


@pytest.fixture
def ours(registry):
    with RegistryClient(registry.url) as found:
        yield found


@pytest.fixture
def our_rules(ours):
    return [FieldEncryption(ours, {"local-kms": LocalKeyManager(SECRET)})]


@pytest.fixture
def their_rules(registry):
    """In a registry of their own: executors are configured once for each."""
    local.LocalKmsDriver.register()
    found = rule_registry.RuleRegistry()
    executors = (encryption.FieldEncryptionExecutor(), encryption.EncryptionExecutor())
    for executor in executors:
        executor.configure({"url": registry.url}, {"secret": SECRET})
        found.register_executor(executor)
    yield found
    for executor in executors:
        executor.close()


def context(topic):
    return serialization.SerializationContext(topic, serialization.MessageField.VALUE)


def theirs(kind, schemas, rules, schema):
    """Their serializer and deserializer, each by the schema that is registered."""
    conf = {"auto.register.schemas": False, "use.latest.version": True}
    given = {"rule_registry": rules, "rule_conf": {"secret": SECRET}}
    if kind == "AVRO":
        return (
            avro.AvroSerializer(schemas, None, conf=conf, **given),
            avro.AvroDeserializer(schemas, **given),
        )
    return (
        json_schema.JSONSerializer(schema.text, schemas, conf=conf, **given),
        json_schema.JSONDeserializer(None, schema_registry_client=schemas, **given),
    )


CASES: list[tuple[Any, ...]] = [("AVRO", AVRO, VALUE, algorithm) for algorithm in ALGORITHMS]
CASES += [("JSON", JSON, JSON_VALUE, "AES256_GCM")]


@pytest.mark.parametrize(("kind", "schema", "value", "algorithm"), CASES)
def test_fields_are_encrypted_for_each_other(
    topic, ours, our_rules, schemas, their_rules, kind, schema, value, algorithm
):
    given = schema_of(schema, kind, **{"encrypt.dek.algorithm": algorithm})
    serializer = SchemaSerializer(ours, given, rules=our_rules)
    write, read = theirs(kind, schemas, their_rules, given)
    data = serializer(topic, value)
    assert data is not None
    assert b"Anna" not in data
    assert b"a@b.c" not in data
    assert b"Main" not in data
    assert read(data, context(topic)) == value
    deserializer = SchemaDeserializer(ours, rules=our_rules)
    assert deserializer(topic, data) == value
    answer = write(deepcopy(value), context(topic))
    assert b"Anna" not in answer
    assert deserializer(topic, answer) == value
    assert SchemaDeserializer(ours)(topic, data)["name"] != "Anna"


@pytest.mark.parametrize("name", ["Anna", ""])
def test_fields_of_protobuf_are_encrypted_for_each_other(
    topic, ours, our_rules, schemas, their_rules, name
):
    """Also those with the default value, which Protobuf itself leaves out."""
    given = schema_of(PROTO, "PROTOBUF", tagged={"shop.Customer.name": ["PII"]})
    customer = customer_class()
    serializer = SchemaSerializer(ours, given, rules=our_rules)
    data = serializer(topic, customer(id=7, name=name))
    conf = {"auto.register.schemas": False, "use.latest.version": True}
    rules = {"rule_registry": their_rules, "rule_conf": {"secret": SECRET}}
    write = protobuf.ProtobufSerializer(customer, schemas, conf, **rules)
    read = protobuf.ProtobufDeserializer(customer, {}, schemas, **rules)
    assert data is not None
    plain = SchemaDeserializer(ours)(topic, data)
    assert plain.name not in ("Anna", "")
    assert read(data, context(topic)) == customer(id=7, name=name)
    answer = write(customer(id=7, name=name), context(topic))
    assert SchemaDeserializer(ours)(topic, answer).name not in ("Anna", "")
    found = SchemaDeserializer(ours, rules=our_rules)(topic, answer)
    assert (found.id, found.name) == (7, name)


def test_the_whole_payload_is_encrypted_for_each_other(
    topic, ours, our_rules, schemas, their_rules
):
    given = schema_of(AVRO, "AVRO", rule_type="ENCRYPT_PAYLOAD", phase="encodingRules")
    data = SchemaSerializer(ours, given, rules=our_rules)(topic, VALUE)
    write, read = theirs("AVRO", schemas, their_rules, given)
    assert data is not None
    assert b"a@b.c" not in data
    assert read(data, context(topic)) == VALUE
    deserializer = SchemaDeserializer(ours, rules=our_rules)
    assert deserializer(topic, write(deepcopy(VALUE), context(topic))) == VALUE


def test_keys_that_rotate_are_read_by_each_other(topic, ours, our_rules, schemas, their_rules):
    given = schema_of(AVRO, "AVRO", **{"encrypt.dek.expiry.days": "1"})
    data = SchemaSerializer(ours, given, rules=our_rules)(topic, VALUE)
    write, read = theirs("AVRO", schemas, their_rules, given)
    assert read(data, context(topic)) == VALUE
    deserializer = SchemaDeserializer(ours, rules=our_rules)
    assert deserializer(topic, write(deepcopy(VALUE), context(topic))) == VALUE


def test_who_has_another_secret_reads_nothing(topic, ours, our_rules):
    given = schema_of(AVRO, "AVRO")
    data = SchemaSerializer(ours, given, rules=our_rules)(topic, VALUE)
    other = [FieldEncryption(ours, {"local-kms": LocalKeyManager("another")})]
    assert data is not None
    with pytest.raises(SerializationError, match="the key manager does not decrypt with 'one'"):
        SchemaDeserializer(ours, rules=other)(topic, data)
