"""kafka-python and aiokafka, clients written in Python, take a node of ours for Apache Kafka."""

from __future__ import annotations

import asyncio
import uuid

import pytest

from tests.interop.running_node import running_node

kafka = pytest.importorskip("kafka", reason="kafka-python is not installed")
aiokafka = pytest.importorskip("aiokafka", reason="aiokafka is not installed")

SECONDS_MAX = 30


@pytest.fixture(scope="module")
def bootstrap(tmp_path_factory):
    with running_node(tmp_path_factory.mktemp("python")) as place:
        yield place


@pytest.fixture
def topic():
    return f"topic-{uuid.uuid4().hex[:12]}"


def produce(bootstrap, topic, values, **settings):
    producer = kafka.KafkaProducer(bootstrap_servers=bootstrap, **settings)
    sent = [
        producer.send(topic, value, key=b"k", headers=[("number", str(number).encode())])
        for number, value in enumerate(values)
    ]
    metadata = [one.get(SECONDS_MAX) for one in sent]
    producer.close()
    return metadata


def consume(bootstrap, topic, count, **settings):
    consumer = kafka.KafkaConsumer(
        topic, bootstrap_servers=bootstrap, auto_offset_reset="earliest", **settings
    )
    records = []
    for _ in range(SECONDS_MAX):
        for found in consumer.poll(1000).values():
            records += found
        if len(records) >= count:
            break
    if settings.get("group_id"):
        consumer.commit()
    consumer.close()
    return records


@pytest.mark.parametrize("codec", [None, "gzip", "snappy", "lz4", "zstd"])
def test_kafka_python_reads_back_what_it_wrote_in_every_codec(bootstrap, topic, codec):
    values = [f"value {number}".encode() for number in range(500)]
    metadata = produce(bootstrap, topic, values, compression_type=codec)
    assert {one.topic for one in metadata} == {topic}
    records = consume(bootstrap, topic, 500, group_id=None)
    assert [one.value for one in records] == values
    assert records[7].headers in ([("number", b"7")], (("number", b"7"),))


def test_kafka_python_goes_on_where_its_group_has_stopped(bootstrap, topic):
    group = f"group-{topic}"
    produce(bootstrap, topic, [b"first", b"second"])
    assert len(consume(bootstrap, topic, 2, group_id=group)) == 2
    produce(bootstrap, topic, [b"third"])
    assert [one.value for one in consume(bootstrap, topic, 1, group_id=group)] == [b"third"]


def test_kafka_python_finds_offsets_by_time_and_place(bootstrap, topic):
    metadata = produce(bootstrap, topic, [b"a", b"b", b"c"], acks="all")
    place = kafka.TopicPartition(topic, metadata[0].partition)
    consumer = kafka.KafkaConsumer(bootstrap_servers=bootstrap)
    assert consumer.beginning_offsets([place]) == {place: 0}
    assert consumer.end_offsets([place]) == {place: 3}
    found = consumer.offsets_for_times({place: metadata[1].timestamp})[place]
    assert found.offset <= 1
    consumer.close()


def test_aiokafka_reads_back_what_it_wrote_in_a_group(bootstrap, topic):
    async def main():
        producer = aiokafka.AIOKafkaProducer(bootstrap_servers=bootstrap, enable_idempotence=True)
        await producer.start()
        for number in range(300):
            await producer.send(topic, str(number).encode(), headers=[("h", b"1")])
        await producer.stop()
        consumer = aiokafka.AIOKafkaConsumer(
            topic, bootstrap_servers=bootstrap, auto_offset_reset="earliest", group_id=topic
        )
        await consumer.start()
        read: list[bytes] = []
        while len(read) < 300:
            for found in (await consumer.getmany(timeout_ms=1000)).values():
                read += [one.value for one in found]
        await consumer.stop()
        return read

    read = asyncio.run(asyncio.wait_for(main(), SECONDS_MAX))
    assert sorted(map(int, read)) == list(range(300))


def test_aiokafka_commits_and_aborts_transactions(bootstrap, topic):
    async def main():
        producer = aiokafka.AIOKafkaProducer(
            bootstrap_servers=bootstrap, transactional_id=f"id-{topic}"
        )
        await producer.start()
        async with producer.transaction():
            await producer.send_and_wait(topic, b"kept")
        await producer.begin_transaction()
        await producer.send_and_wait(topic, b"dropped")
        await producer.abort_transaction()
        await producer.stop()
        consumer = aiokafka.AIOKafkaConsumer(
            topic,
            bootstrap_servers=bootstrap,
            auto_offset_reset="earliest",
            isolation_level="read_committed",
        )
        await consumer.start()
        first = await consumer.getone()
        rest = await consumer.getmany(timeout_ms=500)
        await consumer.stop()
        return first.value, rest

    assert asyncio.run(asyncio.wait_for(main(), SECONDS_MAX)) == (b"kept", {})
