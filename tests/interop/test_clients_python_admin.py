"""kafka-python's transactions and admin, and aiokafka's codecs and groups, on a node of ours."""

from __future__ import annotations

import asyncio

import pytest

kafka = pytest.importorskip("kafka", reason="kafka-python is not installed")
aiokafka = pytest.importorskip("aiokafka", reason="aiokafka is not installed")

pytestmark = pytest.mark.judge

SECONDS_MAX = 30


def read_all(place, topic, count, **settings):
    consumer = kafka.KafkaConsumer(
        topic, bootstrap_servers=place, auto_offset_reset="earliest", **settings
    )
    found = []
    for _ in range(SECONDS_MAX):
        found += [one.value for batch in consumer.poll(1000).values() for one in batch]
        if len(found) >= count:
            break
    consumer.close()
    return found


def test_kafka_python_reads_only_what_it_committed(place, topic):
    producer = kafka.KafkaProducer(bootstrap_servers=place, transactional_id=topic)
    producer.init_transactions()
    for name, end in (
        (b"aborted", producer.abort_transaction),
        (b"committed", producer.commit_transaction),
    ):
        producer.begin_transaction()
        producer.send(topic, name)
        producer.flush()
        end()
    producer.close()
    found = read_all(place, topic, 1, group_id=None, isolation_level="read_committed")
    assert found == [b"committed"]


def test_kafka_python_administers_topics_and_groups(place, topic):
    client = kafka.KafkaAdminClient(bootstrap_servers=place)
    client.create_topics([kafka.admin.NewTopic(topic, 3, 1)])
    client.create_partitions({topic: kafka.admin.NewPartitions(5)})
    (described,) = client.describe_topics([topic])
    assert len(described["partitions"]) == 5
    producer = kafka.KafkaProducer(bootstrap_servers=place)
    producer.send(topic, b"value", partition=2).get(SECONDS_MAX)
    producer.close()
    assert read_all(place, topic, 1, group_id=f"group-{topic}") == [b"value"]
    offsets = client.list_group_offsets(f"group-{topic}")
    assert offsets[f"group-{topic}"][kafka.TopicPartition(topic, 2)].offset == 1
    client.delete_topics([topic])
    assert topic not in client.list_topics()
    client.close()


@pytest.mark.parametrize("codec", [None, "gzip", "snappy", "lz4", "zstd"])
def test_aiokafka_reads_back_what_it_wrote_in_every_codec(place, topic, codec):
    values = [f"value {number}".encode() * 20 for number in range(200)]

    async def scenario():
        producer = aiokafka.AIOKafkaProducer(
            bootstrap_servers=place, compression_type=codec, enable_idempotence=True
        )
        async with producer:
            sent = [
                await producer.send(topic, value, key=b"k", headers=[("h", b"1")])
                for value in values
            ]
            await asyncio.gather(*sent)
        consumer = aiokafka.AIOKafkaConsumer(
            topic, bootstrap_servers=place, auto_offset_reset="earliest"
        )
        async with consumer:
            return [await consumer.getone() for _ in values]

    found = asyncio.run(asyncio.wait_for(scenario(), SECONDS_MAX))
    assert [one.value for one in found] == values
    assert {one.headers for one in found} == {(("h", b"1"),)}


def test_members_of_aiokafka_share_and_take_over(place, topic):
    async def scenario():
        producer = aiokafka.AIOKafkaProducer(bootstrap_servers=place)
        group = {"group_id": topic, "auto_offset_reset": "earliest", "heartbeat_interval_ms": 300}
        members = [
            aiokafka.AIOKafkaConsumer(topic, bootstrap_servers=place, **group) for _ in range(2)
        ]
        await producer.start()
        partitions = await producer.partitions_for(topic)
        for one in members:
            await one.start()
        for partition in partitions:
            await producer.send_and_wait(topic, b"shared", partition=partition)
        shared = await asyncio.gather(*(one.getone() for one in members))
        await members[0].stop()
        for partition in partitions:
            await producer.send_and_wait(topic, b"taken over", partition=partition)
        taken = [await members[1].getone() for _ in partitions]
        await members[1].stop()
        await producer.stop()
        return shared, taken

    shared, taken = asyncio.run(asyncio.wait_for(scenario(), SECONDS_MAX))
    assert sorted((one.partition, one.value) for one in shared) == [(0, b"shared"), (1, b"shared")]
    assert sorted((one.partition, one.offset) for one in taken) == [(0, 1), (1, 1)]
