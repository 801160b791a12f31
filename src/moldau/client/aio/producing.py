"""Runs a sender: carries out its requests, and wakes what waits for its records."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from typing import assert_never

from moldau.client.aio.awaiting import Watcher, pending_of
from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Lane, Pool
from moldau.client.aio.sender_runner import SenderRunner
from moldau.client.aio.telemetry import TelemetryRunner
from moldau.client.aio.transacting import Transacting
from moldau.client.aio.world import ClientWorld
from moldau.client.core.context import ClientContext
from moldau.client.core.dialogue import Ask
from moldau.client.core.metadata import know_for_sending, refresh_now
from moldau.client.core.producing.batch import (
    Delivery,
    Identity,
    Pending,
    ProducerBatch,
    RecordMetadata,
)
from moldau.client.core.producing.dialogues import (
    identify,
)
from moldau.client.core.producing.events import (
    AddPartitions,
    Answered,
    Broken,
    Effect,
    Identified,
    Identify,
    Refresh,
    Refreshed,
    Send,
    Settled,
)
from moldau.client.core.producing.partitioners import Partitioner
from moldau.client.core.producing.sender import Sender
from moldau.client.errors import (
    BufferFullError,
    ClientError,
    ClosedError,
    UnresolvedError,
)
from moldau.client.settings.producer import ProducerSettings
from moldau.platform.ports.tasks import Promise

__all__ = ["Producing"]

log = logging.getLogger(__name__)
PRODUCER = "the producer"


class Producing:
    """The loop's part of one producer: it drives the sender and its connections."""

    def __init__(
        self,
        world: ClientWorld,
        context: ClientContext,
        settings: ProducerSettings,
        partitioner: Partitioner | None = None,
    ) -> None:
        self._world = world
        self._context = context
        self._settings = settings
        self._pool = Pool(world, context)
        self._driver = Driver(world, self._pool, settings.default_api_timeout_ms)
        about = {"transactional_id": settings.transactional_id}
        self._telemetry = TelemetryRunner(world, context, self._pool, "producer", about)
        self.sender = Sender(context, settings, partitioner)
        self._runner = SenderRunner(
            world, context.meter, self._pool, self.sender, settings.linger_ms, self
        )
        self.transactions = Transacting(
            world,
            context,
            settings,
            self._driver,
            self.sender,
            self._ensure_open,
            self.flush,
            self._runner.do_all,
        )
        self._starts_telemetry = settings.enable_metrics_push
        self._room_waiters: deque[Promise[None]] = deque()
        self._on_release: Callable[[], None] | None = None

    # records

    @property
    def used_bytes(self) -> int:
        """Of records that have neither arrived nor failed."""
        return self.sender.accumulator.used_bytes

    def has_room(self, size: int) -> bool:
        return not self._room_waiters and self.sender.accumulator.has_room(size)

    async def wait_for_room(self, size: int) -> None:
        """Sends that came before have it first."""
        waiter: Promise[None] = self._world.tasks.promise()
        self._room_waiters.append(waiter)
        self._runner.soon()
        block_ms = self._settings.max_block_ms
        try:
            async with self._world.tasks.deadline(block_ms):
                while self._room_waiters[0] is not waiter or not self._fits(size):
                    await waiter.wait()
                    self._ensure_open()
                    renewed: Promise[None] = self._world.tasks.promise()
                    self._room_waiters[self._room_waiters.index(waiter)] = renewed
                    waiter = renewed
        except TimeoutError:
            raise BufferFullError(self._settings.buffer_memory, block_ms) from None
        finally:
            self._room_waiters.remove(waiter)
            self._wake_for_room()

    def add(self, delivery: Delivery) -> None:
        """It has been taken, and will arrive or fail."""
        if self._runner.is_closed:
            raise ClosedError(PRODUCER)
        if self._starts_telemetry:
            self._measure()
        self._runner.add(delivery)

    def add_all(self, deliveries: list[Delivery]) -> list[tuple[Delivery, ClientError]]:
        """The same for many, each of which is taken or returned with the cause."""
        if self._runner.is_closed:
            error = ClosedError(PRODUCER)
            return [(delivery, error) for delivery in deliveries]
        if self._starts_telemetry:
            self._measure()
        return self._runner.add_all(deliveries)

    def _measure(self) -> None:
        self._world.ensure_here()
        self._starts_telemetry = False
        self._telemetry.start()

    def add_packed(self, batches: list[ProducerBatch]) -> None:
        self._ensure_open()
        if self._starts_telemetry:
            self._measure()
        self.sender.add_packed(batches, self._world.now_ms())
        self._runner.soon()

    async def wait(self, delivery: Delivery) -> RecordMetadata:
        """Where the record is, or the error that it ended with."""
        self._world.ensure_here()
        self._runner.hurry()
        while not delivery.is_done:
            promise: Promise[None] = self._world.tasks.promise()  # no coroutine more for each
            pending_of(delivery).waiters.append(promise)
            await promise.wait()
        return delivery.metadata()

    def call_when_done(self, delivery: Delivery, action: Callable[[], None]) -> None:
        """The same for another loop or thread: `action` is called in the turn that knows it."""
        self._runner.hurry()
        if delivery.is_done:
            action()
        else:
            pending_of(delivery).waiters.append(Watcher(delivery, action))

    def watch(self, delivery: Delivery, action: Callable[[], None]) -> bool:
        """The same from any thread, one at a time; False where it has to be asked for on the loop.

        What becomes of a record is written before its waiters are woken: one that comes too late
        to be woken sees it here. It may be that both wake.
        """
        watcher = Watcher(delivery, action)
        if delivery.waiter is not None:
            return False
        delivery.waiter = watcher  # before the pending is looked at, which the loop may set
        pending = delivery.pending
        if pending is None:  # it has not been collected: who does finds the watcher
            return True
        delivery.waiter = None
        pending.waiters.append(watcher)
        if delivery.is_done:
            action()
            return True
        return delivery.pending is pending

    async def wait_all(self, pendings: list[ProducerBatch]) -> None:
        for pending in pendings:
            while not pending.is_settled:
                await self._settled(pending_of(pending))

    async def partitions(self, topic: str) -> list[int]:
        """As they are known; asked for, and created, where they are not."""
        now_ms, deadline_ms = self._world.now_ms(), self._settings.max_block_ms
        deadline = self._context.deadline(f"asking for topic {topic}", now_ms, deadline_ms)
        dialogue = know_for_sending(self._context, topic, now_ms, deadline)
        return await self._driver.hold(dialogue)

    async def flush(self) -> None:
        """Until everything that was handed over so far has arrived or failed."""
        self._world.ensure_here()
        self.sender.requests.flushers += 1
        self._runner.soon()
        try:
            for one in list(self.sender.undone()):
                while not (one.is_done if isinstance(one, Delivery) else one.is_settled):
                    await self._settled(pending_of(one))
        finally:
            self.sender.requests.flushers -= 1

    # the end

    async def close(self, timeout_ms: float | None = None) -> None:
        """Everything arrives or fails, if there is time for it; then nothing is left.

        As with Java's, readers of what is committed need not wait for a transaction to time out.
        """
        if self._runner.is_closed:
            return
        try:
            limit = self._settings.delivery_timeout_ms if timeout_ms is None else timeout_ms
            async with self._world.tasks.deadline(limit):
                await self.flush()
                await self.transactions.abort_what_is_open()
                await self._telemetry.end()
        except TimeoutError:
            log.warning("closed with records that have not arrived")
        finally:
            self.stop()

    def stop(self) -> None:
        """Now, whatever is on its way."""
        self._runner.stop()
        self._telemetry.stop()
        error = ClosedError(PRODUCER)
        for one in list(self.sender.undone()):
            if isinstance(one, ProducerBatch):
                one.is_out = False
        self._runner.do_all(self.sender.drop_unsent(error))
        self._pool.close()
        self._wake_for_room()

    # the machine

    def on_release(self, action: Callable[[], None]) -> None:
        """Called whenever there is more room."""
        self._on_release = action

    def carry_out(self, effect: Effect) -> None:
        """What takes more than a turn, as tasks."""
        spawn = self._world.tasks.spawn
        match effect:
            case Refresh():
                spawn("refresh", self._refresh(effect))
            case Identify():
                spawn("identify", self._identify())
            case AddPartitions():
                spawn("add-partitions", self._add_partitions(effect))
            case Send() | Settled():
                raise AssertionError("the runner does it")
            case _:
                assert_never(effect)

    def send_later(self, send: Send, ask: Ask) -> None:
        self._world.tasks.spawn(f"produce-{send.node_id}", self._connect_and_send(send, ask))

    async def _connect_and_send(self, send: Send, ask: Ask) -> None:
        try:
            if not send.request.acks:
                await self._pool.send_one_way(ask, Lane.PRODUCES)
                self._runner.post(Answered(send, None))
                return
            answer = await self._pool.ask(ask, Lane.PRODUCES)
        except ClientError as error:
            self._runner.post(Broken(send, error))
            return
        self._runner.answered(send, answer)

    async def _refresh(self, effect: Refresh) -> None:
        dialogue = refresh_now(self._context, effect.topics, creates=True)
        try:
            error = await self._driver.hold(dialogue)
        except UnresolvedError as unresolved:
            error = unresolved
        self._runner.post(Refreshed(effect.topics, error))

    async def _identify(self) -> None:
        known, now_ms = self.sender.identity, self._world.now_ms()
        try:
            dialogue = identify(self._context, self._settings, known, now_ms)
            identity = await self._driver.hold(dialogue)
        except ClientError as error:
            self._runner.post(Identified(Identity(), error))
            return
        self._runner.post(Identified(identity))

    async def _add_partitions(self, effect: AddPartitions) -> None:
        self._runner.post(await self.transactions.add_partitions(effect))

    # those who wait

    async def _settled(self, pending: Pending) -> None:
        promise: Promise[None] = self._world.tasks.promise()
        pending.waiters.append(promise)
        await promise.wait()

    def has_settled(self) -> None:
        """There is room for others."""
        self._wake_for_room()
        if self._on_release is not None:
            self._on_release()

    def _wake_for_room(self) -> None:
        if self._room_waiters:
            self._room_waiters[0].keep(None)

    def _fits(self, size: int) -> bool:
        return self.sender.accumulator.has_room(size)

    def _ensure_open(self) -> None:
        if self._runner.is_closed:
            raise ClosedError(PRODUCER)
