"""Sending records, and deleting them."""

from confluent_kafka import Consumer, TopicPartition


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
