"""Sending records, and deleting them."""

from __future__ import annotations

import pytest
from confluent_kafka import Consumer, TopicPartition

from tests.programs.console.shell import pasted


def records_of(console, topic):
    """Of its first partition, as another client reads them."""
    settings = {"bootstrap.servers": console.bootstrap, "group.id": "checks"}
    consumer = Consumer({**settings, "enable.partition.eof": True})
    consumer.assign([TopicPartition(topic, 0, 0)])
    found = []
    while (message := consumer.poll(60)) is not None and not message.error():
        found.append((message.key(), message.value(), message.headers()))
    consumer.close()
    return found


@pytest.mark.parametrize(
    "given",
    [
        {"key": "k", "value": "one\ntwo\tthree 'quoted' \\n $HOME"},
        {"value": "ff0000", "value_format": "hex", "key": "/wA=", "key_format": "base64"},
        {"key": "deleted"},
        {"value": "", "partition": 0},
        {
            "value": '{ "price": 12345678901234567890.123, "n": 1.10 }',
            "value_format": "json",
            "headers": [
                {"name": "a=b", "value": "x\ny"},
                {"name": "none"},
                {"name": "binary", "value": "ff00", "format": "hex"},
            ],
        },
        {"value": "ä" * 3000},
    ],
)
def test_the_command_sends_the_same_record(console, topic, tmp_path, given):
    pasted(console.plan("produce", topic=topic, **given)["command"], tmp_path)
    console.run("produce", topic=topic, **given)
    first, second = records_of(console, topic)
    assert first == second


def test_a_command_with_a_long_record_names_a_file_for_it(console, topic):
    command = console.plan("produce", topic=topic, value="x" * 20_000)["command"]
    about, line = command.splitlines()
    assert about.startswith("# record.json has the record in one line: ")
    assert line.endswith(f"--topic {topic} record.json")
    assert len(command) < 1000


def test_a_record_arrives_as_it_was_written(console, topic):
    headers = [{"name": "source", "value": "console"}]
    sent = console.run(
        "produce",
        topic=topic,
        key="00ff",
        key_format="hex",
        value='{ "a": 1 }',
        value_format="json",
        headers=headers,
    )
    assert sent["result"] == {"partition": 0, "offset": 0}
    consumer = Consumer({"bootstrap.servers": console.bootstrap, "group.id": "checks"})
    consumer.assign([TopicPartition(topic, 0, 0)])
    message = consumer.poll(60)
    consumer.close()
    assert message is not None
    assert (message.key(), message.value()) == (b"\x00\xff", b'{"a":1}')
    assert message.headers() == [("source", b"console")]


def test_what_is_not_of_its_format_is_refused(console, topic):
    for kind, text in (("json", "{"), ("hex", "xx"), ("base64", "?"), ("moon", "a")):
        body = {"topic": topic, "value": text, "value_format": kind}
        assert console.refusal("POST", "/changes/produce/plan", body)[0] == 400


def test_records_below_an_offset_are_deleted(console, topic):
    console.send(topic, *"abc")
    done = console.run("delete-records", topic=topic, partition=0, before=2)
    assert done["differences"] == [[f"first offset of {topic}-0", "0", "2"]]
    assert console.get(f"/topics/{topic}")["partitions"][0]["start"] == 2


def test_a_topic_is_emptied_whatever_is_sent_meanwhile(console, topic):
    console.run("add-partitions", topic=topic, partitions=2)
    console.send(topic, *"ab", partition=0)
    console.send(topic, "c", partition=1)
    shown = console.plan("delete-records", topic=topic)
    assert shown["differences"] == [
        [f"first offset of {topic}-{n}", "0", "the end"] for n in (0, 1)
    ]
    assert '"offset":-1' in shown["command"]
    console.send(topic, "d", partition=0)
    console.run("delete-records", topic=topic, expected=shown["differences"])
    parts = console.get(f"/topics/{topic}")["partitions"]
    assert [(one["start"], one["end"]) for one in parts] == [(3, 3), (1, 1)]


def test_records_of_a_partition_that_is_not_there_are_not_deleted(console, topic):
    body = {"topic": topic, "partition": 7, "before": 1}
    assert console.refusal("POST", "/changes/delete-records/plan", body)[0] == 400
