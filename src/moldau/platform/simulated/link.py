"""One end of a connection in the simulated world.

As with TCP, bytes are never lost one by one: what is sent arrives in order, later or never. The
window bounds what is under way plus what has arrived and was not taken, so a receiver that pauses
leaves its sender with `unsent` bytes. A peer that vanished sends nothing; only bytes that reach a
host without the connection bring a reset.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol

from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File
from moldau.platform.ports.network import Address, Receiver

__all__ = ["SimulatedLink", "Way"]

WINDOW_BYTES = 64 * 1024
"""Bytes that may be on their way or wait at their end: small, so that simulations meet it."""
END = b""
"""The last thing on its way when a link was closed in order."""
RESET = None
"""The last thing on its way when it was not."""


class Way(Protocol):
    """What lies between two ends."""

    def carry(self, link: SimulatedLink) -> None:
        """Bring what is first under way on `link` to its other end, after a while."""
        ...

    def soon(self, action: Callable[[], None]) -> None: ...


class SimulatedLink:
    """What was handed over, what is under way to the other end, and what has arrived from it."""

    def __init__(self, path: Way, peer: Address) -> None:
        self.peer = peer
        self.unsent = 0
        self.other: SimulatedLink
        self.path = path
        self.under_way: deque[bytes | None] = deque()
        self.is_over = False
        self._receiver: Receiver
        self._queue: deque[memoryview | tuple[File, int, int]] = deque()
        self._arrived = bytearray()
        self._flying = 0
        self._is_paused = False
        self._is_closing = False
        self._has_ended = False
        self._is_waiting = False
        self._wake_is_due = False

    def belongs_to(self, receiver: Receiver) -> None:
        self._receiver = receiver

    def receive_into(self, buffer: bytearray | memoryview) -> int:
        size = min(len(buffer), len(self._arrived))
        buffer[:size] = self._arrived[:size]
        del self._arrived[:size]
        if size:
            self.path.soon(self.other.pump)
        if self._has_ended and not self._arrived:
            self.end("closed by the peer")
        return size

    def send(self, *buffers: Buffer) -> None:
        for buffer in buffers:
            self._add(memoryview(buffer), len(buffer))
        self.pump()

    def send_file(
        self, file: File, position: int, size: int, before: Sequence[Buffer] = ()
    ) -> None:
        for buffer in before:
            self._add(memoryview(buffer), len(buffer))
        self._add((file, position, size), size)
        self.pump()

    def pause(self) -> None:
        self._is_paused = True

    def resume(self) -> None:
        self._is_paused = False
        self._wake()

    def close(self) -> None:
        if not self.is_over:
            self._is_closing = True
            self.pump()

    def abort(self) -> None:
        if not self.is_over:
            self.send_reset()
            self.end("aborted here")

    def send_reset(self) -> None:
        """Reset the other end; what was under way is forgotten."""
        self.under_way.clear()
        self.under_way.append(RESET)
        self.path.carry(self)

    def end(self, reason: str) -> None:
        """Over; its owner is called soon."""
        if not self.is_over:
            self.vanish()
            self.path.soon(lambda: self._receiver.lost(reason))

    def vanish(self) -> None:
        """Over, without a sign to the peer: this end's host lost its memory."""
        self.is_over = True
        self._queue.clear()
        self.unsent = 0

    def pump(self) -> None:
        """Send what the window has room for."""
        while self._queue and (room := self._room()):
            self._fly(self._take(room))
        was_waiting, self._is_waiting = self._is_waiting, bool(self._queue)
        if self.is_over or self._queue:
            return
        if self._is_closing:
            self._fly(END)
            self.end("closed here")
        elif was_waiting:
            self.path.soon(self._report_all_sent)

    def deliver(self) -> None:
        """What is first under way has come to the other end."""
        if not self.under_way:
            return  # a reset made the rest of it void
        piece = self.under_way.popleft()
        self._flying -= len(piece or b"")
        if piece is RESET:
            self.other.end("connection reset by peer")
        elif not self.other.is_over:
            self.other.arrive(piece)
        elif piece != END:
            self.other.send_reset()

    def arrive(self, piece: bytes) -> None:
        self._arrived += piece
        self._has_ended = self._has_ended or piece == END
        self._wake()

    def _add(self, piece: memoryview | tuple[File, int, int], size: int) -> None:
        if size and not self.is_over and not self._is_closing:
            self._queue.append(piece)
            self.unsent += size

    def _room(self) -> int:
        return WINDOW_BYTES - self._flying - self.other.waiting()

    def waiting(self) -> int:
        """Bytes that have arrived here and were not taken."""
        return len(self._arrived)

    def _take(self, room: int) -> bytes:
        """Up to `room` bytes off the front of the queue, copied as the network would."""
        front = self._queue.popleft()
        rest: memoryview | tuple[File, int, int]
        if isinstance(front, memoryview):
            taken, rest, left = bytes(front[:room]), front[room:], len(front) - room
        else:
            file, position, size = front
            taken = file.read_at(position, min(size, room))
            if not taken:
                return self._end_early(file)
            rest, left = (file, position + len(taken), size - len(taken)), size - len(taken)
        if left > 0:
            self._queue.appendleft(rest)
        self.unsent -= len(taken)
        return taken

    def _end_early(self, file: File) -> bytes:
        """The file is shorter than was announced; what comes after it would be misread."""
        self.end(f"{file.path} ended before it was sent")
        return END

    def _fly(self, piece: bytes) -> None:
        self.under_way.append(piece)
        self._flying += len(piece)
        self.path.carry(self)

    def _report_all_sent(self) -> None:
        if not self.is_over and not self.unsent:
            self._receiver.all_sent()

    def _wake(self) -> None:
        if not self._wake_is_due:
            self._wake_is_due = True
            self.path.soon(self._call_readable)

    def _call_readable(self) -> None:
        self._wake_is_due = False
        if self.is_over or self._is_paused or self._is_closing:
            return
        if self._arrived:
            self._receiver.readable()
            if self._arrived:
                self._wake()
        elif self._has_ended:
            self.end("closed by the peer")
