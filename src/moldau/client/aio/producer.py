"""A producer on the program's own loop."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Self, TypeAlias

from moldau.client.aio.own_world import OwnWorld
from moldau.client.aio.producing import Producing
from moldau.client.aio.world import ClientWorld
from moldau.client.arguments.places import AnyTime, OffsetsGiven, committed_offsets_of, seconds_of
from moldau.client.arguments.producer import (
    ArrowStream,
    OnDelivery,
    ProducerArguments,
    arrived,
    arrow_sender,
    membership_of,
)
from moldau.client.arguments.records import HeadersGiven, topic_of
from moldau.client.core.context import ClientContext
from moldau.client.core.producing.batch import Delivery, ProducerBatch, RecordMetadata
from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.deliveries import AsyncDelivery, Deliveries
from moldau.client.errors import ClientError, ClosedError
from moldau.client.interceptors import Acknowledging, ProducerRecord
from moldau.client.settings.client import Servers
from moldau.client.settings.producer import ProducerSettings
from moldau.platform.closing import AsyncClosing

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["AsyncDelivery", "AsyncProducer", "AsyncTableDelivery"]

PRODUCER = "the producer"
RecordParts: TypeAlias = tuple[
    bytes | None, bytes | None, int | None, int | None, tuple[tuple[str, bytes | None], ...]
]
"""Key, value, partition, timestamp and headers, as they are sent."""


class AsyncProducer(AsyncClosing):
    """Sends records to topics.

        async with AsyncProducer("localhost:9092") as producer:
            delivery = await producer.send("orders", b"one", key=b"k")
            metadata = await delivery

    `servers` are HOST:PORT, a list of them, or a mapping of settings by Kafka's names; keywords are
    settings too, with underscores for dots. `key_serializer` and `value_serializer` are a function
    or the name of one, `partitioner` is a name or a function.
    """

    def __init__(self, servers: Servers | None = None, **settings: object) -> None:
        self._given = ProducerArguments(servers, settings)
        self.settings: ProducerSettings = self._given.settings
        self._own: OwnWorld | None = None
        self._lives_in: ClientWorld | None = None
        self._has_begun = False
        self._producing: Producing
        self._deliveries: Deliveries

    def __repr__(self) -> str:
        return f"<AsyncProducer to {','.join(self.settings.bootstrap_servers)}>"

    def start(self) -> None:
        """Begin, on the loop that runs; `async with` does it, and `close` ends it."""
        if self._own is None:
            self._own = OwnWorld("AsyncProducer", "moldau.Producer")
            self.begin_in(self._own.world)

    def begin_in(self, world: ClientWorld) -> None:
        """Begin in a world that the caller closes."""
        self._lives_in = world
        self._has_begun = True
        self._deliveries = self._given.deliveries(world.clock)
        context = ClientContext(self.settings, world.random)
        self._producing = Producing(world, context, self.settings, self._given.partitioner)

    # hot: what the coroutine of the caller pays for a record.
    async def send(
        self,
        topic: str,
        value: object = None,
        *,
        key: object = None,
        partition: int | None = None,
        timestamp: AnyTime | None = None,
        headers: HeadersGiven = (),
        on_delivery: OnDelivery | None = None,
    ) -> AsyncDelivery:
        """Hand a record over, as soon as there is room for it; await the delivery for the rest."""
        chain = self._given.interceptors
        if chain is not None and type(on_delivery) is not Acknowledging:
            record = ProducerRecord(topic, value, key, partition, timestamp, headers)
            return await chain.send_on_loop(self.send, record, on_delivery)
        if self._lives_in is None:
            raise ClosedError(PRODUCER, has_begun=self._has_begun)
        producing = self._producing
        delivery = self._deliveries.on_loop(
            producing, topic, value, key, partition, timestamp, headers, on_delivery
        )
        if not producing.has_room(delivery.size):
            await producing.wait_for_room(delivery.size)
        producing.add(delivery)
        return delivery

    async def send_each(
        self, topic: str, records: Sequence[RecordParts]
    ) -> list[AsyncDelivery | ClientError]:
        """Hand many records over at once; those that are refused have the reason at their place."""
        if self._lives_in is None:
            raise ClosedError(PRODUCER, has_begun=self._has_begun)
        if self._given.interceptors is not None:
            return [await self._sent(topic, one) for one in records]
        producing, made = self._producing, self._deliveries.on_loop
        found: list[AsyncDelivery | ClientError] = []
        taken: list[Delivery] = []
        for key, value, partition, timestamp, headers in records:
            try:
                one = made(producing, topic, value, key, partition, timestamp, headers, None)
            except ClientError as error:
                found.append(error)
                continue
            found.append(one)
            taken.append(one)
        if not producing.has_room(sum(one.size for one in taken)):
            return [await self._sent(topic, one) for one in records]
        refused = {id(one): error for one, error in producing.add_all(taken)}
        return [refused.get(id(one), one) for one in found] if refused else found

    async def _sent(self, topic: str, record: RecordParts) -> AsyncDelivery | ClientError:
        key, value, partition, timestamp, headers = record
        try:
            return await self.send(
                topic, value, key=key, partition=partition, timestamp=timestamp, headers=headers
            )
        except ClientError as error:
            return error

    async def send_and_wait(
        self,
        topic: str,
        value: object = None,
        *,
        key: object = None,
        partition: int | None = None,
        timestamp: AnyTime | None = None,
        headers: HeadersGiven = (),
    ) -> RecordMetadata:
        """Hand a record over and wait until it has arrived."""
        delivery = await self.send(
            topic, value, key=key, partition=partition, timestamp=timestamp, headers=headers
        )
        return await delivery

    async def send_arrow(
        self, topic: str, table: pa.Table | pa.RecordBatch | ArrowStream
    ) -> AsyncTableDelivery:
        """Hand over every row as a record; await the delivery to know that all have arrived.

        A table of pyarrow, or what polars, pandas and DuckDB have. Columns: `value`, and where they
        are there `key`, `partition`, `timestamp` and `headers`.
        """
        kind = arrow_sender()
        count = len(await self.partitions(topic))
        sender = kind(topic, count, self.settings)
        sent: list[ProducerBatch] = []
        for run in sender.runs(table):
            now_ms = self._world.clock.now_ms()
            batches = await self._world.tasks.offload(sender.pack, run, now_ms)
            for batch in batches:
                batch.created_ms = self._world.now_ms()
                if not self._sending.has_room(batch.size):
                    await self._sending.wait_for_room(batch.size)
                self._sending.add_packed([batch])
            sent += batches
        return AsyncTableDelivery(sent, self._sending)

    async def flush(self) -> None:
        """Wait until everything that was handed over has arrived or failed."""
        await self._sending.flush()

    async def partitions(self, topic: str) -> list[int]:
        """The partitions of a topic, by their numbers."""
        return await self._sending.partitions(topic_of(topic))

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[Self]:
        """What is sent inside is there as a whole, or, after an error, not at all."""
        await self._sending.transactions.begin()
        try:
            yield self
        except BaseException:
            await self._sending.transactions.abort()
            raise
        await self._sending.transactions.commit_or_abort()

    async def begin_transaction(self) -> None:
        """For programs to which `async with producer.transaction()` does not fit."""
        await self._sending.transactions.begin()

    async def prepare_transaction(self) -> PreparedTransaction | None:
        """Wait until all of it has arrived, and leave it to others to end it (KIP-939).

        They do so with what is returned, by `moldau.client.AsyncTransactions`; it is None where
        nothing was sent. With transaction_two_phase_commit_enable=True it waits without a limit.
        """
        return await self._sending.transactions.prepare()

    async def commit_transaction(self) -> None:
        """All of it is there after this; with an error, `abort_transaction` is the next step."""
        await self._sending.transactions.commit()

    async def abort_transaction(self) -> None:
        """None of it will be seen by those who read what is committed."""
        await self._sending.transactions.abort()

    async def send_offsets(self, offsets: OffsetsGiven, group: object) -> None:
        """Commit offsets, each the next to read, with the transaction; `group` is a name, or the
        consumer that has read them.
        """
        member, wanted = membership_of(group), committed_offsets_of(offsets)
        await self._sending.transactions.send_offsets(member, wanted)

    async def close(self, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Wait until everything has arrived or failed, `timeout` seconds at most, and end."""
        limit_ms = None if timeout is None else seconds_of(timeout) * 1000
        if self._lives_in is None:
            return
        self._lives_in = None
        own, self._own = self._own, None
        try:
            await self._producing.close(limit_ms)
        finally:
            if own is not None:
                await own.close()
            if self._given.interceptors is not None:
                self._given.interceptors.close()

    @property
    def _world(self) -> ClientWorld:
        if self._lives_in is None:
            raise ClosedError(PRODUCER, has_begun=self._has_begun)
        return self._lives_in

    @property
    def _sending(self) -> Producing:
        """For all but `send`, which looks itself."""
        if self._lives_in is None:
            raise ClosedError(PRODUCER, has_begun=self._has_begun)
        return self._producing


class AsyncTableDelivery:
    """A table on its way: await it to know that every row has arrived."""

    def __init__(self, batches: list[ProducerBatch], producing: Producing) -> None:
        self._batches = batches
        self._producing = producing

    def __await__(self) -> Generator[Any, None, int]:
        return self._wait().__await__()

    async def _wait(self) -> int:
        await self._producing.wait_all(self._batches)
        return arrived(self._batches)
