"""Fields of values, encrypted by the rules of their schema."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from moldau.client.errors import SerializationError
from moldau.client.schemas.deserializing import SchemaDeserializer
from moldau.client.schemas.encryption.executor import DAY_MS, FieldEncryption
from moldau.client.schemas.encryption.key_managers import LocalKeyManager
from moldau.client.schemas.serializing import SchemaSerializer
from moldau.schemas.model import SchemaText
from tests.client.schemas.simulated_registry import SimulatedRegistry

MANAGERS = {"local-kms": LocalKeyManager("secret")}
FIELDS = [{"name": "name", "type": "string", "confluent:tags": ["PII"]}]
AVRO = {"type": "record", "name": "R", "fields": [*FIELDS, {"name": "id", "type": "int"}]}
PROTO = 'syntax = "proto3"; message R { string name = 1; int32 id = 2; }'
KEYS = {
    "encrypt.kek.name": "k",
    "encrypt.kms.type": "local-kms",
    "encrypt.kms.key.id": "one",
}
VALUE = {"name": "Anna", "id": 1}


class Clock:
    ms = 0

    def now_ms(self):
        return self.ms


@pytest.fixture
def registry():
    return SimulatedRegistry()


def schema_of(text=AVRO, kind="AVRO", tags=None, **params):
    rule = {"name": "r", "type": "ENCRYPT", "tags": ["PII"], "params": {**KEYS, **params}}
    whole = text if isinstance(text, str) else json.dumps(text)
    return SchemaText(whole, kind, (), tags, {"domainRules": [rule]})


def both(registry, schema, clock=None) -> tuple[Any, Any]:
    rules = [FieldEncryption(registry, MANAGERS, clock)]
    return (
        SchemaSerializer(registry, schema, rules=rules),
        SchemaDeserializer(registry, rules=rules),
    )


@pytest.mark.parametrize("algorithm", ["AES128_GCM", "AES256_GCM", "AES256_SIV"])
def test_a_tagged_field_is_encrypted_and_the_others_are_not(registry, algorithm):
    write, read = both(registry, schema_of(**{"encrypt.dek.algorithm": algorithm}))
    data = write("t", VALUE)
    assert read("t", data) == VALUE
    plain = SchemaDeserializer(registry)("t", data)
    assert (plain["id"], plain["name"] != "Anna") == (1, True)


def test_fields_of_messages_are_encrypted_by_the_tags_of_metadata(registry):
    schema = schema_of(PROTO, "PROTOBUF", {"tags": {"R.name": ["PII"]}})
    write, read = both(registry, schema)
    data = write("t", VALUE)
    assert b"Anna" not in data
    assert read("t", data).name == "Anna"


def test_a_key_that_is_old_is_followed_by_a_new_one_and_both_are_read(registry):
    clock = Clock()
    write, read = both(registry, schema_of(**{"encrypt.dek.expiry.days": "1"}), clock)
    old = write("t", VALUE)
    clock.ms = 5 * DAY_MS
    new = write("t", VALUE)
    deks = registry.keys.state.deks["k"]
    assert [place.version for place in deks] == [1, 2]
    assert read("t", old) == read("t", new) == VALUE


def test_what_is_encrypted_begins_with_the_version_of_its_key_where_keys_change(registry):
    clock = Clock()
    write, _ = both(registry, schema_of(**{"encrypt.dek.expiry.days": "1"}), clock)
    plain = SchemaDeserializer(registry)
    first = plain("t", write("t", VALUE))["name"]
    clock.ms = 5 * DAY_MS
    second = plain("t", write("t", VALUE))["name"]
    assert [base64.b64decode(one)[:5].hex() for one in (first, second)] == [
        "0000000001",
        "0000000002",
    ]
    once, _ = both(registry, schema_of(), clock)
    size = len(base64.b64decode(plain("t", once("t", VALUE))["name"]))
    assert size == len("Anna") + 12 + 16  # a nonce and a tag, and nothing in front


@pytest.mark.parametrize(("text", "kind"), [(json.dumps(AVRO), "AVRO"), (PROTO, "PROTOBUF")])
def test_a_whole_value_is_encrypted_behind_what_names_its_schema(registry, text, kind):
    rule = {"name": "r", "type": "ENCRYPT_PAYLOAD", "params": KEYS}
    schema = SchemaText(text, kind, rule_set={"encodingRules": [rule]})
    write, read = both(registry, schema)
    data = write("t", VALUE)
    parsed = registry.parsed(schema)
    plain = parsed.encoder()(VALUE)
    start = 5 + len(plain.indexes)
    assert data[5:start] == plain.indexes
    assert len(data) == start + 12 + len(plain.payload) + 16
    assert plain.payload not in data
    found = read("t", data)
    assert (found if kind == "AVRO" else {"name": found.name, "id": found.id}) == VALUE
    with pytest.raises(SerializationError, match="not encrypted with this key"):
        read("t", data[:-1] + bytes([data[-1] ^ 1]))


def test_what_is_no_text_and_no_bytes_is_not_sent(registry):
    number = {"type": "record", "name": "R", "fields": [{**FIELDS[0], "type": "int"}]}
    write, _ = both(registry, schema_of(number))
    with pytest.raises(SerializationError, match="int cannot be encrypted"):
        write("t", {"name": 1})


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"encrypt.kek.name": ""}, "no encrypt.kek.name"),
        ({"encrypt.dek.algorithm": "ROT13"}, "'ROT13' is no algorithm"),
        ({"encrypt.dek.expiry.days": "-1"}, "expiry.days of the rule 'r' is no number"),
    ],
)
def test_a_rule_that_means_nothing_is_refused(registry, params, message):
    write, _ = both(registry, schema_of(**params))
    with pytest.raises(SerializationError, match=message):
        write("t", VALUE)


def test_a_value_that_was_not_encrypted_is_refused(registry):
    plain = SchemaText(json.dumps(AVRO))
    rules = [FieldEncryption(registry, MANAGERS)]
    write, read = both(registry, schema_of())
    assert read("t", write("t", VALUE)) == VALUE
    encrypted = write("t", VALUE)
    payload = SchemaSerializer(registry, plain, subject=lambda *_: "u", rules=rules)("t", VALUE)
    assert payload is not None
    with pytest.raises(SerializationError, match="not encrypted"):
        read("t", encrypted[:5] + payload[5:])
