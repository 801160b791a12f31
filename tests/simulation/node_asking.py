"""What a client asks a simulated node for, in words: topics, records, all that is there."""

from __future__ import annotations

from moldau.protocol.messages.data.fetch import FetchRequest
from moldau.protocol.messages.data.produce import ProduceRequest
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.records.batch import iterate_batches
from moldau.protocol.records.builder import BatchBuilder
from moldau.protocol.records.record import iterate_records
from tests.simulation.asking import Client

BYTES_MAX = 1 << 20


async def create(client: Client, name: str, **configs: str) -> None:
    """A topic of one partition."""
    topic = CreateTopicsRequest.CreatableTopic
    config = topic.CreatableTopicConfig
    made = topic(
        name=name,
        num_partitions=1,
        replication_factor=1,
        assignments=[],
        configs=[config(name=k.replace("_", "."), value=v) for k, v in configs.items()],
    )
    answer = await client.ask(CreateTopicsRequest(topics=[made], timeout_ms=5_000), 5)
    assert answer.topics[0].error_code == 0, answer


async def produce(client: Client, topic: str, value: str, timestamp: int) -> int:
    """The error code."""
    builder = BatchBuilder()
    builder.append(timestamp, None, value.encode())
    data = ProduceRequest.TopicProduceData
    one = data.PartitionProduceData(index=0, records=bytes(builder.build()))
    asked = ProduceRequest(
        acks=-1, timeout_ms=3_000, topic_data=[data(name=topic, partition_data=[one])]
    )
    answer = await client.ask(asked, 9)
    return int(answer.responses[0].partition_responses[0].error_code)


async def fetch(client: Client, topic: str, offset: int) -> tuple[int, list[str]]:
    """The error code, and the values from this offset on."""
    named = FetchRequest.FetchTopic
    one = named.FetchPartition(partition=0, fetch_offset=offset, partition_max_bytes=BYTES_MAX)
    asked = FetchRequest(
        max_wait_ms=10,
        min_bytes=1,
        session_epoch=-1,
        topics=[named(topic=topic, partitions=[one])],
    )
    row = (await client.ask(asked, 11)).responses[0].partitions[0]
    values = [
        (record.value or b"").decode()
        for batch in iterate_batches(bytes(row.records or b""))
        for record in iterate_records(batch)
        if record.offset >= offset
    ]
    return int(row.error_code), values


async def read_all(client: Client, topic: str) -> list[str]:
    """Every value, from the beginning."""
    found: list[str] = []
    while True:
        code, values = await fetch(client, topic, len(found))
        assert code == 0, code
        if not values:
            return found
        found += values
