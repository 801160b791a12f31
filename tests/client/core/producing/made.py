"""A sender in a cluster of two brokers, and what it receives."""

from __future__ import annotations

from typing import Any

from moldau.client.core.producing.batch import Delivery, Identity
from moldau.client.core.producing.events import (
    Answered,
    Effect,
    Identified,
    Identify,
    Refresh,
    Refreshed,
    Send,
    Tick,
)
from moldau.client.core.producing.sender import Sender
from moldau.client.settings.producer import ProducerSettings
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.records.batch import BatchHeader, read_header
from moldau.protocol.wire.error_codes import ErrorCode
from tests.client.answers import metadata
from tests.client.conversation import context

TOPICS = {"t": {0: (1, 3), 1: (2, 3)}}
Answer = ProduceResponse.TopicProduceResponse
Row = Answer.PartitionProduceResponse


def settings_of(**settings: str) -> ProducerSettings:
    given = {name.replace("_", "."): value for name, value in settings.items()}
    return ProducerSettings.of({"bootstrap.servers": "b1:9092", **given})


def record(value: bytes = b"v", *, key: bytes | None = None, partition: int = 0) -> Delivery:
    return Delivery("t", value, key, partition, 1000, (), None)


class Made:
    """With topic `t`, whose partition 0 broker 1 leads, and 1 broker 2."""

    def __init__(self, *, knows: bool = True, identity: bool = True, **settings: str) -> None:
        self.settings = settings_of(**settings)
        self.context = context(**settings)
        if knows:
            self.context.cluster.apply_metadata(metadata(TOPICS), 0)
        self.sender = Sender(self.context, self.settings)
        self.now_ms = 0
        self.effects: list[Effect] = []
        self.wake_at_ms: float | None = None
        if identity:
            self.sender.identity = Identity(7, 0)

    def add(self, *deliveries: Delivery) -> None:
        for delivery in deliveries:
            self.sender.add(delivery, self.now_ms)

    def step(self, event=None, later_ms: int = 0) -> list[Effect]:
        self.now_ms += later_ms
        self.effects, self.wake_at_ms = self.sender.step(event or Tick(), self.now_ms)
        return self.effects

    def sends(self, event=None, later_ms: int = 0) -> list[Send]:
        return [one for one in self.step(event, later_ms) if isinstance(one, Send)]

    def learns(self) -> list[Send]:
        """The metadata that it asks for."""
        assert any(isinstance(effect, Refresh) for effect in self.effects), self.effects
        self.context.cluster.apply_metadata(metadata(TOPICS), self.now_ms)
        return self.sends(Refreshed(("t",)))

    def is_named(self) -> list[Send]:
        assert any(isinstance(effect, Identify) for effect in self.effects), self.effects
        return self.sends(Identified(Identity(7, 0)))

    def receives(
        self, send: Send, code: ErrorCode = ErrorCode.NONE, offset: int = 100, later_ms: int = 0
    ) -> list[Send]:
        return self.sends(Answered(send, answer_to(send, code, offset)), later_ms)


def begun(**settings: Any) -> Made:
    """One whose first record, of sequence 0, has arrived in partition 0."""
    made = Made(linger_ms="0", batch_size="1", **settings)
    made.add(record())
    (first,) = made.sends()
    made.receives(first)
    return made


def answer_to(send: Send, code: ErrorCode = ErrorCode.NONE, offset: int = 100) -> ProduceResponse:
    responses = [
        Answer(
            name=topic.name,
            topic_id=topic.topic_id,
            partition_responses=[
                Row(index=data.index, error_code=code, base_offset=offset)
                for data in topic.partition_data
            ],
        )
        for topic in send.request.topic_data
    ]
    return ProduceResponse(responses=responses)


def headers(send: Send) -> list[BatchHeader]:
    rows = [data for topic in send.request.topic_data for data in topic.partition_data]
    return [read_header(data.records) for data in rows if data.records is not None]
