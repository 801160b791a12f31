"""Runs a sender: carries out its requests, and wakes those who wait for its records."""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import assert_never

from moldau.client.aio.awaiting import Watcher, call_back, pending_of
from moldau.client.aio.driver import Driver
from moldau.client.aio.pool import Lane, Pool
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
    Event,
    Identified,
    Identify,
    Refresh,
    Refreshed,
    Send,
    Settled,
    Tick,
)
from moldau.client.core.producing.partitioners import Partitioner
from moldau.client.core.producing.sender import Effects, Sender
from moldau.client.errors import (
    BufferFullError,
    ClientError,
    ClosedError,
    UnresolvedError,
)
from moldau.client.settings.producer import ProducerSettings
from moldau.platform.ports.tasks import Promise, Timer
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.wire.schema import Message

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
        self.transactions = Transacting(
            world,
            context,
            settings,
            self._driver,
            self.sender,
            self._ensure_open,
            self.flush,
            self._do_all,
        )
        self._timer: Timer | None = None
        self._timer_at_ms = 0.0
        self._starts_telemetry = settings.enable_metrics_push
        self._next_step: Timer | None = None
        self._room_waiters: deque[Promise[None]] = deque()
        self._on_release: Callable[[], None] | None = None
        self._is_closed = False

    # records

    @property
    def used_bytes(self) -> int:
        """Of records that have neither arrived nor failed."""
        return self.sender.accumulator.used_bytes

    def has_room(self, size: int) -> bool:
        return not self._room_waiters and self.sender.accumulator.has_room(size)

    async def wait_for_room(self, size: int) -> None:
        """Those who came before have it first."""
        waiter: Promise[None] = self._world.tasks.promise()
        self._room_waiters.append(waiter)
        self._soon()
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
        if self._is_closed:
            raise ClosedError(PRODUCER)
        if self._starts_telemetry:
            self._measure()
        if self.sender.add(delivery, self._world.now_ms()):
            self._soon()

    def add_all(self, deliveries: list[Delivery]) -> list[tuple[Delivery, ClientError]]:
        """The same for many, each of which is taken or returned with the cause."""
        if self._is_closed:
            error = ClosedError(PRODUCER)
            return [(delivery, error) for delivery in deliveries]
        if self._starts_telemetry:
            self._measure()
        is_due, refused = self.sender.add_all(deliveries, self._world.now_ms())
        if is_due:
            self._soon()
        return refused

    def _measure(self) -> None:
        self._world.ensure_here()
        self._starts_telemetry = False
        self._telemetry.start()

    def add_packed(self, batches: list[ProducerBatch]) -> None:
        self._ensure_open()
        if self._starts_telemetry:
            self._measure()
        self.sender.add_packed(batches, self._world.now_ms())
        self._soon()

    async def wait(self, delivery: Delivery) -> RecordMetadata:
        """Where the record is, or the error that it ended with."""
        self._world.ensure_here()
        self.hurry()
        while not delivery.is_done:
            await self._settled(pending_of(delivery))
        return delivery.metadata()

    def call_when_done(self, delivery: Delivery, action: Callable[[], None]) -> None:
        """The same for those who wait elsewhere: `action` is called in the turn that knows it."""
        self.hurry()
        if delivery.is_done:
            action()
        else:
            pending_of(delivery).waiters.append(Watcher(delivery, action))

    def watch(self, delivery: Delivery, action: Callable[[], None]) -> bool:
        """The same from any thread, one at a time; False where it has to be asked for on the loop.

        What becomes of a record is written before those who wait for it are woken: who comes too
        late to be woken sees it here. It may be that both wake.
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

    def hurry(self) -> None:
        """Where nothing lingers, what a caller waits for leaves in this turn of the loop."""
        if self._next_step is not None and not self._settings.linger_ms:
            self._next_step.cancel()
            self._step_now()

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
        self.sender.flushers += 1
        self._soon()
        try:
            for one in list(self.sender.undone()):
                while not (one.is_done if isinstance(one, Delivery) else one.is_settled):
                    await self._settled(pending_of(one))
        finally:
            self.sender.flushers -= 1

    # the end

    async def close(self, timeout_ms: float | None = None) -> None:
        """Everything arrives or fails, if there is time for it; then nothing is left."""
        if self._is_closed:
            return
        try:
            limit = self._settings.delivery_timeout_ms if timeout_ms is None else timeout_ms
            async with self._world.tasks.deadline(limit):
                await self.flush()
                await self._telemetry.end()
        except TimeoutError:
            log.warning("closed with records that have not arrived")
        finally:
            self.stop()

    def stop(self) -> None:
        """Now, whatever is on its way."""
        self._is_closed = True
        self._telemetry.stop()
        if self._timer is not None:
            self._timer.cancel()
        error = ClosedError(PRODUCER)
        for one in list(self.sender.undone()):
            if isinstance(one, ProducerBatch):
                one.is_out = False
        self._do_all(self.sender.drop_unsent(error, self._world.now_ms()))
        self._pool.close()
        self._wake_for_room()

    # the machine

    def on_release(self, action: Callable[[], None]) -> None:
        """Called whenever there is more room."""
        self._on_release = action

    def _soon(self) -> None:
        """One step for all that came in this turn of the loop."""
        if self._next_step is None:
            self._world.ensure_here()
            self._next_step = self._world.tasks.after(0, self._step_now)

    def _step_now(self) -> None:
        self._next_step = None
        self._post(Tick())

    def _post(self, event: Event) -> None:
        if not self._is_closed:
            self._do_all(self.sender.step(event, self._world.now_ms()))

    def _do_all(self, effects: Effects) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if effects.wake_at_ms is not None:
            wait_ms = max(effects.wake_at_ms - self._world.now_ms(), 1)
            self._timer = self._world.tasks.after(wait_ms, self._tick)
        for effect in effects.effects:
            self._do(effect)

    def _tick(self) -> None:
        self._timer = None
        self._post(Tick())

    def _do(self, effect: Effect) -> None:
        spawn = self._world.tasks.spawn
        match effect:
            case Send():
                self._send(effect)
            case Refresh():
                spawn("refresh", self._refresh(effect))
            case Identify():
                spawn("identify", self._identify())
            case AddPartitions():
                spawn("add-partitions", self._add_partitions(effect))
            case Settled():
                self._settle(effect)
            case _:
                assert_never(effect)

    def _send(self, send: Send) -> None:
        """Over a connection that is there at once; else by a task that opens one."""
        ask = Ask(send.request, send.node_id, send.newest)
        now_ms, meter = self._world.now_ms(), self._context.meter
        for batch in send.batches:
            meter.time("record.queue.time", now_ms - batch.created_ms)
        then = partial(self._answered, send)
        if not send.request.acks or not self._pool.ask_at_once(ask, Lane.PRODUCES, then):
            self._world.tasks.spawn(f"produce-{send.node_id}", self._connect_and_send(send, ask))

    async def _connect_and_send(self, send: Send, ask: Ask) -> None:
        try:
            if not send.request.acks:
                await self._pool.send_one_way(ask, Lane.PRODUCES)
                self._post(Answered(send, None))
                return
            answer = await self._pool.ask(ask, Lane.PRODUCES)
        except ClientError as error:
            self._post(Broken(send, error))
            return
        self._answered(send, answer)

    def _answered(self, send: Send, answer: Message | ClientError) -> None:
        if isinstance(answer, ClientError):
            self._post(Broken(send, answer))
            return
        assert isinstance(answer, ProduceResponse), f"{answer!r} answers no records"
        self._context.meter.time("produce.throttle.time", answer.throttle_time_ms)
        self._post(Answered(send, answer))

    async def _refresh(self, effect: Refresh) -> None:
        dialogue = refresh_now(self._context, effect.topics, creates=True)
        try:
            error = await self._driver.hold(dialogue)
        except UnresolvedError as unresolved:
            error = unresolved
        self._post(Refreshed(effect.topics, error))

    async def _identify(self) -> None:
        known, now_ms = self.sender.identity, self._world.now_ms()
        try:
            dialogue = identify(self._context, self._settings, known, now_ms)
            identity = await self._driver.hold(dialogue)
        except ClientError as error:
            self._post(Identified(Identity(), error))
            return
        self._post(Identified(identity))

    async def _add_partitions(self, effect: AddPartitions) -> None:
        self._post(await self.transactions.add_partitions(effect))

    # those who wait

    async def _settled(self, pending: Pending) -> None:
        promise: Promise[None] = self._world.tasks.promise()
        pending.waiters.append(promise)
        await promise.wait()

    def _settle(self, settled: Settled) -> None:
        for pending in settled.pendings:
            waiters, pending.waiters = pending.waiters, []
            for waiter in waiters:
                waiter.keep(None)
            if pending.outcome is None:
                continue
            if pending.deliveries:
                self._world.tasks.after(0, partial(call_back, pending.deliveries))
            pending.deliveries = []
        self._wake_for_room()
        if self._on_release is not None:
            self._on_release()

    def _wake_for_room(self) -> None:
        if self._room_waiters:
            self._room_waiters[0].keep(None)

    def _fits(self, size: int) -> bool:
        return self.sender.accumulator.has_room(size)

    def _ensure_open(self) -> None:
        if self._is_closed:
            raise ClosedError(PRODUCER)
