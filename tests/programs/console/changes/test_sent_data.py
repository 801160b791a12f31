"""What the formats of a form make of a text, as the records then have it."""

from __future__ import annotations

import json

import pytest
from confluent_kafka import Consumer, TopicPartition

from moldau.programs.console.values.messagepack import decoded
from tests.programs.console.cluster.test_subjects import FIRST


def record_of(console, topic):
    settings = {"bootstrap.servers": console.bootstrap, "group.id": "checks"}
    consumer = Consumer(settings)
    consumer.assign([TopicPartition(topic, 0, 0)])
    message = consumer.poll(60)
    consumer.close()
    assert message is not None
    return message


def test_numbers_of_json_keep_all_their_digits(console, topic):
    text = '{ "a b": 12345678901234567890.10, "c": "d \\" e" ,\n"f": 1e400 }'
    console.run("produce", topic=topic, value=text, value_format="json")
    assert record_of(console, topic).value() == (
        b'{"a b":12345678901234567890.10,"c":"d \\" e","f":1e400}'
    )


def test_json_is_sent_as_messagepack(console, topic):
    console.run("produce", topic=topic, value='{"a": [1, null, "x"]}', value_format="msgpack")
    assert decoded(record_of(console, topic).value()) == {"a": [1, None, "x"]}
    body = {"topic": topic, "value": str(2**64), "value_format": "msgpack"}
    status, sentence = console.refusal("POST", "/changes/produce/plan", body)
    assert (status, "more than 64 bits" in sentence) == (400, True)


def test_json_is_sent_by_the_latest_schema_of_a_subject(console, topic):
    subject = f"{topic}-value"
    console.run("register-schema", subject=subject, schema=FIRST)
    value = '{"a": 7}'
    console.run("produce", topic=topic, value=value, value_format="schema")
    (shown,) = console.get(f"/topics/{topic}/records")["records"]
    assert json.loads(shown["value"]["text"]) == json.loads(value)
    assert shown["value"]["schema"]["subject"] == subject
    body = {"topic": topic, "value": '{"moon": 1}', "value_format": "schema"}
    status, sentence = console.refusal("POST", "/changes/produce/plan", body)
    assert (status, f"none of the schema {subject} version 1" in sentence) == (400, True)
    body = {**body, "value_subject": "moon"}
    assert console.refusal("POST", "/changes/produce/plan", body)[0] == 404


@pytest.mark.parametrize(
    ("kind", "text"),
    [("json", "NaN"), ("json", "[" * 5000), ("msgpack", "["), ("schema", "{"), ("hex", "f")],
)
def test_what_is_not_of_its_format_is_a_sentence(console, topic, kind, text):
    console.run("register-schema", subject=f"{topic}-value", schema=FIRST)
    body = {"topic": topic, "value": text, "value_format": kind}
    status, sentence = console.refusal("POST", "/changes/produce/plan", body)
    assert (status, sentence.startswith("the value is not")) == (400, True)


def test_a_header_has_a_format_and_may_be_null(console, topic):
    headers = [{"name": "a", "value": "ff", "format": "hex"}, {"name": "b"}, {"name": "c=d"}]
    console.run("produce", topic=topic, value="v", headers=headers)
    assert record_of(console, topic).headers() == [("a", b"\xff"), ("b", None), ("c=d", None)]
    body = {"topic": topic, "headers": [{"name": "a", "value": "x", "format": "schema"}]}
    assert console.refusal("POST", "/changes/produce/plan", body)[0] == 400
