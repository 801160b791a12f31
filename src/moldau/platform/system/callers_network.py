"""TCP for a loop in its caller's thread (`callers_tasks`): connections that go out, without TLS."""

from __future__ import annotations

import _socket as socket  # without socket.py, which makes seven enumerations of its names
import os
from collections import deque
from typing import TYPE_CHECKING, Any

from moldau.errors import NetworkError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.network import Address, Receiver, TakeOver
from moldau.platform.system.callers_tasks import CallersLoop, CallersPromise
from moldau.platform.system.places import places_of, refusal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from moldau.platform.ports.files import File
    from moldau.platform.ports.network import Listener
    from moldau.platform.ports.tls import Tls, TlsTerms

__all__ = ["CallersLink", "CallersNetwork"]


class CallersLink:
    """A socket, and what is still to be sent through it."""

    def __init__(
        self,
        loop: CallersLoop,
        connected: socket.socket,
        peer: Address,
        take_over: TakeOver,
        open_links: dict[CallersLink, None],
    ) -> None:
        self.peer = peer
        self.unsent = 0
        self._loop = loop
        self._socket = connected
        self._queue: deque[memoryview] = deque()
        self._reads = False
        self._is_closing = False
        self._is_over = False
        self._open_links = open_links
        open_links[self] = None
        self._receiver: Receiver = take_over(self)
        self.resume()

    def receive_into(self, buffer: bytearray | memoryview) -> int:
        if self._is_over:
            return 0
        try:
            size = self._socket.recv_into(buffer)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            self._end(_clause(error))
            return 0
        if not size:
            self._end("closed by the peer")
        return size

    def send(self, *buffers: Buffer) -> None:
        if self._is_over or self._is_closing:
            return
        for buffer in buffers:
            if len(buffer):
                self._queue.append(memoryview(buffer))
                self.unsent += len(buffer)
        self._flush()

    def send_file(
        self, file: File, position: int, size: int, before: Sequence[Buffer] = ()
    ) -> None:
        self.send(*before, file.read_at(position, size))

    def pause(self) -> None:
        self._reads = False
        self._watch()

    def resume(self) -> None:
        if not self._is_closing:
            self._reads = True
            self._watch()

    def close(self) -> None:
        self._is_closing = True
        self.pause()
        if not self._queue:
            self._end("closed here")

    def abort(self) -> None:
        self._end("aborted here")

    def _watch(self) -> None:
        if not self._is_over:
            reads = self._receiver.readable if self._reads else None
            writes = self._writable if self._queue else None
            self._loop.watch(self._socket.fileno(), reads=reads, writes=writes)

    def _writable(self) -> None:
        self._flush()
        if self._queue or self._is_over:
            return
        if self._is_closing:
            self._end("closed here")
        else:
            self._receiver.all_sent()

    def _flush(self) -> None:
        try:
            while self._queue:
                self._sent(self._socket.send(self._queue[0]))
        except (BlockingIOError, InterruptedError):
            pass
        except OSError as error:
            self._end(_clause(error))
        self._watch()

    def _sent(self, size: int) -> None:
        front = self._queue.popleft()
        self.unsent -= size
        if size < len(front):
            self._queue.appendleft(front[size:])

    def _end(self, reason: str) -> None:
        if self._is_over:
            return
        self._loop.watch(self._socket.fileno())
        self._is_over = True
        self._queue.clear()
        self.unsent = 0
        self._socket.close()
        self._open_links.pop(self, None)
        self._loop.soon(lambda: self._receiver.lost(reason))


class CallersNetwork:
    """The port, for those who only connect."""

    def __init__(self, loop: CallersLoop) -> None:
        self._loop = loop
        self._links: dict[CallersLink, None] = {}

    async def listen(self, address: Address, take_over: TakeOver) -> Listener:
        raise NetworkError(str(address), "a loop that runs now and then cannot listen")

    async def connect(self, address: Address, take_over: TakeOver) -> CallersLink:
        places = places_of(address)
        for family, place in places:
            try:
                connected = await self._connected(family, place)
            except OSError as error:
                if place == places[-1][1]:
                    raise refusal(address, error) from error
            else:
                connected.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                peer = Address(*place[:2])
                return CallersLink(self._loop, connected, peer, take_over, self._links)
        raise NetworkError(str(address), "the name has no address")

    def tls(self, terms: TlsTerms, *, is_server: bool) -> Tls:
        raise NetworkError("TLS", "a loop in its caller's thread has none")

    def close(self) -> None:
        for link in list(self._links):
            link.abort()

    async def _connected(self, family: int, place: Any) -> socket.socket:  # noqa: ANN401
        connecting = socket.socket(family, socket.SOCK_STREAM)
        connecting.setblocking(False)
        is_connected = False
        try:
            try:
                connecting.connect(place)
            except BlockingIOError:
                await self._writable(connecting)
            is_connected = True
            return connecting
        finally:
            if not is_connected:
                connecting.close()

    async def _writable(self, connecting: socket.socket) -> None:
        descriptor = connecting.fileno()
        promise: CallersPromise[None] = CallersPromise()
        self._loop.watch(descriptor, writes=lambda: promise.keep(None))
        try:
            await promise
        finally:
            self._loop.watch(descriptor)
        code = connecting.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
        if code:
            raise OSError(code, os.strerror(code))


def _clause(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
