"""Requests to one address, over one connection that is made when it is needed.

    ask ──► connection there? ──► version in common ──► sent at once, behind those under way
               │ no: one is dialled, and all requests meanwhile wait for it

Requests are pipelined, and answered in their order. A connection that is lost fails what was under
way on it; the next request dials again, after a wait where the last try failed. The caller
knows whether a request may be sent twice, so nothing is sent again here.
"""

from __future__ import annotations

from collections.abc import Callable

from moldau.errors import EncodeError, KafkaError, MoldauError, NetworkError
from moldau.network.outgoing.backoff import Backoff
from moldau.network.outgoing.dialer import Connection, Dialer, aborting_if_undecodable, exchange
from moldau.network.outgoing.peer import BodyReader
from moldau.network.outgoing.traffic import Traffic
from moldau.network.outgoing.versions import choose_version
from moldau.platform.ports.clock import Clock
from moldau.platform.ports.network import Address
from moldau.platform.ports.tasks import Promise
from moldau.protocol.messages.index import BY_KEY
from moldau.protocol.wire.compile import decode
from moldau.protocol.wire.error_codes import ErrorCode
from moldau.protocol.wire.schema import Message

__all__ = ["Channel"]

NS_PER_MS = 1_000_000


class Channel:
    """The connection to one address, made anew when it was lost; `close` it in the end."""

    def __init__(self, address: Address, dialer: Dialer, clock: Clock, backoff: Backoff) -> None:
        self.address = address
        self.when_lost: Callable[[str], None] = lambda reason: None
        """Called with the cause when the other node, or the network, ends an open connection."""
        self._dialer = dialer
        self._tasks = dialer.tasks
        self._clock = clock
        self._backoff = backoff
        self._connection: Connection | None = None
        self._before = Traffic()
        """Over the connections that were lost."""
        self._waiting: list[Promise[Connection]] = []
        self._is_dialling = False
        self._is_closed = False
        self._failures = 0
        self._not_before_ns = 0

    def __repr__(self) -> str:
        state = "closed" if self._is_closed else "open" if self.is_open else "not connected"
        return f"<Channel {self.address}: {state}>"

    @property
    def is_open(self) -> bool:
        """Whether there is a connection at this moment."""
        return self._connection is not None and not self._connection.peer.is_over

    @property
    def traffic(self) -> Traffic:
        """Over all its connections."""
        now = self._connection
        return self._before if now is None else self._before.plus(now.peer.traffic)

    async def ask(self, request: Message, timeout_ms: float) -> Message:
        """The answer; or `NetworkError`, `TimeoutError`, or `KafkaError` for an unknown version."""
        connection, version, body = await self._exchange(request, timeout_ms)
        with aborting_if_undecodable(connection.peer):
            return decode(BY_KEY[request.KEY].response, version, body)

    async def ask_with(self, reader: BodyReader, request: Message, timeout_ms: float) -> None:
        """The same, and the reader has read the answer when it returns."""
        connection, _, body = await self._exchange(request, timeout_ms, reader)
        with aborting_if_undecodable(connection.peer):
            reader.finish(body)

    async def _exchange(
        self, request: Message, timeout_ms: float, reader: BodyReader | None = None
    ) -> tuple[Connection, int, memoryview]:
        connection, left_ms = self._connection, timeout_ms
        if connection is None or connection.peer.is_over:
            deadline_ns = self._clock.monotonic_ns() + int(timeout_ms * NS_PER_MS)
            connection = await self._reach_within(timeout_ms)
            left_ms = max((deadline_ns - self._clock.monotonic_ns()) / NS_PER_MS, 1)
        version = choose_version(type(request), connection.spoken)
        response = BY_KEY[request.KEY].response
        if reader is not None:
            reader.begin(version)
        try:
            body = await exchange(
                self._tasks, connection.peer, request, version, response, left_ms, reader
            )
        except TimeoutError:
            raise TimeoutError(f"{self.address}: no answer within {timeout_ms:g} ms") from None
        except EncodeError as error:
            text = f"{self.address} knows {type(request).__name__} up to version {version}: {error}"
            raise KafkaError(ErrorCode.UNSUPPORTED_VERSION, text) from error
        return connection, version, body

    def abandon(self, reason: str) -> None:
        """A caller that waits for an answer gets `NetworkError`; the channel can be used again."""
        if self._connection is not None:
            self._connection.peer.abort(reason)

    def close(self) -> None:
        """End the connection; what is under way fails."""
        self._is_closed = True
        if self._connection is not None:
            self._connection.peer.abort("closed here")
        self._settle(self._closed())

    async def _reach_within(self, timeout_ms: float) -> Connection:
        try:
            async with self._tasks.deadline(timeout_ms):
                return await self._reach()
        except TimeoutError:
            raise TimeoutError(f"{self.address}: no connection within {timeout_ms:g} ms") from None

    async def _reach(self) -> Connection:
        """The connection that is there, or the one that is being made."""
        if self._is_closed:
            raise self._closed()
        if self._connection is not None and not self._connection.peer.is_over:
            return self._connection
        promise: Promise[Connection] = self._tasks.promise()
        self._waiting.append(promise)
        if not self._is_dialling:
            self._is_dialling = True
            self._tasks.spawn(f"dial-{self.address}", self._dial())
        return await promise.wait()

    async def _dial(self) -> None:
        try:
            await self._pause()
            connection = await self._dialer.dial(self.address)
        except MoldauError as error:
            self._failed()
            self._settle(error)
            return
        finally:
            self._is_dialling = False
        if self._is_closed:
            connection.peer.abort("closed here")
            return
        self._failures = 0
        self._before = self.traffic
        self._connection = connection
        connection.peer.when_lost = self._lost
        self._settle(connection)

    async def _pause(self) -> None:
        """Until the wait after the last failure is over."""
        left_ns = self._not_before_ns - self._clock.monotonic_ns()
        if left_ns > 0:
            await self._tasks.sleep(left_ns / NS_PER_MS)

    def _failed(self) -> None:
        wait_ms = self._backoff.wait_ms(self._failures)
        self._failures += 1
        self._not_before_ns = self._clock.monotonic_ns() + int(wait_ms * NS_PER_MS)

    def _settle(self, result: Connection | MoldauError) -> None:
        """Requests that wait for the connection go on, or fail."""
        waiting, self._waiting = self._waiting, []
        for promise in waiting:
            if isinstance(result, Connection):
                promise.keep(result)
            else:
                promise.fail(result)

    def _lost(self, reason: str) -> None:
        self.when_lost(reason)

    def _closed(self) -> NetworkError:
        return NetworkError(str(self.address), "the channel is closed")
