"""Requests that take longer than a slice to read: all of their way is worked through in slices.

    frame ─► read within a slice? ──yes──► the usual way
                  │ no
                  ▼
             copied ─► room for it? ─► read ─► handler ─► answer encoded ─► connection
                                      each in slices, others are served between

What a long request makes of its bytes takes many times their size, until it is answered. So only
`ROOM_BYTES` of frames are worked on at a time; others wait for that as bytes.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Awaitable, Callable, Generator
from typing import Any, TypeVar

from moldau.broker.server.answering import BUGS, Answering, error_of
from moldau.broker.server.call import LATER, Answer, Call, Slices
from moldau.broker.server.monitoring.processor_time import charged
from moldau.broker.server.refusing import refusing
from moldau.broker.server.routes import START, Route, make_call
from moldau.broker.server.slices import Pace, dismantle, run_slice
from moldau.errors import DecodeError, MoldauError
from moldau.network.connection import Connection
from moldau.platform.buffers import Buffer
from moldau.platform.ports.tasks import Promise
from moldau.protocol.messages.api_key import ApiKey
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decoding, encoding
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

__all__ = ["LONG_BYTES", "ROOM_BYTES", "LongRequests", "Room"]

log = logging.getLogger("moldau.broker.server.dispatch")

LONG_BYTES = 16 * 1024
"""A shorter frame is read in a millisecond, whatever is in it."""
ROOM_BYTES = 8 * 1024 * 1024
"""Frames that are worked on at a time: two of those that name a million things."""


Value = TypeVar("Value")


class Room:
    """How many bytes of frames are worked on, and which calls wait, in their order."""

    def __init__(self, limit: int = ROOM_BYTES) -> None:
        self._limit = limit
        self._used = 0
        self._waiting: deque[tuple[int, Promise[Any]]] = deque()

    def __repr__(self) -> str:
        return f"Room({self._used} of {self._limit} bytes, {len(self._waiting)} wait)"

    async def enter(self, size: int, make_promise: Callable[[], Promise[Any]]) -> None:
        """Return when there is room; one that is larger than all of it comes alone."""
        if self._waiting or not self._has(size):
            promise = make_promise()
            self._waiting.append((size, promise))
            await promise.wait()
        else:
            self._used += size

    def leave(self, size: int) -> None:
        self._used -= size
        while self._waiting and self._has(self._waiting[0][0]):
            size, promise = self._waiting.popleft()
            self._used += size
            promise.keep(None)

    def _has(self, size: int) -> bool:
        return not self._used or self._used + size <= self._limit


class LongRequests:
    """Those that come through one listener."""

    def __init__(self, answering: Answering, room: Room) -> None:
        self._answering = answering
        self._room = room

    def read(self, connection: Connection, frame: memoryview, route: Route) -> Call | None:
        """The request, if a slice is enough to read it; else it will be answered from a task."""
        broker = self._answering.broker
        start = START.unpack_from(frame)
        client_id, position = route.read_header(frame, start[3])
        body: Buffer = frame[position:]
        if route.is_async:
            body = bytes(body)
        done, request = run_slice(broker.clock, decoding(route.request, route.version, body))
        if done and request is not None:
            return make_call(connection, start, client_id, request)
        name = BY_KEY[route.request.KEY].name
        task = self._serve(connection, bytes(frame), route)
        broker.tasks.spawn(f"long {name} of {connection.number}", task)
        return None

    async def _serve(self, connection: Connection, frame: bytes, route: Route) -> None:
        """The way of a long request, from its bytes to its answer."""
        await self._room.enter(len(frame), self._answering.broker.tasks.promise)
        try:
            call = None if connection.is_over else await self._decode(connection, frame, route)
            if call is not None and not connection.is_over:
                await self._answer(connection, call, route, len(frame))
        finally:
            self._room.leave(len(frame))

    async def _decode(self, connection: Connection, frame: bytes, route: Route) -> Call | None:
        start = START.unpack_from(frame)
        client_id, position = route.read_header(memoryview(frame), start[3])
        work = decoding(route.request, route.version, frame[position:])
        try:
            request = await self._in_slices(work)
        except DecodeError as error:
            log.info("Closing %s: %s", connection, error)
            connection.end_in_turn(is_abrupt=True)
            return None
        return make_call(connection, start, client_id, request)

    async def _answer(self, connection: Connection, call: Call, route: Route, size: int) -> None:
        answering = self._answering
        answering.taken += 1
        route.metrics.sizes.record(size)
        call.expect(connection, route, answering)
        answer = await self._outcome(call, route, size)
        if answer is LATER:
            return
        parts = None
        if isinstance(answer, Message) and not connection.is_over:
            parts = await self._encode(call, route, answer)
        answering.finish(connection, call, route, answer, parts)
        await self._in_slices(dismantle(call.request))
        if isinstance(answer, Message):
            await self._in_slices(dismantle(answer))

    async def _outcome(self, call: Call, route: Route, size: int) -> Answer:
        """As of any other request, but a refusal of a million things takes slices, too."""
        try:
            return await charged(call, self._answering.broker, self._handle(call, route, size))
        except MoldauError as error:
            code, words = error_of(error)
        except BUGS:
            self._answering.note_bug(call)
            code, words = ErrorCode.UNKNOWN_SERVER_ERROR, None
        return await self._in_slices(refusing(call.request, call.version, code, words))

    async def _handle(self, call: Call, route: Route, size: int) -> Answer:
        broker = self._answering.broker
        if broker.quotas is not None and call.api_key == ApiKey.PRODUCE:
            broker.quotas.produced(call, size)
        answer: Answer | Awaitable[Answer] = route.handle(call, broker)
        if isinstance(answer, Slices):
            return await self._in_slices(answer)
        return await answer if isinstance(answer, Awaitable) else answer

    async def _encode(self, call: Call, route: Route, answer: Message) -> list[Buffer] | None:
        """The answer's parts; nothing where it does not fit its format."""
        if call.throttle_ms and route.has_throttle_time:
            answer.throttle_time_ms = call.throttle_ms  # type: ignore[attr-defined]
        try:
            return await self._in_slices(encoding(answer, route.version))
        except MoldauError:
            return None

    async def _in_slices(self, work: Generator[None, None, Value]) -> Value:
        pace = Pace(self._answering.broker)
        await pace.rest()
        return await pace.run(work)
