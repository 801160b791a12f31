"""What others do to a broker while a client reads from it: topics made, records appended.

work = BrokerWork(world, "127.0.0.1:9092")
await work.create_topic("t", partitions=2)
await work.append(TopicPartition("t", 0), data_batch(0))
"""

from __future__ import annotations

from typing import TypeVar

from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask
from moldau.client.core.metadata import find_leaders, find_topics
from moldau.client.settings.client import ClientSettings
from moldau.client.topic_partition import TopicPartition
from moldau.protocol.messages.data.delete_records import DeleteRecordsRequest
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.messages.group.find_coordinator import (
    FindCoordinatorRequest,
    FindCoordinatorResponse,
)
from moldau.protocol.messages.topic.create_partitions import (
    CreatePartitionsRequest,
    CreatePartitionsResponse,
)
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest, CreateTopicsResponse
from moldau.protocol.messages.topic.delete_topics import DeleteTopicsRequest
from moldau.protocol.messages.transaction.end_txn import EndTxnRequest, EndTxnResponse
from moldau.protocol.messages.transaction.init_producer_id import (
    InitProducerIdRequest,
    InitProducerIdResponse,
)
from moldau.protocol.records.batch import set_base_offset
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message, Request
from tests.client.batches import data_batch

TIMEOUT_MS = 10_000
TRIES_MAX = 100
Answer = TypeVar("Answer", bound=Message)
NewTopic = CreateTopicsRequest.CreatableTopic
MoreOf = CreatePartitionsRequest.CreatePartitionsTopic
ProducedTopic = ProduceRequest.TopicProduceData
DeletedTopic = DeleteRecordsRequest.DeleteRecordsTopic


class BrokerWork:
    """One more client, with requests that the reading one does not have."""

    def __init__(self, world: ClientWorld, server: str) -> None:
        self._world = world
        self._context = ClientContext(
            ClientSettings.of({"bootstrap.servers": server}), world.random
        )
        self._pool = Pool(world, self._context)
        self._driver = Driver(world, self._pool, TIMEOUT_MS)

    async def create_topic(self, name: str, partitions: int = 1, **configs: str) -> None:
        """Its records stay, however old they say that they are."""
        configs = {"retention_ms": "-1", **configs}
        topic = NewTopic(
            name=name,
            num_partitions=partitions,
            replication_factor=1,
            assignments=[],
            configs=[
                NewTopic.CreatableTopicConfig(name=key.replace("_", "."), value=value)
                for key, value in configs.items()
            ],
        )
        answer = await self._ask(CreateTopicsRequest(topics=[topic]), CreateTopicsResponse)
        assert answer.topics[0].error_code == 0, answer.topics[0].error_message
        await self._driver.hold(find_topics(self._context, [name], self._world.now_ms()))

    async def delete_topic(self, name: str) -> None:
        topic = DeleteTopicsRequest.DeleteTopicState(name=name, topic_id=bytes(16))
        request = DeleteTopicsRequest(topics=[topic], topic_names=[], timeout_ms=TIMEOUT_MS)
        await self._pool.ask(Ask(request))

    async def grow_topic(self, name: str, partitions: int) -> None:
        topic = MoreOf(name=name, count=partitions, assignments=None)
        request = CreatePartitionsRequest(
            topics=[topic], timeout_ms=TIMEOUT_MS, validate_only=False
        )
        answer = await self._ask(request, CreatePartitionsResponse)
        assert answer.results[0].error_code == 0, answer.results[0].error_message

    async def append(
        self, part: TopicPartition, *batches: bytes, transactional_id: str | None = None
    ) -> int:
        """The offset that the last of them got."""
        base_offset = -1
        for batch in batches:
            request = ProduceRequest(
                transactional_id=transactional_id,
                acks=-1,
                timeout_ms=TIMEOUT_MS,
                topic_data=[await self._produced(part, batch)],
            )
            base_offset = await self._produce(part, request)
        return base_offset

    async def _produce(self, part: TopicPartition, request: ProduceRequest) -> int:
        """Once; again only where a leader of a topic just made does not know that it leads."""
        for _ in range(TRIES_MAX):
            answer = await self._ask(request, ProduceResponse, await self._leader(part))
            row = answer.responses[0].partition_responses[0]
            if not ErrorCode.read(row.error_code).refreshes_metadata:
                break
            await self._world.tasks.sleep(50)
        assert row.error_code == 0, f"{row.error_code} {row.error_message}"
        return row.base_offset

    async def delete_before(self, part: TopicPartition, offset: int) -> None:
        row = DeletedTopic.DeleteRecordsPartition(partition_index=part.partition, offset=offset)
        topic = DeletedTopic(name=part.topic, partitions=[row])
        request = DeleteRecordsRequest(topics=[topic], timeout_ms=TIMEOUT_MS)
        await self._pool.ask(Ask(request, await self._leader(part)))

    async def begin(self, transactional_id: str) -> InitProducerIdResponse:
        """A producer id for transactions, as soon as there is a coordinator."""
        for _ in range(TRIES_MAX):
            await self._find_coordinator(transactional_id)
            request = InitProducerIdRequest(
                transactional_id=transactional_id, transaction_timeout_ms=TIMEOUT_MS
            )
            answer = await self._ask(request, InitProducerIdResponse)
            if answer.error_code == 0:
                return answer
            await self._world.tasks.sleep(50)
        raise AssertionError(f"no producer id: {answer.error_code}")

    async def append_in(
        self, part: TopicPartition, transactional_id: str
    ) -> InitProducerIdResponse:
        """Three records in a transaction that stays open."""
        producer = await self.begin(transactional_id)
        batch = data_batch(
            0,
            producer_id=producer.producer_id,
            producer_epoch=producer.producer_epoch,
            transactional=True,
        )
        await self.append(part, batch, transactional_id=transactional_id)
        return producer

    async def end(self, transactional_id: str, producer: InitProducerIdResponse, commit: bool):
        """The answer has the producer's next epoch."""
        for _ in range(TRIES_MAX):
            request = EndTxnRequest(
                transactional_id=transactional_id,
                producer_id=producer.producer_id,
                producer_epoch=producer.producer_epoch,
                committed=commit,
            )
            answer = await self._ask(request, EndTxnResponse)
            if answer.error_code == 0:
                return answer
            await self._world.tasks.sleep(50)
        raise AssertionError(f"the transaction does not end: {answer.error_code}")

    async def _find_coordinator(self, transactional_id: str) -> None:
        request = FindCoordinatorRequest(key_type=1, coordinator_keys=[transactional_id])
        await self._ask(request, FindCoordinatorResponse)

    async def _produced(self, part: TopicPartition, batch: bytes) -> ProducedTopic:
        from_zero = bytearray(batch)
        set_base_offset(from_zero, 0)
        row = ProducedTopic.PartitionProduceData(index=part.partition, records=bytes(from_zero))
        await self._leader(part)
        topic = self._context.cluster.topics[part.topic]
        return ProducedTopic(name=part.topic, topic_id=topic.topic_id, partition_data=[row])

    async def _leader(self, part: TopicPartition) -> int:
        now_ms = self._world.now_ms()
        deadline = self._context.deadline("looking for a leader", now_ms)
        dialogue = find_leaders(self._context, [part], now_ms, deadline)
        return (await self._driver.hold(dialogue))[part].node_id

    async def _ask(self, request: Request, kind: type[Answer], node: int | None = None) -> Answer:
        answer = await self._pool.ask(Ask(request, node))
        assert isinstance(answer, kind)
        return answer

    def close(self) -> None:
        self._pool.close()
