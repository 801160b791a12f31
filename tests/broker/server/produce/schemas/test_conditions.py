"""Conditions in CEL, as a broker judges them: of all languages, bounded, and after encryption."""

from __future__ import annotations

import json
import sys

import pytest

from moldau.broker.server.produce.schemas.conditions import STEPS_MAX, check_of
from moldau.platform.simulated.clock import SimulatedClock
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.schemas.framing import id_frame
from moldau.schemas.kinds import language_of
from moldau.schemas.known import KnownSchema
from moldau.schemas.model import SchemaText
from tests.broker.server.data_broker import result_of
from tests.broker.server.produce.schema_world import Registry, asking_topic, values
from tests.broker.server.produce.schemas.test_checks import judged

pytest.importorskip("celpy", reason="cel-python is not installed")
RULES = {"schema_validation_rules": "true"}
NUMBER = 9
FRAME = id_frame(NUMBER)
AVRO = json.dumps(
    {
        "type": "record", "name": "Order", "fields": [
            {"name": "id", "type": "long"}, {"name": "card", "type": "string"},
        ],
    }
)  # fmt: skip
JSON = '{"type": "object", "properties": {"id": {"type": "integer"}, "card": {"type": "string"}}}'
PROTO = 'syntax = "proto3"; message Order { int64 id = 1; string card = 2; }'
TEXTS = {"AVRO": AVRO, "JSON": JSON, "PROTOBUF": PROTO}
ABOVE = {"name": "above", "type": "CEL", "kind": "CONDITION", "expr": "message.id > 5"}
ENCRYPT = {"name": "hide", "type": "ENCRYPT", "kind": "TRANSFORM", "tags": ["PII"]}


def known_schema(*rules, kind="AVRO", **more):
    text = SchemaText(TEXTS[kind], kind, rule_set={"domainRules": list(rules), **more})
    parsed = language_of(kind).parse(text.text, {})
    return KnownSchema(frozenset({"topic-value", "topic-key"}), parsed, text)


def payload(known, number, card="c"):
    found = known.parsed.encoder()({"id": number, "card": card})
    return FRAME + found.indexes + found.payload


def refusal(known, *given, key=None, topic=RULES):
    async def scenario(world):
        registry = Registry()
        registry.known[NUMBER] = known
        checks = await asking_topic(world, registry, **topic)
        return await judged(world, checks, values(*given, key=key))

    return result_of(scenario)


def reasons(error):
    assert error.code == ErrorCode.INVALID_RECORD
    return {one.batch_index: one.reason for one in error.record_errors}


BREAKS = "the {} breaks the rule 'above': message.id > 5"


@pytest.mark.parametrize("kind", TEXTS)
def test_a_record_that_breaks_a_rule_is_named_with_the_rule(kind):
    known = known_schema(ABOVE, kind=kind)
    good, bad = payload(known, 6), payload(known, 5)
    assert refusal(known, good, None, good) is None
    assert reasons(refusal(known, good, bad, None, bad)) == dict.fromkeys(
        (1, 3), BREAKS.format("value")
    )
    assert refusal(known, good, bad, topic={}) is None


def test_keys_have_rules_too_where_they_are_asked_for():
    known = known_schema(ABOVE)
    good, bad = payload(known, 6), payload(known, 5)
    topic = {**RULES, "confluent_key_schema_validation": "true"}
    assert reasons(refusal(known, good, key=bad, topic=topic)) == {0: BREAKS.format("key")}
    assert refusal(known, good, key=bad) is None


def test_what_cannot_be_read_has_no_rule_to_hold():
    known = known_schema(ABOVE)
    broken = payload(known, 6) + b"x"
    text = "the value cannot be read by its schema: 1 bytes are left behind the value"
    assert reasons(refusal(known, broken)) == {0: text}
    plain = known_schema()
    assert refusal(plain, broken) is None
    both = {**RULES, "schema_validation_payload": "true"}
    assert reasons(refusal(plain, broken, topic=both)) == {0: text}


def test_a_rule_of_fields_is_about_the_tags_of_the_metadata():
    rule = {
        "name": "short", "type": "CEL_FIELD", "kind": "CONDITION", "tags": ["PII"],
        "expr": "typeName == 'STRING' ; size(value) < 3",
    }  # fmt: skip
    known = known_schema(rule)
    tagged = SchemaText(
        AVRO, metadata={"tags": {"Order.card": ["PII"]}}, rule_set=known.schema.rule_set
    )
    assert refusal(known, payload(known, 1, "long")) is None
    found = reasons(refusal(known._replace(schema=tagged), payload(known, 1, "long")))
    assert found[0].startswith("the value breaks the rule 'short': Order.card does not have")


@pytest.mark.parametrize(
    ("rules", "more"),
    [
        ([ABOVE, ENCRYPT], {}),
        ([ENCRYPT], {}),
        ([{**ABOVE, "disabled": True}], {}),
        ([{**ABOVE, "mode": "READ"}], {}),
        ([{**ABOVE, "type": "OWN"}], {}),
        ([{**ABOVE, "onFailure": "NONE"}], {}),
    ],
)
def test_what_the_broker_cannot_judge_passes(rules, more):
    known = known_schema(*rules, **more)
    assert refusal(known, payload(known, 5)) is None


def test_what_stands_behind_encryption_is_judged():
    known = known_schema(ENCRYPT, ABOVE)
    assert reasons(refusal(known, payload(known, 5))) == {0: BREAKS.format("value")}


def test_an_encrypted_payload_is_not_read():
    known = known_schema(ABOVE, encodingRules=[{**ENCRYPT, "type": "ENCRYPT_PAYLOAD"}])
    both = {**RULES, "schema_validation_payload": "true"}
    assert refusal(known, FRAME + b"cipher", topic=both) is None


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("message.id >", "is no expression of CEL"),
        ("message.nothing > 1", "cannot be evaluated"),
        ("[1,2,3,4,5,6,7,8,9].all(x, " * 5 + "true" + ")" * 5, "too many steps"),
    ],
)
def test_a_rule_that_means_nothing_or_takes_long_refuses(expression, reason):
    known = known_schema({**ABOVE, "expr": expression})
    assert reason in reasons(refusal(known, payload(known, 6)))[0]


def test_a_comparison_is_far_from_the_limit():
    known = known_schema({**ABOVE, "expr": " && ".join(["message.id > 5"] * (STEPS_MAX // 100))})
    assert refusal(known, payload(known, 6)) is None


def test_rules_are_compiled_once_for_a_schema():
    made = []

    class Counted(dict[str, object]):
        def get(self, name, default=None):
            made.append(name)
            return super().get(name, default)

    known = known_schema(ABOVE)
    counted = Counted(known.schema.rule_set)
    known = known._replace(schema=SchemaText(AVRO, rule_set=counted))

    async def scenario(world):
        registry = Registry()
        registry.known[NUMBER] = known
        checks = await asking_topic(world, registry, **RULES)
        for _ in range(3):
            assert await judged(world, checks, values(payload(known, 6))) is None
            looks.append(len(made))

    looks: list[int] = []
    result_of(scenario)
    assert looks[0] > 0
    assert len(set(looks)) == 1


def test_without_the_packages_for_cel_the_setting_is_refused_and_not_ignored(monkeypatch):
    monkeypatch.setitem(sys.modules, "celpy", None)
    monkeypatch.delitem(sys.modules, "moldau.schemas.cel", raising=False)
    known = known_schema(ABOVE)
    error = refusal(known, payload(known, 6))
    assert error.code == ErrorCode.INVALID_CONFIG
    assert "pip install 'moldau[rules]'" in str(error)
    plain = known_schema({**ABOVE, "type": "OWN"})
    assert refusal(plain, payload(plain, 6)) is None


def test_a_schema_without_rules_needs_no_package():
    assert check_of(known_schema(), SimulatedClock()) is None
