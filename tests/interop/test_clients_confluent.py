"""librdkafka, through confluent-kafka, takes a node of ours for Apache Kafka."""

from __future__ import annotations

import threading
import uuid

import pytest

from tests.interop.running_node import running_node

confluent_kafka = pytest.importorskip("confluent_kafka", reason="confluent-kafka is not installed")
admin = pytest.importorskip("confluent_kafka.admin", reason="confluent-kafka is not installed")

SECONDS_MAX = 30


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory):
    with running_node(tmp_path_factory.mktemp("confluent")) as place:
        yield place


@pytest.fixture
def topic():
    return f"topic-{uuid.uuid4().hex[:12]}"


def produce(bootstrap, topic, values, **settings):
    """Send all and wait until all are confirmed."""
    refused = []
    producer = confluent_kafka.Producer(
        {"bootstrap.servers": bootstrap, "linger.ms": 5, **settings}
    )
    for number, value in enumerate(values):
        producer.produce(
            topic,
            value,
            key=f"key {number}",
            headers=[("number", str(number).encode())],
            on_delivery=lambda error, message: refused.append(error) if error else None,
        )
    assert producer.flush(SECONDS_MAX) == 0
    assert refused == []


def consume(bootstrap, topic, count, **settings):
    """That many messages, or as many as come in time."""
    consumer = confluent_kafka.Consumer(
        {
            "bootstrap.servers": bootstrap,
            "group.id": f"group-{uuid.uuid4().hex[:12]}",
            "auto.offset.reset": "earliest",
            **settings,
        }
    )
    consumer.subscribe([topic])
    messages = []
    for _ in range(SECONDS_MAX):
        messages += [one for one in consumer.consume(count, 1) if one.error() is None]
        if len(messages) >= count:
            break
    consumer.commit(asynchronous=False)
    consumer.close()
    return messages


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_messages_come_back_with_keys_and_headers_in_every_codec(bootstrap, topic, codec):
    values = [f"value {number}".encode() * 20 for number in range(1000)]
    produce(bootstrap, topic, values, **{"compression.type": codec})
    messages = consume(bootstrap, topic, len(values))
    assert sorted(one.value() for one in messages) == sorted(values)
    numbers = {one.key(): one.headers() for one in messages}
    assert numbers[b"key 7"] == [("number", b"7")]


@pytest.mark.parametrize("acks", ["0", "1", "all"])
def test_every_kind_of_acknowledgement_is_given(bootstrap, topic, acks):
    produce(bootstrap, topic, [b"a", b"b"], acks=acks)
    assert {one.value() for one in consume(bootstrap, topic, 2)} == {b"a", b"b"}


def test_an_idempotent_producer_is_served(bootstrap, topic):
    values = [str(number).encode() for number in range(5000)]
    produce(bootstrap, topic, values, **{"enable.idempotence": True})
    assert sorted(one.value() for one in consume(bootstrap, topic, 5000)) == sorted(values)


def test_aborted_transactions_are_not_read(bootstrap, topic):
    producer = confluent_kafka.Producer({"bootstrap.servers": bootstrap, "transactional.id": topic})
    producer.init_transactions(SECONDS_MAX)
    for number in range(4):
        producer.begin_transaction()
        producer.produce(topic, str(number))
        if number % 2:
            producer.abort_transaction(SECONDS_MAX)
        else:
            producer.commit_transaction(SECONDS_MAX)
    read = consume(bootstrap, topic, 2, **{"isolation.level": "read_committed"})
    assert sorted(one.value() for one in read) == [b"0", b"2"]


def test_members_of_a_group_share_the_partitions_and_each_message_is_read_once(bootstrap, topic):
    group = f"group-{topic}"
    produce(bootstrap, topic, [b"first"])
    read: list[bytes] = []

    def member(count):
        found = consume(bootstrap, topic, count, **{"group.id": group})
        read.extend(one.value() for one in found)

    values = [str(number).encode() for number in range(200)]
    member(1)
    produce(bootstrap, topic, values)
    members = [threading.Thread(target=member, args=(200 - len(values) // 2,)) for _ in range(2)]
    for one in members:
        one.start()
    for one in members:
        one.join()
    assert set(read) == {b"first", *values}


def test_topics_are_created_described_changed_and_deleted(bootstrap, topic):
    client = admin.AdminClient({"bootstrap.servers": bootstrap})
    made = client.create_topics([admin.NewTopic(topic, 3, 1, config={"retention.ms": "3600000"})])
    made[topic].result(SECONDS_MAX)
    assert len(client.list_topics(topic, SECONDS_MAX).topics[topic].partitions) == 3
    resource = admin.ConfigResource(admin.ConfigResource.Type.TOPIC, topic)
    configs = client.describe_configs([resource])[resource].result(SECONDS_MAX)
    assert configs["retention.ms"].value == "3600000"
    client.create_partitions([admin.NewPartitions(topic, 5)])[topic].result(SECONDS_MAX)
    assert len(client.list_topics(topic, SECONDS_MAX).topics[topic].partitions) == 5
    client.delete_topics([topic])[topic].result(SECONDS_MAX)
    assert topic not in client.list_topics(timeout=SECONDS_MAX).topics
