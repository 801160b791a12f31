"""Rules in CEL and JSONata mean the same to us and to confluent-kafka, whichever of them writes."""

from __future__ import annotations

import json
from copy import deepcopy

import pytest

from moldau.client.errors import SerializationError
from moldau.client.schemas import (
    DeadLetters,
    RegistryClient,
    SchemaDeserializer,
    SchemaSerializer,
    SchemaText,
)
from moldau.schemas.rules import RuleExecutor

pytest.importorskip(
    "confluent_kafka.schema_registry", reason="the registry's client is not installed"
)
pytest.importorskip("celpy", reason="rules need cel-python")
pytest.importorskip("jsonata", reason="rules need jsonata-python")
our_cel = pytest.importorskip("moldau.client.schemas.cel")
our_jsonata = pytest.importorskip("moldau.client.schemas.jsonata")
avro = pytest.importorskip("confluent_kafka.schema_registry.avro")
json_schema = pytest.importorskip("confluent_kafka.schema_registry.json_schema")
serialization = pytest.importorskip("confluent_kafka.serialization")
rule_registry = pytest.importorskip("confluent_kafka.schema_registry.rule_registry")
RULES = "confluent_kafka.schema_registry.rules"
cel = pytest.importorskip(f"{RULES}.cel.cel_executor")
cel_field = pytest.importorskip(f"{RULES}.cel.cel_field_executor")
jsonata = pytest.importorskip(f"{RULES}.jsonata.jsonata_executor")
dlq = pytest.importorskip(f"{RULES}.dlq.dlq_action")
pytestmark = pytest.mark.judge

PII = {"confluent:tags": ["PII"]}
AVRO = {
    "type": "record", "name": "Order", "namespace": "shop", "fields": [
        {"name": "id", "type": "int"},
        {"name": "big", "type": "long"},
        {"name": "name", "type": "string", **PII},
        {"name": "note", "type": ["null", "string"], "default": None},
        {"name": "price", "type": "double"},
    ],
}  # fmt: skip
JSON = {
    "type": "object", "title": "Order", "properties": {
        "id": {"type": "integer"},
        "big": {"type": "integer"},
        "name": {"type": "string", **PII},
        "note": {"type": ["null", "string"]},
        "price": {"type": "number"},
    },
}  # fmt: skip
TEXTS = {"AVRO": json.dumps(AVRO), "JSON": json.dumps(JSON)}
VALUE = {"id": 1, "big": 2, "name": "Anna", "note": None, "price": 1.5}
KINDS = ["AVRO", "JSON"]


class Sent:
    """A producer that keeps what it is given, for either's dead letters."""

    def __init__(self):
        self.records = []

    def send(self, topic, value, *, key, headers):
        self.records.append((topic, json.loads(value), dict(headers)))

    def produce(self, topic, *, key, value, headers, on_delivery):
        self.send(topic, value, key=key, headers=headers)

    def poll(self, timeout):
        return 0

    def flush(self):
        return 0


class Both:
    """Serializers and deserializers of each, beside one registry."""

    def __init__(self, topic, ours, schemas):
        self.topic = topic
        self._ours = ours
        self._schemas = schemas
        self._rules = rule_registry.RuleRegistry()
        for executor in (
            cel.CelExecutor(), cel_field.CelFieldExecutor(), jsonata.JsonataExecutor()
        ):  # fmt: skip
            self._rules.register_executor(executor)
        self.sent, self.their_sent = Sent(), Sent()
        self._rules.register_action(dlq.DlqAction({"producer": self.their_sent}))
        self._context = serialization.SerializationContext(topic, serialization.MessageField.VALUE)

    def register(self, kind, rules, *, phase="domainRules", text=None):
        given = [
            {"name": f"r{at}", "kind": "TRANSFORM", "mode": "WRITEREAD", **one}
            for at, one in enumerate(rules)
        ]
        schema = SchemaText(text or TEXTS[kind], kind, rule_set={phase: given} if given else None)
        self._ours.register(f"{self.topic}-value", schema)
        return schema

    def anything_goes(self):
        path = f"/config/{self.topic}-value"
        self._ours.ask(lambda calls: calls.call("PUT", path, {"compatibility": "NONE"}))

    def writers(self, schema):
        conf = {"auto.register.schemas": False, "use.latest.version": True}
        if schema.kind == "AVRO":
            theirs = avro.AvroSerializer(self._schemas, None, conf=conf, rule_registry=self._rules)
        else:
            theirs = json_schema.JSONSerializer(
                schema.text, self._schemas, conf=conf, rule_registry=self._rules
            )
        rules: list[RuleExecutor] = [our_cel.CelRules(), our_jsonata.JsonataRules()]
        actions = [DeadLetters(self.sent)]
        ours = SchemaSerializer(self._ours, schema, rules=rules, actions=actions)
        return {
            "ours": lambda value: ours(self.topic, deepcopy(value)),
            "theirs": lambda value: theirs(deepcopy(value), self._context),
        }

    def readers(self, kind, *, newest=False):
        given = {"conf": {"use.latest.version": newest}, "rule_registry": self._rules}
        if kind == "AVRO":
            theirs = avro.AvroDeserializer(self._schemas, **given)
        else:
            theirs = json_schema.JSONDeserializer(
                None, schema_registry_client=self._schemas, **given
            )
        rules: list[RuleExecutor] = [our_cel.CelRules(), our_jsonata.JsonataRules()]
        ours = SchemaDeserializer(self._ours, rules=rules, use_latest=newest)
        return {
            "ours": lambda data: ours(self.topic, data),
            "theirs": lambda data: theirs(data, self._context),
        }


@pytest.fixture
def both(registry, topic, schemas):
    with RegistryClient(registry.url) as found:
        yield Both(topic, found, schemas)


def outcome(call, given):
    """What it gives, or that it refuses; both raise their own errors."""
    try:
        return call(given)
    except (SerializationError, serialization.SerializationError):
        return "refused"


def rule(expression, kind="TRANSFORM", **more):
    return {"type": "CEL", "kind": kind, "expr": expression, **more}


def of_fields(expression, kind="TRANSFORM", **more):
    return {"type": "CEL_FIELD", "kind": kind, "expr": expression, **more}


CASES = {
    "holds": [rule("message.price > 1.0 && message.id == 1", "CONDITION")],
    "does not hold": [rule("message.price > 2.0", "CONDITION")],
    "guarded": [rule("message.id == 2 ; message.price > 2.0", "CONDITION")],
    "does not hold and passes": [rule("message.id == 2", "CONDITION", onFailure="NONE")],
    "refuses to write": [rule("message.id == 2", "CONDITION", onFailure="ERROR,NONE")],
    "refuses to read": [rule("message.id == 2", "CONDITION", onFailure="NONE,ERROR")],
    "refuses success": [rule("message.id == 1", "CONDITION", onSuccess="ERROR,NONE")],
    "cannot be written": [rule("message.nothing == 1", "CONDITION")],
    "disabled": [rule("message.id == 2", "CONDITION", disabled=True)],
    "fields": [of_fields("typeName == 'STRING' ; value + '!' + name")],
    "ints": [of_fields("typeName == 'INT' ; value + 1")],
    "tagged": [of_fields("value + '?'", tags=["PII"])],
    "twice tagged": [of_fields(f"value + '{end}'", tags=["PII"]) for end in "12"],
    "in order": [
        of_fields("name == 'name' ; value + '1'"), of_fields("name == 'name' ; value + '2'"),
    ],
    "nulls": [of_fields("typeName == 'NULL' ; false", "CONDITION")],
    "field's record": [of_fields("name == 'name' ; message.id == 2", "CONDITION")],
    "writing alone": [of_fields("name == 'name' ; value + 'w'", mode="WRITE")],
    "jsonata": [{"type": "JSONATA", "expr": "$merge([$, {'name': $uppercase(name)}])"}],
    "nothing runs it": [{"type": "OTHER", "expr": "x"}],
    "hosts": [rule("'a@b.c'.isEmail() && 'a.b'.isHostname() && '::1'.isIpv6()", "CONDITION")],
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", CASES)
def test_rules_give_the_same_to_both(both, kind, case):
    schema = both.register(kind, CASES[case])
    written = {who: outcome(write, VALUE) for who, write in both.writers(schema).items()}
    refused = {who: data == "refused" for who, data in written.items()}
    assert refused["ours"] == refused["theirs"]
    for data in written.values():
        if data != "refused":
            read = {who: outcome(one, data) for who, one in both.readers(kind).items()}
            assert read["ours"] == read["theirs"]


NEXT = {
    "AVRO": json.dumps({
        "type": "record", "name": "Order", "namespace": "shop", "fields": [
            {"name": "id", "type": "int"}, {"name": "title", "type": "string"},
        ],
    }),
    "JSON": json.dumps({"type": "object", "properties": {"title": {"type": "string"}}}),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_values_migrate_alike(both, kind):
    both.anything_goes()
    old = both.register(kind, [])
    data = both.writers(old)["ours"](VALUE)
    rename = {"type": "JSONATA", "mode": "UPGRADE", "expr": "{'id': id, 'title': name & '!'}"}
    new = both.register(kind, [rename], phase="migrationRules", text=NEXT[kind])
    found = {who: read(data) for who, read in both.readers(kind, newest=True).items()}
    assert found["ours"] == found["theirs"] == {"id": 1, "title": "Anna!"}
    written = both.writers(new)
    for write in written.values():
        read = both.readers(kind, newest=True)
        value = {"id": 2, "title": "x"}
        assert {who: one(write(value)) for who, one in read.items()} == {
            "ours": value, "theirs": value
        }  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_dead_letters_are_alike(both, kind):
    rules = [rule("message.id == 2", "CONDITION", onFailure="DLQ", params={"dlq.topic": "dead"})]
    schema = both.register(kind, rules)
    assert [outcome(write, VALUE) for write in both.writers(schema).values()] == ["refused"] * 2
    (our_topic, ours, our_headers), (their_topic, theirs, their_headers) = (
        both.sent.records + both.their_sent.records
    )
    assert (our_topic, ours) == (their_topic, theirs) == ("dead", VALUE)
    reasons = [headers.pop("__rule.exception") for headers in (our_headers, their_headers)]
    assert all(b"message.id == 2" in reason for reason in reasons)
    assert our_headers == their_headers
