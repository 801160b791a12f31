"""One connection on a non-blocking socket, driven by the loop's readiness."""

from __future__ import annotations

import asyncio
import os
import socket
from collections import deque
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Final

from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File
from moldau.platform.ports.network import Address, Receiver, TakeOver
from moldau.platform.system.direct_loop import DirectLoop
from moldau.platform.system.outbox import HELD_BYTES_MAX, Outbox

__all__ = ["SystemLink"]

GATHER_MAX: Final = 64
"""Buffers in one system call; Linux takes 1,024, but longer lists only cost their building."""
PIECE_BYTES: Final = 1024 * 1024
"""Bytes of a file in one `sendfile`, or in one read where there is no descriptor to send from."""
TURN_BYTES: Final = 4 * PIECE_BYTES
"""Bytes that one link may send before others have their turn on the loop."""
MSG_MORE: Final[int] = int(getattr(socket, "MSG_MORE", 0))
"""What is sent leaves with what follows at once, in one packet that wakes the peer once; only Linux
has it. Should nothing follow in time, for the socket is full, it leaves with what is there."""
LONG_BYTES: Final = 16 * 1024
"""A link that has received more has work to do, for which answers to others shall not wait."""


class _Slice:
    """The unsent rest of a slice of a file."""

    def __init__(self, file: File, position: int, size: int) -> None:
        self.file = file
        self.position = position
        self.size = size

    def advance(self, size: int) -> None:
        self.position += size
        self.size -= size


class SystemLink:
    """A socket, what is still to be sent through it, and its owner."""

    def __init__(
        self,
        connected: socket.socket,
        peer: Address,
        take_over: TakeOver,
        open_links: dict[SystemLink, None],
    ) -> None:
        self.peer = peer
        self.unsent = 0
        self._socket = connected
        self._descriptor = connected.fileno()
        self._take_in: Callable[[Buffer], int] = connected.recv_into
        self._give_out: Callable[[Buffer], int] = connected.send
        """Both found once: they are called for each request."""
        self._loop = asyncio.get_running_loop()
        self._outbox = self._loop.outbox if isinstance(self._loop, DirectLoop) else Outbox()
        self._held: bytes | None = None
        """Waits in the outbox: before all that is in the queue."""
        self._open_links = open_links
        self._queue: deque[memoryview | _Slice] = deque()
        self._is_writing = False
        self._is_closing = False
        self._is_over = False
        open_links[self] = None
        self._receiver: Receiver = take_over(self)
        self.resume()

    def receive_into(self, buffer: bytearray | memoryview) -> int:
        if self._is_over:
            return 0
        try:
            size = self._take_in(buffer)
        except (BlockingIOError, InterruptedError):
            return 0
        except OSError as error:
            self._end(_clause(error))
            return 0
        if size > LONG_BYTES:
            self._outbox.empty()
        elif not size:
            self._end("closed by the peer")
        return size

    def send(self, *buffers: Buffer) -> None:
        if self._held is not None:
            self.send_held()
        if len(buffers) == 1 and not (self._queue or self._is_closing or self._is_over):
            buffer = buffers[0]
            if self._outbox.is_open and isinstance(buffer, bytes) and len(buffer) <= HELD_BYTES_MAX:
                self._held = buffer
                self._outbox.add(self)
                return
            rest = self._send_now(buffer)
            if rest is None:
                return
            buffers = (rest,)
        self._send_after(buffers)

    def send_held(self) -> None:
        """Let go of what waits in the outbox, if it has not gone before."""
        held = self._held
        if held is not None:
            self._held = None
            rest = self._send_now(held)
            if rest is not None:
                self._send_after((rest,))

    def _send_after(self, buffers: tuple[Buffer, ...]) -> None:
        """Send these when all is sent that was there before."""
        for buffer in buffers:
            if len(buffer):
                self._add(memoryview(buffer), len(buffer))
        self._flush_unless_writing()

    def _send_now(self, buffer: Buffer) -> Buffer | None:
        """Send what nothing is waiting before; the rest, if not all went."""
        # hot: nearly every answer; through the queue it takes 2 us more (bench/requests.py).
        try:
            sent = self._give_out(buffer)
        except (BlockingIOError, InterruptedError):
            return buffer
        except OSError as error:
            self._end(_clause(error))
            return None
        return None if sent == len(buffer) else memoryview(buffer)[sent:]

    def send_file(
        self, file: File, position: int, size: int, before: Sequence[Buffer] = ()
    ) -> None:
        self._outbox.empty()
        for buffer in before:
            if len(buffer):
                self._add(memoryview(buffer), len(buffer))
        if size:
            self._add(_Slice(file, position, size), size)
        self._flush_unless_writing()

    def pause(self) -> None:
        self._loop.remove_reader(self._descriptor)

    def resume(self) -> None:
        if not self._is_over and not self._is_closing:
            self._loop.add_reader(self._descriptor, self._receiver.readable)

    def close(self) -> None:
        if self._is_over:
            return
        self.send_held()
        self._is_closing = True
        self.pause()
        if not self._queue:
            self._end("closed here")

    def abort(self) -> None:
        self._end("aborted here")

    def _add(self, piece: memoryview | _Slice, size: int) -> None:
        if not self._is_over and not self._is_closing:
            self._queue.append(piece)
            self.unsent += size

    def _flush_unless_writing(self) -> None:
        if self._is_writing or not self._queue:
            return
        self._flush()
        if self._queue and not self._is_over:
            self._loop.add_writer(self._descriptor, self._writable)
            self._is_writing = True

    def _writable(self) -> None:
        self._flush()
        if self._queue or self._is_over:
            return
        self._loop.remove_writer(self._descriptor)
        self._is_writing = False
        if self._is_closing:
            self._end("closed here")
        else:
            self._receiver.all_sent()

    def _flush(self) -> None:
        """Send until the queue is empty, the socket is full, or the turn is over."""
        goal = max(self.unsent - TURN_BYTES, 0)
        try:
            while self.unsent > goal:
                self.unsent -= self._send_some()
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._end(_clause(error))

    def _send_some(self) -> int:
        front = self._queue[0]
        if isinstance(front, _Slice):
            return self._send_slice(front)
        buffers = self._front_buffers()
        more = MSG_MORE if len(buffers) < len(self._queue) else 0
        sent = self._socket.sendmsg(buffers, (), more)
        self._drop(sent)
        return sent

    def _front_buffers(self) -> list[memoryview]:
        buffers = []
        for piece in islice(self._queue, GATHER_MAX):
            if isinstance(piece, _Slice):
                break
            buffers.append(piece)
        return buffers

    def _drop(self, sent: int) -> None:
        """Take what was sent off the buffers at the front."""
        while sent:
            front = self._queue.popleft()
            assert isinstance(front, memoryview), "only buffers are gathered"
            if sent < len(front):
                self._queue.appendleft(front[sent:])
                return
            sent -= len(front)

    def _send_slice(self, front: _Slice) -> int:
        size = min(front.size, PIECE_BYTES)
        descriptor = front.file.descriptor()
        if descriptor is None:
            sent = self._socket.send(front.file.read_at(front.position, size))
        else:
            sent = os.sendfile(self._descriptor, descriptor, front.position, size)
        if not sent:
            raise OSError(f"{front.file.path} ended before it was sent")
        front.advance(sent)
        if not front.size:
            self._queue.popleft()
        return sent

    def _end(self, reason: str) -> None:
        if self._is_over:
            return
        self._is_over = True
        self.send_held()  # it counts as sent; should it fail, this is the end in any case
        self._queue.clear()
        self.unsent = 0
        self._loop.remove_reader(self._descriptor)
        self._loop.remove_writer(self._descriptor)
        self._socket.close()
        self._open_links.pop(self, None)
        self._loop.call_soon(lambda: self._receiver.lost(reason))


def _clause(error: OSError) -> str:
    return (error.strerror or str(error)).lower()
