"""One socket: messages in and out, pings and the close, within the limits of its server.

What is read waits for the handler: while a message waits, nothing more is read from the link, and
`send` waits while the client does not take what it was sent. So neither side makes the other keep
more than a read and a message. Pings are answered as they come, the last one alone where the client
sends faster than it takes. A client that is silent is asked by a ping, and given up when it does
not answer.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final, assert_never

from moldau.platform.buffers import Buffer
from moldau.platform.ports.network import Link
from moldau.platform.ports.tasks import Promise, Tasks
from moldau.programs.http.limits import Limits
from moldau.programs.http.websocket.frames import (
    Close,
    CloseCode,
    Event,
    FrameReader,
    Message,
    Opcode,
    Ping,
    Pong,
    WebSocketError,
    close_frame,
    frame,
)

__all__ = ["WebSocket"]

UNEXPECTED_BYTES_MAX: Final = 1024
"""Of a message to a socket that only sends: it is refused anyway."""


class WebSocket:
    """A socket on one link, whose call-backs come here."""

    def __init__(self, link: Link, tasks: Tasks, limits: Limits, *, takes_messages: bool) -> None:
        self.is_over = False
        """Nothing more is sent, and nothing more comes."""
        self.when_over: Callable[[], None] = lambda: None
        """Called once, when the client has gone or has closed."""
        self._link = link
        self._tasks = tasks
        self._limits = limits
        self._takes_messages = takes_messages
        bytes_max = limits.body_bytes_max if takes_messages else UNEXPECTED_BYTES_MAX
        self._reader = FrameReader(bytes_max)
        self._messages: deque[str | bytes] = deque()
        self._arrived: Promise[None] | None = None
        self._room: Promise[None] | None = None
        self._pong: bytes | None = None
        self._is_paused = False

    # For the handler.

    async def receive(self) -> list[str | bytes]:
        """All messages that wait, at least one; none when it is over."""
        if not self._messages and not self.is_over:
            self._resume()
            self._arrived = self._tasks.promise()
            await self._arrived.wait()
            self._arrived = None
        found = list(self._messages)
        self._messages.clear()
        return found

    async def send(self, text: bytes) -> None:
        """A message of text; what is sent when it is over is dropped."""
        if self.is_over:
            return
        self._link.send(frame(Opcode.TEXT, text))
        if self._is_full:
            self._room = self._tasks.promise()
            await self._room.wait()
            self._room = None

    def close(self, code: int, reason: str = "") -> None:
        """What was sent before still arrives."""
        if not self.is_over:
            self._link.send(close_frame(code, reason))
            self._link.close()
            self._end()

    # For the connection.

    def feed(self, data: Buffer) -> None:
        if self.is_over:
            return
        self._reader.feed(data)
        try:
            while not self.is_over and (event := self._reader.next_event()) is not None:
                self._take(event)
        except WebSocketError as error:
            self.close(error.code, str(error))

    def all_sent(self) -> None:
        if self._pong is not None and not self.is_over:
            pong, self._pong = self._pong, None
            self._link.send(frame(Opcode.PONG, pong))
        _keep(self._room)

    def lost(self) -> None:
        self._end()

    def ping(self) -> None:
        """Ask a silent client whether it is there."""
        if not self.is_over:
            self._link.send(frame(Opcode.PING, b""))

    @property
    def is_reading(self) -> bool:
        """False while it is the handler that is waited for."""
        return not self._is_paused

    @property
    def _is_full(self) -> bool:
        return self._link.unsent > self._limits.unsent_bytes_max

    def _take(self, event: Event) -> None:
        match event:
            case Message(data):
                if not self._takes_messages:
                    text = "this socket sends records and takes no messages"
                    raise WebSocketError(CloseCode.UNSUPPORTED_DATA, text)
                self._messages.append(data)
                self._pause()
                _keep(self._arrived)
            case Ping(payload):
                self._answer(payload)
            case Pong():
                pass
            case Close(code):
                self.close(code)
            case _:
                assert_never(event)

    def _answer(self, payload: bytes) -> None:
        if self._is_full:
            self._pong = payload
        else:
            self._link.send(frame(Opcode.PONG, payload))

    def _pause(self) -> None:
        if not self._is_paused:
            self._is_paused = True
            self._link.pause()

    def _resume(self) -> None:
        if self._is_paused:
            self._is_paused = False
            self._link.resume()

    def _end(self) -> None:
        if not self.is_over:
            self.is_over = True
            _keep(self._arrived)
            _keep(self._room)
            self.when_over()


def _keep(promise: Promise[None] | None) -> None:
    if promise is not None and not promise.is_settled():
        promise.keep(None)
