"""Steps a sender, and sends what it wants to have sent.

Where nothing lingers and nothing is on its way, a record leaves in the very call that hands it
over: one batch, one call of the system. Its answer is taken in, and those who wait for it are
woken, in the turn of the loop that reads it. Everything else (metadata, identities, connections
that are not there yet) is a task, which the owner of this runs.

This module is compiled with mypyc where a compiler is there, and runs as it is where there is none.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from moldau.client.aio.awaiting import call_back
from moldau.client.aio.pool import Lane, Pool
from moldau.client.aio.world import ClientWorld
from moldau.client.core.dialogue import Ask
from moldau.client.core.producing.batch import Delivery
from moldau.client.core.producing.events import (
    Answered,
    Broken,
    Effect,
    Effects,
    Event,
    Send,
    Settled,
    Tick,
)
from moldau.client.core.producing.sender import Sender
from moldau.client.core.telemetry.meter import Meter
from moldau.client.errors import ClientError
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.tasks import Tasks, Timer
from moldau.protocol.messages.data.produce import ProduceResponse
from moldau.protocol.wire.schema import Message

__all__ = ["Owner", "SenderRunner"]

NANOSECONDS_PER_MS: Final = 1_000_000


class Owner(Protocol):
    """Does what takes longer than a turn."""

    def carry_out(self, effect: Effect) -> None: ...

    def send_later(self, send: Send, ask: Ask) -> None:
        """Over a connection that has to be opened, or without an answer."""
        ...

    def has_settled(self) -> None:
        """Something has arrived or failed, and its room is free."""
        ...


class SenderRunner:
    """The synchronous part of a producer on its loop."""

    __slots__ = (
        "_clock", "_ensure_here", "_linger_ms", "_meter", "_next_step", "_owner", "_pool", "_tasks",
        "_timer", "_timer_at_ms", "is_closed", "sender",
    )  # fmt: skip

    def __init__(
        self,
        world: ClientWorld,
        meter: Meter,
        pool: Pool,
        sender: Sender,
        linger_ms: int,
        owner: Owner,
    ) -> None:
        self.sender = sender
        self.is_closed = False
        self._tasks: Tasks = world.tasks
        self._clock: Clock = world.clock
        self._ensure_here: Callable[[], None] = world.ensure_here
        self._meter = meter
        self._pool = pool
        self._linger_ms = linger_ms
        self._owner = owner
        self._next_step: Timer | None = None
        self._timer: Timer | None = None
        self._timer_at_ms = 0.0

    def __repr__(self) -> str:
        return f"<SenderRunner: {self.sender!r}>"

    # hot: what a record costs on the loop.
    def add(self, delivery: Delivery) -> None:
        """It has been taken, and will arrive or fail."""
        sender = self.sender
        is_idle = not sender.accumulator.lanes
        if sender.add(delivery, self.now_ms()):
            if is_idle and not self._linger_ms:
                self._ensure_here()
                self.step_now()
            else:
                self.soon()

    def add_all(self, deliveries: list[Delivery]) -> list[tuple[Delivery, ClientError]]:
        """The same for many, each of which is taken or returned with the cause."""
        is_due, refused = self.sender.add_all(deliveries, self.now_ms())
        if is_due and not self._linger_ms:
            self._ensure_here()
            self.step_now()
        elif is_due:
            self.soon()
        return refused

    def soon(self) -> None:
        """One step for all that comes in this turn of the loop."""
        if self._next_step is None:
            self._ensure_here()
            self._next_step = self._tasks.after(0, self.step_now)

    def hurry(self) -> None:
        """Where nothing lingers, what a caller waits for leaves in this turn of the loop."""
        if self._next_step is not None and not self._linger_ms:
            self.step_now()

    def step_now(self) -> None:
        if self._next_step is not None:
            self._next_step.cancel()
            self._next_step = None
        self.post(Tick())

    def post(self, event: Event) -> None:
        if not self.is_closed:
            self.do_all(self.sender.step(event, self.now_ms()))

    def do_all(self, effects: Effects) -> None:
        if effects.wake_at_ms is not None:
            self._wake_at(effects.wake_at_ms)
        for effect in effects.effects:
            if isinstance(effect, Send):
                self._send(effect)
            elif isinstance(effect, Settled):
                self._settle(effect)
            else:
                self._owner.carry_out(effect)

    def stop(self) -> None:
        self.is_closed = True
        if self._timer is not None:
            self._timer.cancel()

    def now_ms(self) -> int:
        now_ns: int = self._clock.monotonic_ns()
        return now_ns // NANOSECONDS_PER_MS

    def _wake_at(self, at_ms: float) -> None:
        """One that is set for earlier stays: to step for nothing is cheaper than to set it anew."""
        if self._timer is not None:
            if self._timer_at_ms <= at_ms:
                return
            self._timer.cancel()
        self._timer_at_ms = at_ms
        self._timer = self._tasks.after(max(at_ms - self.now_ms(), 1), self._tick)

    def _tick(self) -> None:
        self._timer = None
        self.post(Tick())

    def _send(self, send: Send) -> None:
        """Over a connection that is there at once; else by a task that opens one."""
        ask = Ask(send.request, send.node_id, send.newest)
        now_ms = self.now_ms()
        for batch in send.batches:
            self._meter.time("record.queue.time", now_ms - batch.created_ms)
        then = partial(self.answered, send)
        if not send.request.acks or not self._pool.ask_at_once(ask, Lane.PRODUCES, then):
            self._owner.send_later(send, ask)

    def answered(self, send: Send, answer: Message | ClientError) -> None:
        if isinstance(answer, ClientError):
            self.post(Broken(send, answer))
            return
        assert isinstance(answer, ProduceResponse), f"{answer!r} answers no records"
        self._meter.time("produce.throttle.time", answer.throttle_time_ms)
        self.post(Answered(send, answer))

    def _settle(self, settled: Settled) -> None:
        """A caller in another thread is woken last: it would wait again, for this one to rest."""
        self._owner.has_settled()
        for pending in settled.pendings:
            waiters = pending.waiters
            pending.waiters = []
            for waiter in waiters:
                waiter.keep(None)
            if pending.outcome is None:
                continue
            if pending.deliveries:
                self._tasks.after(0, partial(call_back, pending.deliveries))
            pending.deliveries = []
