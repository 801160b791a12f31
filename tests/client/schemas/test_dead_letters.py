"""What a rule refuses is kept in a topic of its own."""

from __future__ import annotations

import json

import pytest

from moldau.client import ConsumerRecord
from moldau.client.arguments.consumer import readable
from moldau.client.errors import SerializationError
from moldau.client.header_framing import HeaderFraming
from moldau.client.interceptors import ProducerRecord
from moldau.client.schemas.dead_letters import DeadLetters
from moldau.client.schemas.deserializing import SchemaDeserializer
from moldau.client.schemas.serializing import SchemaSerializer
from moldau.errors import MoldauError
from moldau.schemas.data_errors import DataError
from moldau.schemas.model import SchemaText
from tests.client.schemas.simulated_registry import SimulatedRegistry

FIELDS = [
    {"name": "id", "type": "long"},
    {"name": "name", "type": "string", "confluent:tags": ["PII"]},
]
TEXT = json.dumps({"type": "record", "name": "R", "fields": FIELDS})
VALUE = {"id": 1, "name": "Anna"}


class Picky:
    types = ("PICKY", "ENCRYPT", "ENCRYPT_PAYLOAD")

    def __init__(self):
        self.is_picky = True

    def runner(self, rule, scene):
        def run(value):
            if rule.type == "PICKY" and self.is_picky:
                raise DataError("not so")
            return value

        return run


class Sent:
    def __init__(self):
        self.records = []
        self.keys = []
        self.error = None

    def send(self, topic, value, *, key, headers):
        if self.error is not None:
            raise self.error
        self.records.append((topic, value, dict(headers)))
        self.keys.append(key)


def schema_of(*, encoding=(), before=(), **params):
    rule = {"name": "r", "type": "PICKY", "onFailure": "DLQ", "params": params}
    domain = [*before, rule]
    return SchemaText(TEXT, rule_set={"domainRules": domain, "encodingRules": list(encoding)})


def refused(schema, sent, *, topic=None):
    rules, actions = [Picky()], [DeadLetters(sent, topic)]
    write = SchemaSerializer(SimulatedRegistry(), schema, rules=rules, actions=actions)
    with pytest.raises(SerializationError, match="by the rule 'r': not so") as raised:
        write("t", VALUE)
    return str(raised.value)


def test_what_was_to_be_written_is_sent_as_json():
    sent = Sent()
    refused(schema_of(**{"dlq.topic": "dead"}), sent)
    refused(schema_of(), sent, topic="others")
    topic, value, headers = sent.records[0]
    assert (topic, json.loads(value)) == ("dead", VALUE)
    assert headers == {
        "__rule.name": b"r", "__rule.mode": b"WRITE", "__rule.subject": b"t-value",
        "__rule.topic": b"t", "__rule.exception": b"not so",
    }  # fmt: skip
    assert sent.records[1][0] == "others"


def test_what_rules_encrypt_is_not_in_the_open():
    sent = Sent()
    encrypt = {"name": "e", "type": "ENCRYPT", "tags": ["PII"]}
    refused(schema_of(before=[encrypt]), sent, topic="dead")
    refused(schema_of(encoding=[{"name": "e", "type": "ENCRYPT_PAYLOAD"}]), sent, topic="dead")
    assert json.loads(sent.records[0][1]) == {"id": 1, "name": "<REDACTED>"}
    assert sent.records[1][1] is None


def test_what_was_read_is_sent_as_it_was_and_read_again_without_the_rule():
    registry, sent, picky = SimulatedRegistry(), Sent(), Picky()
    rules, actions = [picky], [DeadLetters(sent, "dead")]
    picky.is_picky = False
    data = SchemaSerializer(registry, schema_of(), rules=rules, actions=actions)("t", VALUE)
    assert data is not None
    picky.is_picky = True
    deserializer = SchemaDeserializer(registry, rules=rules, actions=actions)
    with pytest.raises(SerializationError, match="not so"):
        deserializer.deserialize("t", data, (("h", b"1"), ("none", None)))
    topic, value, headers = sent.records[0]
    assert (topic, value, headers["h"], headers["__rule.mode"]) == ("dead", data, b"1", b"READ")
    assert deserializer.deserialize("t", value, tuple(headers.items())) == VALUE


def test_a_dead_letter_that_cannot_be_sent_is_reported():
    sent = Sent()
    assert "no topic for dead letters" in refused(schema_of(), sent)
    sent.error = MoldauError("the broker is gone")
    assert "was not sent: the broker is gone" in refused(schema_of(), sent, topic="dead")


@pytest.mark.parametrize(
    ("key", "expected"), [(b"k", b"k"), ("k", b"k"), ({"a": 1}, b'{"a": 1}'), (None, None)]
)
def test_what_a_producer_refuses_keeps_its_key(key, expected):
    sent = Sent()
    rules, actions = [Picky()], [DeadLetters(sent, "dead")]
    write = SchemaSerializer(SimulatedRegistry(), schema_of(), rules=rules, actions=actions)
    framing = HeaderFraming.of(None, write)
    assert framing is not None
    assert framing.takes(write)
    with pytest.raises(SerializationError, match="not so"):
        framing.on_send(ProducerRecord("t", value=VALUE, key=key))
    assert sent.keys == [expected]


def test_what_a_consumer_refuses_keeps_its_key():
    registry, sent, picky = SimulatedRegistry(), Sent(), Picky()
    rules, actions = [picky], [DeadLetters(sent, "dead")]
    picky.is_picky = False
    data = SchemaSerializer(registry, schema_of(), rules=rules, actions=actions)("t", VALUE)
    picky.is_picky = True
    read = SchemaDeserializer(registry, rules=rules, actions=actions)
    record = ConsumerRecord("t", 0, 5, 1000, b"k", data)
    assert "not so" in str(readable([record], None, read).error)
    assert sent.keys == [b"k"]
