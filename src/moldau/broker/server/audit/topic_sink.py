"""Audit events in a topic, which is created when the first one comes.

A node writes to a partition that it leads itself, where there is one, and else sends its events to
a leader, as a producer does, through the listener that brokers keep for one another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from moldau.broker.metadata.topics import PartitionState, TopicState
from moldau.broker.server.broker import Broker
from moldau.errors import KafkaError
from moldau.platform.ports.clock import Clock
from moldau.protocol.messages.data.produce import ProduceRequest, ProduceResponse
from moldau.protocol.messages.topic.create_topics import CreateTopicsRequest
from moldau.protocol.records.builder import BatchBuilder
from moldau.protocol.wire.error_codes import ErrorCode

__all__ = ["TopicSink"]

LEADER_ONLY, ALL_REPLICAS = 1, -1
NO_LEADER = -1
TIMEOUT_MS = 10_000
Topic = CreateTopicsRequest.CreatableTopic
Data = ProduceRequest.TopicProduceData


class TopicSink:
    """Writes a node's audit records to a topic."""

    def __init__(
        self,
        broker: Callable[[], Broker | None],
        clock: Clock,
        topic: str,
        partitions: int,
        replication_factor: int,
    ) -> None:
        self._broker = broker
        self._clock = clock
        self._topic = topic
        self._partitions = partitions
        self._replication_factor = replication_factor

    def __repr__(self) -> str:
        return f"TopicSink({self._topic})"

    async def write(self, lines: list[bytes]) -> None:
        broker = self._broker()
        if broker is None:
            raise _not_yet("the node is not started")
        topic = broker.metadata.image.topics.by_name.get(self._topic)
        if topic is None:
            self._create(broker)
            raise _not_yet(f"the topic {self._topic} is being created")
        batch = self._batch(lines)
        index, leader_id = _place(topic, broker.node_id)
        if leader_id == broker.node_id:
            partition = broker.replicas.leader(self._topic, index)
            partition.append(batch, required_acks=LEADER_ONLY)
        else:
            await self._send(broker, topic, index, leader_id, batch)

    async def close(self) -> None:
        """There is nothing to close."""

    def _batch(self, lines: list[bytes]) -> bytearray:
        now_ms = self._clock.now_ms()
        builder = BatchBuilder()
        for line in lines:
            builder.append(now_ms, None, line)
        return bytearray(builder.build())

    async def _send(
        self, broker: Broker, topic: TopicState, index: int, leader_id: int, batch: bytearray
    ) -> None:
        partition = Data.PartitionProduceData(index=index, records=bytes(batch))
        data = Data(name=topic.name, topic_id=topic.topic_id, partition_data=[partition])
        request = ProduceRequest(acks=ALL_REPLICAS, timeout_ms=TIMEOUT_MS, topic_data=[data])
        answer = await broker.others.ask(leader_id, request, TIMEOUT_MS)
        for row in cast("ProduceResponse", answer).responses:
            for one in row.partition_responses:
                if one.error_code:
                    raise KafkaError(ErrorCode.read(one.error_code), one.error_message)

    def _create(self, broker: Broker) -> None:
        asked = Topic(
            name=self._topic,
            num_partitions=self._partitions,
            replication_factor=self._replication_factor,
            assignments=[],
            configs=[],
        )
        broker.topic_creation.begin_described(broker, [asked])


def _place(topic: TopicState, node_id: int) -> tuple[int, int]:
    """A partition and its leader: one's own before those of others."""
    led: dict[int, PartitionState] = {
        index: state for index, state in topic.partitions.items() if state.leader != NO_LEADER
    }
    for index, state in led.items():
        if state.leader == node_id:
            return index, node_id
    if not led:
        raise _not_yet(f"no partition of {topic.name} has a leader")
    index = sorted(led)[node_id % len(led)]
    return index, led[index].leader


def _not_yet(text: str) -> KafkaError:
    return KafkaError(ErrorCode.LEADER_NOT_AVAILABLE, text)
