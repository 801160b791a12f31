"""Writes events into a topic of one broker, with as little as a demonstration needs.

No retries and no idempotence: the broker is in the same process and has only just begun.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from zlib import crc32

from moldau.client.aio.pool import Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask
from moldau.client.settings.client import ClientSettings
from moldau.programs.pipelines.errors import PipelineError
from moldau.programs.pipelines.events import Event
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.records.builder import BatchBuilder

__all__ = ["TopicWriter"]

REQUEST_RECORDS = 2_000
"""In one request; with the largest events still far below what a broker takes."""
TIMEOUT_MS = 30_000
ALL_IN_SYNC = -1
REPLICAS = 1


class TopicWriter:
    """Makes a topic and writes to it; lives on one loop."""

    def __init__(self, bootstrap: str, world: ClientWorld) -> None:
        settings = ClientSettings.of({"bootstrap.servers": bootstrap})
        self._pool = Pool(world, ClientContext(settings, world.random))

    def close(self) -> None:
        self._pool.close()

    async def write(self, topic: str, partitions: int, events: Iterable[Event]) -> int:
        """Make the topic and write all events; how many they were."""
        topic_id = await self._make(topic, partitions)
        waiting, count = iter(events), 0
        while chunk := list(islice(waiting, REQUEST_RECORDS)):
            await self._send(topic, topic_id, _batches(chunk, partitions))
            count += len(chunk)
        return count

    async def _make(self, topic: str, partitions: int) -> bytes:
        wanted = CreateTopicsRequest.CreatableTopic(
            name=topic,
            num_partitions=partitions,
            replication_factor=REPLICAS,
            assignments=[],
            configs=[],
        )
        answer = await self._pool.ask(Ask(CreateTopicsRequest(topics=[wanted])))
        assert isinstance(answer, CreateTopicsResponse)
        made = answer.topics[0]
        _ensure(made.error_code, made.error_message, f"topic {topic} cannot be made")
        return made.topic_id

    async def _send(self, topic: str, topic_id: bytes, batches: dict[int, BatchBuilder]) -> None:
        data = ProduceRequest.TopicProduceData
        parts = [
            data.PartitionProduceData(index=partition, records=memoryview(batch.build()))
            for partition, batch in batches.items()
        ]
        request = ProduceRequest(
            acks=ALL_IN_SYNC,
            timeout_ms=TIMEOUT_MS,
            topic_data=[data(name=topic, topic_id=topic_id, partition_data=parts)],
        )
        answer = await self._pool.ask(Ask(request))
        assert isinstance(answer, ProduceResponse)
        for part in answer.responses[0].partition_responses:
            _ensure(part.error_code, part.error_message, f"topic {topic} takes no records")


def _batches(events: list[Event], partitions: int) -> dict[int, BatchBuilder]:
    """The same key goes to the same partition."""
    batches: dict[int, BatchBuilder] = {}
    for event in events:
        batch = batches.setdefault(crc32(event.key) % partitions, BatchBuilder())
        batch.append(event.timestamp_ms, event.key, event.value)
    return batches


def _ensure(error_code: int, message: str | None, what: str) -> None:
    if error_code:
        raise PipelineError(f"{what}: {message or f'error code {error_code}'}")
