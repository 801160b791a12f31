"""One link: requests one after the other, and their responses in the same order.

While a request is being answered nothing further is read, so that a client cannot make us keep
more than one request and one response. A timer looks at the link now and then and ends it where
the client takes too long: to finish what it has begun, to ask again, or to take what it asked for.
Behind a response of 101 the link is a socket's, and the timer asks silent clients by a ping.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable
from typing import TYPE_CHECKING, Final

from moldau.errors import MoldauError
from moldau.platform.ports.network import Link
from moldau.platform.ports.tasks import Promise, Timer
from moldau.programs.http.messages import BUGS, REASONS, HttpError, Request, Response, Upgrade
from moldau.programs.http.parsing import RequestParser
from moldau.programs.http.shares import place_of
from moldau.programs.http.websocket.frames import CloseCode
from moldau.programs.http.websocket.socket import WebSocket

if TYPE_CHECKING:
    from moldau.programs.http.server import HttpServer

__all__ = ["HttpConnection"]

log = logging.getLogger(__name__)

LOOK_MS: Final = 5_000
CONTINUE: Final = b"HTTP/1.1 100 Continue\r\n\r\n"
LAST_CHUNK: Final = b"0\r\n\r\n"
BAD_REQUEST: Final = 400
UNAVAILABLE: Final = 503
READ_BYTES: Final = 64 * 1024
_SHARED: Final = bytearray(READ_BYTES)
"""What has arrived is copied out of it at once."""


class HttpConnection:
    """The owner of one link."""

    def __init__(self, link: Link, server: HttpServer) -> None:
        self._link = link
        self._server = server
        self._parser = RequestParser(server.limits, server.streams)
        self._arrived: Promise[None] | None = None
        self._is_answering = False
        self._is_closing = False
        self._is_lost = False
        self._drained: Promise[None] | None = None
        self._socket: WebSocket | None = None
        self._waits_since_ms = server.now_ms()
        self._unsent = 0
        self.place = place_of(link.peer.host)
        self.held_bytes = 0
        """As the server last counted it."""
        self._body_bytes = 0
        """Of the request that is being answered."""
        self._timer: Timer = server.tasks.after(LOOK_MS, self._look)

    # The link's call-backs.

    def readable(self) -> None:
        size = self._link.receive_into(_SHARED)
        if self._is_closing or not size:
            return
        if self._socket is not None:
            self._waits_since_ms = self._server.now_ms()
            self._socket.feed(memoryview(_SHARED)[:size])
            return
        if not self._parser.has_begun:
            self._waits_since_ms = self._server.now_ms()
        self._parser.feed(memoryview(_SHARED)[:size])
        if self._arrived is not None:
            self._waits_since_ms = self._server.now_ms()
            if not self._arrived.is_settled():
                self._arrived.keep(None)
        else:
            self._go_on()
        self._count()

    def all_sent(self) -> None:
        self._waits_since_ms = self._server.now_ms()
        if self._drained is not None:
            self._drained.keep(None)
        if self._socket is not None:
            self._socket.all_sent()

    def lost(self, reason: str) -> None:
        self._is_lost = True
        self._timer.cancel()
        for promise in (self._drained, self._arrived):
            if promise is not None and not promise.is_settled():
                promise.keep(None)
        if self._socket is not None:
            self._socket.lost()
        self._server.forget(self)
        self._count()

    # Requests.

    def _go_on(self) -> None:
        while not self._is_answering and not self._is_closing:
            try:
                request = self._parser.next_request()
            except HttpError as error:
                self._send(self._server.refusal(error), None)
                self._close()
                return
            if request is None:
                self._continue()
                return
            self._answer(request)

    def _continue(self) -> None:
        if self._parser.wants_continue:
            self._parser.wants_continue = False
            self._link.send(CONTINUE)

    def _answer(self, request: Request) -> None:
        request.scheme, request.peer = self._server.scheme, self._link.peer.host
        request.certificate = getattr(self._link, "peer_certificate", None)
        if self._parser.is_streaming:
            request.stream = self._pieces(request)
        answer = self._server.answer(request)
        if isinstance(answer, Response) and answer.pieces is None and answer.upgrade is None:
            self._server.front.after(request, answer)
            self._finish(answer, request)
            return
        self._is_answering = True
        self._body_bytes = len(request.body)
        self._link.pause()
        self._server.tasks.spawn(f"{request.method} {request.path}", self._wait(answer, request))

    async def _wait(self, answer: Response | Awaitable[Response], request: Request) -> None:
        response = (
            answer if isinstance(answer, Response) else await self._server.outcome(request, answer)
        )
        self._body_bytes = 0
        self._count()
        self._server.front.after(request, response)
        if response.upgrade is not None:
            await self._become_socket(response, response.upgrade, request)
            return
        if response.pieces is not None:
            await self._send_pieces(response, request)
        self._is_answering = False
        if self._is_lost:
            return
        self._link.resume()
        self._finish(response, request)
        self._go_on()
        self._count()

    def _finish(self, response: Response, request: Request) -> None:
        self._waits_since_ms = self._server.now_ms()
        if self._parser.is_streaming:
            request.keeps_alive = False  # the rest of the body would be taken for a request
        if response.pieces is None:
            self._send(self._server.encoded(request, response), request)
        if not request.keeps_alive:
            self._close()

    async def _pieces(self, request: Request) -> AsyncIterator[bytes]:
        """The body as it arrives; nothing is read from the link while a piece is in use."""
        while (piece := self._parser.next_piece()) is not None:
            if piece:
                yield piece
                continue
            if self._is_lost:
                raise HttpError(BAD_REQUEST, "the connection was lost before the body was whole")
            self._continue()
            self._arrived = self._server.tasks.promise()
            self._link.resume()
            await self._arrived.wait()
            self._arrived = None
            if not self._is_lost:
                self._link.pause()

    # Responses.

    def _send(self, response: Response, request: Request | None) -> None:
        keeps_alive = request is not None and request.keeps_alive
        size = None if response.status in (204, 304) else len(response.body)
        head = _head(response, size, keeps_alive=keeps_alive)
        has_body = size is not None and (request is None or request.method != "HEAD")
        self._link.send(head + response.body if has_body else head)

    async def _send_pieces(self, response: Response, request: Request) -> None:
        assert response.pieces is not None
        in_chunks = request.is_chunkable
        request.keeps_alive = request.keeps_alive and in_chunks
        head = _head(response, None, keeps_alive=request.keeps_alive, in_chunks=in_chunks)
        self._link.send(head)
        try:
            async for piece in response.pieces:
                if self._is_lost:
                    return
                if piece:
                    self._link.send(b"%x\r\n%b\r\n" % (len(piece), piece) if in_chunks else piece)
                await self._room()
        except MoldauError as error:
            log.info("A response to %s ended early: %s", request.path, error)
            request.keeps_alive = False  # without a last chunk the client knows
            return
        except BUGS:
            log.exception("A bug met the response to %s %s", request.method, request.path)
            request.keeps_alive = False
            return
        finally:
            await _closed(response.pieces)
        if in_chunks and not self._is_lost:
            self._link.send(LAST_CHUNK)

    async def _room(self) -> None:
        if self._is_lost or self._link.unsent <= self._server.limits.unsent_bytes_max:
            return
        self._drained = self._server.tasks.promise()
        await self._drained.wait()
        self._drained = None

    # Sockets.

    async def _become_socket(self, response: Response, upgrade: Upgrade, request: Request) -> None:
        """Serve it until it is over."""
        if self._is_lost:
            return
        takes = upgrade.takes_messages
        server = self._server
        socket = WebSocket(self._link, server.tasks, server.limits, takes_messages=takes)
        self._socket = socket
        self._link.send(_head(response, None, keeps_alive=True))
        self._waits_since_ms = server.now_ms()
        self._link.resume()
        socket.feed(self._parser.take_unread())
        try:
            await upgrade.run(socket)
            socket.close(CloseCode.NORMAL)
        except MoldauError as error:
            log.info("The socket of %s ended early: %s", request.path, error)
            socket.close(CloseCode.INTERNAL_ERROR, str(error))
        except BUGS:
            log.exception("A bug met the socket of %s", request.path)
            socket.close(CloseCode.INTERNAL_ERROR)

    # What is held.

    def _count(self) -> None:
        """Have the server know it; what a client that is gone has asked for may still be held."""
        is_over = self._is_lost or self._is_closing
        held = self._body_bytes + (0 if is_over else self._parser.unread_bytes)
        more, self.held_bytes = held - self.held_bytes, held
        if more:
            self._server.shares.hold(self.place, more)
        if more > 0:
            self._server.make_room(self)

    def give_way(self) -> None:
        """Hold nothing of this client any more."""
        if not self._is_answering:
            error = HttpError(UNAVAILABLE, "too much is being read: send it again later")
            self._send(self._server.refusal(error), None)
            self._close()
        else:
            self.abort()
        self._parser.take_unread()
        self._count()

    @property
    def can_give_way(self) -> bool:
        """Not what a handler has already."""
        return bool(self.held_bytes) and not self._body_bytes and not self._is_closing

    # Ends.

    def _look(self) -> None:
        """End it where the client takes too long."""
        now_ms = self._server.now_ms()
        limits = self._server.limits
        unsent = self._link.unsent
        if unsent != self._unsent:
            self._unsent, self._waits_since_ms = unsent, now_ms
        waited_ms = now_ms - self._waits_since_ms
        if unsent:
            is_over = waited_ms > limits.unread_ms_max
        elif self._socket is not None:
            is_over = self._looks_silent(self._socket, waited_ms)
        elif self._is_answering:
            is_over = self._arrived is not None and waited_ms > limits.idle_ms_max
        elif self._parser.has_begun:
            is_over = waited_ms > limits.request_ms_max
        else:
            is_over = waited_ms > limits.idle_ms_max
        if is_over:
            self.abort()
        else:
            self._timer = self._server.tasks.after(LOOK_MS, self._look)

    def _looks_silent(self, socket: WebSocket, waited_ms: int) -> bool:
        """Whether the client has not answered for too long; asks it before."""
        limits = self._server.limits
        if not socket.is_reading:
            self._waits_since_ms = self._server.now_ms()
        elif waited_ms > limits.idle_ms_max // 3:
            socket.ping()
        return socket.is_reading and waited_ms > limits.idle_ms_max

    def end(self) -> None:
        """The server stops."""
        if self._socket is not None:
            self._is_closing = True
            self._socket.close(CloseCode.GOING_AWAY, "the server stops")
        else:
            self.abort()

    def _close(self) -> None:
        self._is_closing = True
        self._link.close()

    def abort(self) -> None:
        self._is_closing = True
        self._link.abort()

    @property
    def is_idle(self) -> bool:
        return not self._is_answering and not self._parser.has_begun


def _head(
    response: Response, size: int | None, *, keeps_alive: bool, in_chunks: bool = False
) -> bytes:
    lines = [f"HTTP/1.1 {response.status} {REASONS.get(response.status, '')}"]
    if size is not None or response.pieces is not None:
        lines.append(f"Content-Type: {response.media_type}")
    if size is not None:
        lines.append(f"Content-Length: {size}")
    if in_chunks:
        lines.append("Transfer-Encoding: chunked")
    if not keeps_alive:
        lines.append("Connection: close")
    lines += [f"{name}: {value}" for name, value in response.headers.items()]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


async def _closed(pieces: object) -> None:
    """A generator that is left early puts away what it has."""
    close = getattr(pieces, "aclose", None)
    if close is not None:
        await close()
