"""The blocking face of a producer: records are handed to a loop in the background, many at once.

Safe to be used by several threads; the records of each keep their order.
"""

from __future__ import annotations

import warnings
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Self

from moldau.client.aio.awaiting import call_back
from moldau.client.aio.producing import Producing
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
from moldau.client.core.producing.batch import (
    Delivery,
    Outcome,
    Pending,
    ProducerBatch,
)
from moldau.client.core.producing.prepared import PreparedTransaction
from moldau.client.deliveries import SyncDelivery
from moldau.client.errors import BufferFullError, NotYetError
from moldau.client.interceptors import Acknowledging, ProducerRecord
from moldau.client.settings.client import Servers
from moldau.client.sync.own_loop import OwnLoop
from moldau.platform.closing import Closing
from moldau.platform.system.background import Background, BackgroundEndedError
from moldau.platform.system.mailbox import Mailbox, MailboxFullError

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Producer", "SyncDelivery", "TableDelivery"]

MS_PER_SECOND = 1000


class Producer(Closing):
    """Sends records to topics.

        with Producer("localhost:9092") as producer:
            delivery = producer.send("orders", b"one", key=b"k")
            metadata = delivery.result()

    `servers` are HOST:PORT, a list of them, or a mapping of settings by Kafka's names; keywords are
    settings too, with underscores for dots. `key_serializer` and `value_serializer` are a function
    or the name of one, `partitioner` is a name or a function. One producer serves a whole program;
    at the end `close` it, or records may be lost that have not left.
    """

    def __init__(self, servers: Servers | None = None, **settings: object) -> None:
        self._given = ProducerArguments(servers, settings)
        self.settings = self._given.settings
        self._loop = OwnLoop("moldau-producer", "the producer")
        self._clock = self._loop.world.clock
        self._deliveries = self._given.deliveries(self._clock)
        self._max_block_ms: int = self.settings.max_block_ms
        self._producing: Producing = self._loop.call(self._open)
        self._transaction = self._producing.sender.transaction
        self._mailbox = _mailbox(
            self._loop.background, self._producing, self.settings.buffer_memory
        )

    def __repr__(self) -> str:
        return f"<Producer to {','.join(self.settings.bootstrap_servers)}>"

    # hot: what the caller's thread pays for a record.
    def send(
        self,
        topic: str,
        value: object = None,
        *,
        key: object = None,
        partition: int | None = None,
        timestamp: AnyTime | None = None,
        headers: HeadersGiven = (),
        on_delivery: OnDelivery | None = None,
    ) -> SyncDelivery:
        """Hand a record over; it waits only while the buffer is full.

        `on_delivery(metadata, error)` is called in the background when it has arrived or failed.
        """
        chain = self._given.interceptors
        if chain is not None and type(on_delivery) is not Acknowledging:
            record = ProducerRecord(topic, value, key, partition, timestamp, headers)
            return chain.send(self.send, record, on_delivery)
        if self._transaction is not None:  # or it would be the delivery's error, at which few look
            self._transaction.ensure_open()
        delivery = self._deliveries.blocking(
            self, topic, value, key, partition, timestamp, headers, on_delivery
        )
        try:
            self._mailbox.put(delivery, delivery.size, self._max_block_ms)
        except MailboxFullError:
            raise BufferFullError(self.settings.buffer_memory, self.settings.max_block_ms) from None
        except BackgroundEndedError as ended:
            raise self._loop.closed(ended) from ended
        return delivery

    def send_arrow(
        self, topic: str, table: pa.Table | pa.RecordBatch | ArrowStream
    ) -> TableDelivery:
        """Hand over every row as a record; `result()` waits until all have arrived.

        A table of pyarrow, or what polars, pandas and DuckDB have. Columns: `value`, and where they
        are there `key`, `partition`, `timestamp` and `headers`.
        """
        sender = arrow_sender()(topic, len(self.partitions(topic)), self.settings)
        sent: list[ProducerBatch] = []
        for run in sender.runs(table):
            batches = sender.pack(run, self._clock.now_ms())
            self._loop.call(partial(self._add_packed, batches))
            sent += batches
        return TableDelivery(sent, self)

    def flush(self, timeout: float | None = None) -> None:
        """Wait until everything that was handed over has arrived or failed."""
        limit = None if timeout is None else seconds_of(timeout)
        self._loop.call(lambda: self._limited(self._flush(), limit, "flush"))

    def partitions(self, topic: str) -> list[int]:
        """The partitions of a topic, by their numbers."""
        return self._loop.call(lambda: self._producing.partitions(topic_of(topic)))

    @contextmanager
    def transaction(self) -> Iterator[Self]:
        """What is sent inside is there as a whole, or, after an error, not at all."""
        self.begin_transaction()
        try:
            yield self
        except BaseException:
            self.abort_transaction()
            raise
        self._loop.call(lambda: self._collected(self._producing.transactions.commit_or_abort))

    def begin_transaction(self) -> None:
        """For programs to which `with producer.transaction()` does not fit."""
        self._loop.call(lambda: self._collected(self._producing.transactions.begin))

    def prepare_transaction(self) -> PreparedTransaction | None:
        """Wait until all of it has arrived, and leave it to others to end it (KIP-939).

        They do so with what is returned, by `moldau.client.Transactions`; it is None where
        nothing was sent. With transaction_two_phase_commit_enable=True it waits without a limit.
        """
        return self._loop.call(self._prepare)

    def commit_transaction(self) -> None:
        """All of it is there after this; with an error, `abort_transaction` is the next step."""
        self._loop.call(lambda: self._collected(self._producing.transactions.commit))

    def abort_transaction(self) -> None:
        """None of it will be seen by those who read what is committed."""
        self._loop.call(lambda: self._collected(self._producing.transactions.abort))

    def send_offsets(self, offsets: OffsetsGiven, group: object) -> None:
        """Commit offsets, each the next to read, with the transaction; `group` is a name, or the
        consumer that has read them.
        """
        member, wanted = membership_of(group), committed_offsets_of(offsets)
        self._loop.call(lambda: self._producing.transactions.send_offsets(member, wanted))

    def close(self, timeout: float | None = None) -> None:
        """Wait until everything has arrived or failed, `timeout` seconds at most, and end."""
        limit_ms = None if timeout is None else seconds_of(timeout) * MS_PER_SECOND
        self._loop.ensure_elsewhere()
        self._mailbox.close()
        self._loop.close(lambda: self._close(limit_ms))
        if self._given.interceptors is not None:
            self._given.interceptors.close()

    def __del__(self, _warn: Callable[..., None] = warnings.warn) -> None:
        # What has been sent arrives all the same, and then the loop ends.
        producing: Producing | None = getattr(self, "_producing", None)
        if producing is not None and self._loop.end_after(producing.close):
            _warn(f"unclosed {self!r}", ResourceWarning, source=self)

    # on the loop

    async def _open(self) -> Producing:
        world = self._loop.world
        context = ClientContext(self.settings, world.random)
        return Producing(world, context, self.settings, self._given.partitioner)

    async def _add_packed(self, batches: list[ProducerBatch]) -> None:
        self._mailbox.collect()
        now_ms = self._loop.world.now_ms()
        for batch in batches:
            batch.created_ms = now_ms
            if not self._producing.has_room(batch.size):
                await self._producing.wait_for_room(batch.size)
            self._producing.add_packed([batch])

    async def _flush(self) -> None:
        self._mailbox.collect()
        await self._producing.flush()

    async def _prepare(self) -> PreparedTransaction | None:
        self._mailbox.collect()
        return await self._producing.transactions.prepare()

    async def _collected(self, step: Callable[[], Awaitable[None]]) -> None:
        """Everything that was sent before belongs before it."""
        self._mailbox.collect()
        await step()

    async def _close(self, limit_ms: float | None) -> None:
        self._mailbox.collect()
        await self._producing.close(limit_ms)

    def wait(self, delivery: Delivery, timeout: float | None) -> None:
        """Until it has arrived or failed: `result()` of a delivery does it."""
        timeout = None if timeout is None else seconds_of(timeout)
        watch = self._producing.watch
        is_done = self._loop.wait_for(
            lambda done: self._begin_waiting(delivery, done),
            timeout,
            lambda done: watch(delivery, done),
        )
        if not is_done:
            assert timeout is not None, "it has waited for ever"
            raise NotYetError("the record", timeout)

    def _begin_waiting(self, delivery: Delivery, done: Callable[[], None]) -> None:
        self._mailbox.collect()
        self._producing.call_when_done(delivery, done)

    def _wait_all(self, batches: list[ProducerBatch], timeout: float | None) -> None:
        work = self._producing.wait_all
        self._loop.call(lambda: self._limited(work(batches), timeout, "the table"))

    async def _limited(self, work: Awaitable[None], seconds: float | None, what: str) -> None:
        if seconds is None:
            await work
            return
        try:
            async with self._loop.world.tasks.deadline(seconds * MS_PER_SECOND):
                await work
        except TimeoutError:
            raise NotYetError(what, seconds) from None


def _mailbox(background: Background, producing: Producing, size_max: int) -> Mailbox[Delivery]:
    """From the threads that send to the loop, where nothing refers to a producer.

    So it is freed when it is forgotten, and not by the collector of garbage, which would end the
    loop before `__del__` is called.
    """

    def take(deliveries: list[Delivery]) -> None:
        refused = producing.add_all(deliveries)
        for delivery, error in refused:
            pending = Pending()
            pending.outcome = Outcome(error=error)
            delivery.is_part_of(pending, 0)
            for waiter in pending.waiters:
                waiter.keep(None)
        call_back(delivery for delivery, _ in refused)
        mailbox.hold(producing.used_bytes)

    mailbox: Mailbox[Delivery] = Mailbox(background, take, size_max)
    producing.on_release(lambda: mailbox.hold(producing.used_bytes))
    return mailbox


class TableDelivery:
    """A table on its way: `result()` waits until every row has arrived."""

    def __init__(self, batches: list[ProducerBatch], producer: Producer) -> None:
        self._batches = batches
        self._producer = producer

    def __repr__(self) -> str:
        return f"<TableDelivery: {sum(batch.count for batch in self._batches)} records>"

    def result(self, timeout: float | None = None) -> int:
        """How many records have arrived; the error of the first batch that failed is raised."""
        self._producer._wait_all(self._batches, timeout)
        return arrived(self._batches)
