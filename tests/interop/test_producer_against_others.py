"""What our producer sends is what Kafka's clients would send, and read."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import confluent_kafka
import pyarrow as pa
import pytest
from confluent_kafka.admin import AdminClient, NewTopic

from moldau import Producer
from moldau.client import FencedError, connect
from moldau.client.core.producing.murmur2 import keyed_partition
from moldau.client.core.producing.partitioners import key_partitioner
from tests.interop.conftest import NewNode
from tests.judges.java_programs import compiled
from tests.judges.kafka_jars import class_path
from tests.judges.kafka_node import KafkaNode

pytestmark = pytest.mark.judge

KEYS = 100_000
PARTITIONS = 7
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


@pytest.fixture(params=["kafka", "moldau"])
def broker(request):
    """Where Apache Kafka listens, and then where a node of ours does."""
    if request.param == "moldau":
        return request.getfixturevalue("place")
    return request.getfixturevalue("kafka_node").bootstrap


def create(broker: str, topic: str, partitions: int) -> None:
    admin = AdminClient({"bootstrap.servers": broker})
    admin.create_topics([NewTopic(topic, partitions, 1)])[topic].result(30)


def read_with_librdkafka(broker: str, topic: str, count: int) -> list[Any]:
    consumer = confluent_kafka.Consumer(
        {
            "bootstrap.servers": broker,
            "group.id": topic,
            "auto.offset.reset": "earliest",
            "isolation.level": "read_committed",
        }
    )
    consumer.subscribe([topic])
    found: list[Any] = []
    for _ in range(200):
        found += consumer.consume(count + 1 - len(found), 0.3)
        if len(found) >= count:
            break
    found += consumer.consume(1, 0.5)
    consumer.close()
    return found


def test_the_partition_of_every_key_is_javas(kafka_libs: Path) -> None:
    draw = Random(20)
    keys = [draw.randbytes(draw.randrange(0, 40)) for _ in range(KEYS)]
    asked = "".join(f"{key.hex()}\n" for key in keys)
    virtual_machine = ["java", "-Xmx300m", "-cp", class_path(kafka_libs)]
    done = subprocess.run(
        [*compiled(virtual_machine, "JudgePartitions"), "61"],
        input=asked,
        capture_output=True,
        text=True,
        timeout=100,
        check=True,
    )
    assert [keyed_partition(key, 61) for key in keys] == list(map(int, done.stdout.split()))


def test_the_partition_of_every_key_is_librdkafkas(place: str, topic: str) -> None:
    create(place, topic, PARTITIONS)
    ours = key_partitioner("consistent_random")
    assert ours is not None
    partitions: dict[Any, Any] = {}
    producer = confluent_kafka.Producer({"bootstrap.servers": place})
    draw = Random(21)
    for _ in range(500):
        key = draw.randbytes(draw.randrange(1, 20))
        producer.produce(
            topic,
            b"",
            key,
            on_delivery=lambda error, one: partitions.update({one.key(): one.partition()}),
        )
    producer.flush(30)
    assert len(partitions) > 490
    assert {key: ours(key, PARTITIONS) for key in partitions} == partitions


@pytest.mark.parametrize("codec", CODECS)
def test_librdkafka_reads_what_we_send(broker: str, topic: str, codec: str) -> None:
    create(broker, topic, 2)
    with Producer(broker, compression_type=codec, linger_ms=20) as producer:
        for number in range(500):
            producer.send(
                topic, b"v%d" % number, key=b"k%d" % number, headers={"n": b"%d" % number}
            )
        table = pa.table({"value": [b"v%d" % number for number in range(500, 900)]})
        assert producer.send_arrow(topic, table).result(60) == 400
    found = read_with_librdkafka(broker, topic, 900)
    assert sorted(int(one.value()[1:]) for one in found) == list(range(900))
    keyed = [one for one in found if one.key() is not None]
    assert all(one.headers() == [("n", one.key()[1:])] for one in keyed)
    assert all(one.partition() == keyed_partition(one.key(), 2) for one in keyed)


def test_librdkafka_sees_only_what_was_committed(broker: str, topic: str) -> None:
    create(broker, topic, 1)
    with Producer(broker, transactional_id=topic) as producer:
        for number in range(6):
            producer.begin_transaction()
            producer.send(topic, b"%d" % number)
            producer.flush()
            if number % 2:
                producer.abort_transaction()
            else:
                producer.commit_transaction()
    found = read_with_librdkafka(broker, topic, 3)
    assert [one.value() for one in found] == [b"0", b"2", b"4"]


def test_a_name_that_is_taken_over_fences_the_first(broker: str, topic: str) -> None:
    create(broker, topic, 1)
    with Producer(broker, transactional_id=topic) as first:
        first.begin_transaction()
        first.send(topic, b"zombie").result(30)
        with Producer(broker, transactional_id=topic) as second, second.transaction():
            second.send(topic, b"new")
        with pytest.raises(FencedError):
            first.commit_transaction()
    assert [one.value() for one in read_with_librdkafka(broker, topic, 1)] == [b"new"]


@pytest.fixture
def restarting(new_kafka_node: NewNode) -> Iterator[KafkaNode]:
    node = new_kafka_node()
    node.start()
    yield node
    node.kill()


def test_a_broker_that_is_killed_loses_and_doubles_nothing(
    restarting: KafkaNode, topic: str, volume: Callable[[int, int], int]
) -> None:
    rounds = volume(1, 3)
    create(restarting.bootstrap, topic, 3)
    with Producer(restarting.bootstrap, linger_ms=1) as producer:
        sent = []
        for round_number in range(rounds):
            sent += [producer.send(topic, b"%d" % (round_number * 2000 + n)) for n in range(2000)]
            restarting.kill()
            sent += [
                producer.send(topic, b"%d" % (9000 + round_number * 50 + n)) for n in range(50)
            ]
            restarting.start()
        producer.flush(100)
        assert all(one.is_done and one.error() is None for one in sent)
    with connect(restarting.bootstrap) as connection:
        values = connection.read_table(topic, columns="value").column("value").to_pylist()
    assert len(values) == len(set(values)) == rounds * 2050
