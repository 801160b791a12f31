"""Records that could not be processed go to retry topics, and in the end to a dead-letter topic.

    retries = RetryTopics("orders", delays=(5.0, 60.0))
    consumer = Consumer(servers, group_id="billing", enable_auto_commit=False)
    with consumer, Producer(servers) as producer:
        consumer.subscribe(retries.topics)
        while True:
            retries.process(consumer, producer, handle)

`handle` takes a record; an exception of the kinds in `errors` moves it to the next topic, with
headers that name the cause (`core.retry_plan`). A record of a retry topic is processed when its
delay is over: until then its partition is paused.

Offsets are committed when all that failed has arrived where it was sent, so that each record is
processed once or more often. With a transactional producer the moved records and the offsets are
committed together. After any other error the consumer is back where these records began.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TypeAlias

from moldau.client.aio.consumer import AsyncConsumer
from moldau.client.aio.producer import AsyncProducer
from moldau.client.core.admin.topics import NewTopic
from moldau.client.core.consuming.records import ConsumerRecord
from moldau.client.core.failure import ensure_done
from moldau.client.core.retry_plan import (
    Failure,
    Processed,
    RetryPlan,
    Round,
    failure_of,
)
from moldau.client.errors import ClosedError, InvalidArgumentError
from moldau.client.sync.consumer import Consumer
from moldau.client.sync.producer import Producer
from moldau.client.topic_partition import TopicPartition
from moldau.platform.ports.clock import Clock
from moldau.platform.system.clock import SystemClock

__all__ = ["Failure", "Processed", "RetryTopics", "failure_of"]

Handle: TypeAlias = Callable[[ConsumerRecord], object]
AnyConsumer: TypeAlias = Consumer | AsyncConsumer


class RetryTopics(RetryPlan):
    """A topic with its retry topics and its dead-letter topic, for one consumer at a time."""

    def __init__(
        self,
        topic: str,
        *,
        delays: Sequence[float] = (1.0, 10.0, 60.0),
        errors: type[Exception] | tuple[type[Exception], ...] = (Exception,),
        dead_at_once: type[Exception] | tuple[type[Exception], ...] = (),
        clock: Clock | None = None,
    ) -> None:
        """A retry topic for each of `delays`, in seconds; `dead_at_once` are not retried."""
        super().__init__(topic, delays, errors, dead_at_once)
        self._clock = clock or SystemClock()
        self._waiting: dict[TopicPartition, int] = {}
        """Partitions that are paused, and until when."""

    def new_topics(
        self, partitions: int | None = None, replication_factor: int | None = None
    ) -> list[NewTopic]:
        """The retry topics and the dead-letter topic, for `create_topics` of an admin client."""
        names = (*self.topics[1:], self.dead_letter_topic)
        return [NewTopic(name, partitions, replication_factor) for name in names]

    def process(
        self, consumer: Consumer, producer: Producer, handle: Handle, timeout: float = 1.0
    ) -> Processed:
        """Process what one poll returns, move what fails, and commit."""
        self._ensure_fit(consumer)
        self._resume(consumer)
        work = self._due(consumer, consumer.poll(timeout))
        if not work.records:
            return work.processed
        with _rewound(consumer, work):
            if producer.settings.transactional_id is None:
                self._work(producer, handle, work)
                consumer.commit(work.offsets)
            else:
                with producer.transaction():
                    self._work(producer, handle, work)
                    producer.send_offsets(work.offsets, consumer)
        return work.processed

    def _work(self, producer: Producer, handle: Handle, work: Round) -> None:
        """Return when everything that failed has arrived."""
        sent = []
        for record in work.records:
            try:
                answer = handle(record)
            except self.errors as error:
                moved = work.failed(record, error, self._clock.now_ms())
                value, key = record.value, record.key
                sent.append(producer.send(moved.topic, value, key=key, headers=moved.headers))
            else:
                ensure_done(answer, "handle", "use process_on_loop")
                work.done(record)
        for delivery in sent:
            delivery.result()

    async def process_on_loop(
        self,
        consumer: AsyncConsumer,
        producer: AsyncProducer,
        handle: Handle,
        timeout: float = 1.0,  # noqa: ASYNC109
    ) -> Processed:
        """The same with clients on a loop; `handle` may be a coroutine function."""
        self._ensure_fit(consumer)
        self._resume(consumer)
        work = self._due(consumer, await consumer.poll(timeout))
        if not work.records:
            return work.processed
        with _rewound(consumer, work):
            if producer.settings.transactional_id is None:
                await self._work_on_loop(producer, handle, work)
                await consumer.commit(work.offsets)
            else:
                async with producer.transaction():
                    await self._work_on_loop(producer, handle, work)
                    await producer.send_offsets(work.offsets, consumer)
        return work.processed

    async def _work_on_loop(self, producer: AsyncProducer, handle: Handle, work: Round) -> None:
        sent = []
        for record in work.records:
            try:
                answer = handle(record)
                if isinstance(answer, Awaitable):
                    await answer
            except self.errors as error:
                moved = work.failed(record, error, self._clock.now_ms())
                value, key = record.value, record.key
                sent.append(await producer.send(moved.topic, value, key=key, headers=moved.headers))
            else:
                work.done(record)
        for delivery in sent:
            await delivery

    def _ensure_fit(self, consumer: AnyConsumer) -> None:
        if consumer.settings.enable_auto_commit:
            raise InvalidArgumentError(
                "a consumer whose records are retried commits with what was moved: give it "
                "enable_auto_commit=False"
            )
        if consumer.deserializes:
            raise InvalidArgumentError(
                "a consumer whose records are retried returns the bytes that came, to be moved as "
                "they are: deserialize in `handle`, whose errors are retried"
            )

    def _due(self, consumer: AnyConsumer, records: list[ConsumerRecord]) -> Round:
        """Those whose delay is over; the partition of any other is paused where it is."""
        now_ms, due = self._clock.now_ms(), []
        waiting = set()
        for record in records:
            part = TopicPartition(record.topic, record.partition)
            if part in waiting:
                continue
            due_ms = self.due_ms(record)
            if due_ms is None or due_ms <= now_ms:
                due.append(record)
                continue
            waiting.add(part)
            self._waiting[part] = due_ms
            consumer.seek(part, record.offset)
            consumer.pause([part])
        return Round(self, due)

    def _resume(self, consumer: AnyConsumer) -> None:
        """What is due goes on; what another member reads now is not waited for."""
        now_ms, paused = self._clock.now_ms(), consumer.paused()
        for part, due_ms in list(self._waiting.items()):
            if part not in paused:
                del self._waiting[part]
            elif due_ms <= now_ms:
                del self._waiting[part]
                consumer.resume([part])


@contextmanager
def _rewound(consumer: AnyConsumer, work: Round) -> Iterator[None]:
    """After an error these records come again; others read what this member has lost."""
    try:
        yield
    except BaseException:
        with suppress(ClosedError):
            assigned = consumer.assignment()
            for part, offset in work.starts.items():
                if part in assigned:
                    consumer.seek(part, offset)
        raise
