"""A link whose bytes are protected: a receiver of the link below, and a link to its owner.

    owner ◄── receive_into ── engine ◄── arrived ◄── link below
    owner ─── send, send_file ──► queue ──► engine ──► leaving ──► link below

What is sent before the handshake is over waits in the queue. Afterwards it is encrypted in
portions, and the next portion only when the link below has sent the last one: what a slow reader
costs is bounded by a portion, whatever slice of a file it asked for.

OpenSSL hands out one record at a time, 16 KiB at most, so the owner's buffer is filled in a loop.
Where that ends before the bytes do, the owner is called again in a later turn, since the link below
has nothing more to report.
"""

from __future__ import annotations

import ssl
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias, cast

from moldau.errors import StorageError
from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File
from moldau.platform.ports.network import Address, Link, Receiver, TakeOver
from moldau.platform.system.tls.reasons import PLAIN_CLIENT, PLAIN_LISTENER, reason_of

__all__ = ["Shared", "TlsLink"]

RECORD_BYTES: Final = 16 * 1024
"""What one record of TLS holds."""
PORTION_BYTES: Final = 8 * RECORD_BYTES
"""Encrypted at a time: one call of the system for eight records."""
ARRIVED_BYTES: Final = 256 * 1024
"""Taken from the link below at a time."""
TURN_PORTIONS: Final = 32
"""Sent by one link before others have their turn."""
FIRST_RECORDS: Final = (0x16, 0x15)
"""What the first byte may be: a handshake begins, or is refused by an alert."""


class _Slice:
    """The rest of a slice of a file."""

    __slots__ = ("file", "position", "size")

    def __init__(self, file: File, position: int, size: int) -> None:
        self.file = file
        self.position = position
        self.size = size


_Piece: TypeAlias = memoryview | _Slice
_ReadRecord: TypeAlias = Callable[[int, memoryview], int]
"""How OpenSSL reads into a buffer, which the stubs of the library have in another way."""


class Shared:
    """What all links of one loop use one after the other."""

    __slots__ = ("in_turn", "room")

    def __init__(self, in_turn: Callable[[Callable[[], None]], object]) -> None:
        self.in_turn = in_turn
        """Calls soon, after others."""
        self.room = memoryview(bytearray(ARRIVED_BYTES))


class TlsLink:
    """See the head of the file."""

    __slots__ = (
        "_arrived", "_below", "_engine", "_failed", "_has_begun", "_has_more", "_is_closing",
        "_is_over", "_is_paused", "_is_ready", "_is_resting", "_leaving", "_queue", "_queued",
        "_read_record", "_reason", "_receiver", "_shared", "peer_certificate",
    )  # fmt: skip

    def __init__(
        self,
        below: Link,
        wrap: Callable[[ssl.MemoryBIO, ssl.MemoryBIO], ssl.SSLObject],
        take_over: TakeOver,
        shared: Shared,
        failed: Callable[[Address, str], None],
    ) -> None:
        self.peer_certificate: bytes | None = None
        self._below = below
        self._arrived, self._leaving = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._engine = wrap(self._arrived, self._leaving)
        self._read_record = cast(_ReadRecord, self._engine.read)
        self._shared = shared
        self._failed = failed
        self._queue: deque[_Piece] = deque()
        self._queued = 0
        self._has_begun = False
        """The other end has sent something."""
        self._is_ready = False
        """The handshake is over."""
        self._has_more = False
        """There may be bytes for the owner that the link below does not report any more."""
        self._is_paused = self._is_resting = self._is_closing = self._is_over = False
        self._reason: str | None = None
        self._receiver: Receiver = take_over(self)
        if not self._engine.server_side and not self._is_over:
            self._shake()

    def __repr__(self) -> str:
        state = "over" if self._is_over else "protected" if self._is_ready else "in its handshake"
        return f"<TlsLink {self.peer}: {state}>"

    @property
    def peer(self) -> Address:
        return self._below.peer

    @property
    def is_protected(self) -> bool:
        return self._is_ready

    @property
    def unsent(self) -> int:
        return self._queued + self._below.unsent

    # what the link below calls

    def readable(self) -> None:
        if not self._is_ready:
            self._take_in()
            self._shake()
        elif not self._is_paused:
            self._offer()

    def all_sent(self) -> None:
        self._pump()
        if not self.unsent and not self._is_over and self._is_ready:
            self._receiver.all_sent()

    def lost(self, reason: str) -> None:
        """One that comes and goes without a byte is a probe, and no failure."""
        is_broken_off = not (self._is_ready or self._is_over) and self._has_begun
        self._is_over = True
        self._forget()
        if is_broken_off:
            self._reason = f"{reason} during the handshake of TLS"
            self._failed(self.peer, self._reason)
        self._receiver.lost(self._reason or reason)

    # what the owner calls

    def receive_into(self, buffer: bytearray | memoryview) -> int:
        """Fill it from what is here, and from what the link below has."""
        if not self._is_ready or self._is_over:
            return 0
        # hot: a small request costs one call of the system and two of OpenSSL.
        room = memoryview(buffer)
        filled = self._decrypt(room) if self._has_more else 0
        if not self._has_more and self._take_in():
            filled += self._decrypt(room[filled:])
        return filled

    def send(self, *buffers: Buffer) -> None:
        for buffer in buffers if len(buffers) == 1 else _joined(buffers):
            self._add(memoryview(buffer), len(buffer))
        self._pump()

    def send_file(
        self, file: File, position: int, size: int, before: Sequence[Buffer] = ()
    ) -> None:
        for buffer in before:
            self._add(memoryview(buffer), len(buffer))
        self._add(_Slice(file, position, size), size)
        self._pump()

    def pause(self) -> None:
        self._is_paused = True
        if self._is_ready:
            self._below.pause()

    def resume(self) -> None:
        self._is_paused = False
        self._below.resume()
        if self._has_more:
            self._offer_later()

    def close(self) -> None:
        self._is_closing = True
        self.pause()
        self._pump()
        self._close_when_sent()

    def abort(self) -> None:
        self._is_over = True
        self._forget()
        self._below.abort()

    # handshake

    def _shake(self) -> None:
        if self._is_over:
            return
        try:
            self._engine.do_handshake()
        except ssl.SSLWantReadError:
            self._flush()
            return
        except (ssl.SSLError, ssl.CertificateError) as error:
            self._fail(reason_of(error))
            return
        self._is_ready = True
        self.peer_certificate = self._engine.getpeercert(binary_form=True)
        self._flush()
        self._pump()
        self._has_more = bool(self._arrived.pending) and not self._is_over
        if self._is_paused:
            self._below.pause()
        elif self._has_more:
            self._offer()

    def _fail(self, reason: str) -> None:
        """Send what OpenSSL has to answer, and end."""
        self._reason = reason
        if not self._is_ready:
            self._failed(self.peer, reason)
        self._flush()
        self._is_over = True
        self._forget()
        self._below.close()

    # what arrives

    def _take_in(self) -> int:
        """Bytes that have come from the link below."""
        room = self._shared.room
        size = self._below.receive_into(room)
        if size:
            if not self._has_begun and room[0] not in FIRST_RECORDS:
                self._refuse_other_protocol()
                return 0
            self._has_begun = True
            self._arrived.write(room[:size])
        return size

    def _refuse_other_protocol(self) -> None:
        """No answer: an alert would look like the size of an enormous frame."""
        self._reason = PLAIN_CLIENT if self._engine.server_side else PLAIN_LISTENER
        self._failed(self.peer, self._reason)
        self.abort()

    def _decrypt(self, room: memoryview) -> int:
        filled, size = 0, len(room)
        arrived, engine = self._arrived, self._engine
        try:
            while filled < size and (arrived.pending or engine.pending()):
                taken = self._read_record(size - filled, room[filled:] if filled else room)
                if not taken:
                    self._end_by_peer()
                    break
                filled += taken
            self._has_more = bool(filled == size and (arrived.pending or engine.pending()))
        except ssl.SSLWantReadError:
            self._has_more = False
        except ssl.SSLError as error:
            self._has_more = False
            self._fail(reason_of(error))
        if self._leaving.pending:
            self._flush()
        return filled

    def _end_by_peer(self) -> None:
        self._reason = "closed by the peer"
        self._below.abort()

    def _offer(self) -> None:
        """Let the owner take bytes; again in a later turn, if there are more."""
        self._receiver.readable()
        if self._has_more:
            self._offer_later()

    def _offer_later(self) -> None:
        if not self._is_resting:
            self._is_resting = True
            self._shared.in_turn(self._offer_rest)

    def _offer_rest(self) -> None:
        self._is_resting = False
        if self._has_more and not (self._is_paused or self._is_over):
            self._offer()

    # what leaves

    def _add(self, piece: _Piece, size: int) -> None:
        if size and not self._is_over and not self._is_closing:
            self._queue.append(piece)
            self._queued += size

    def _pump(self) -> None:
        """Encrypt and send portions, until the link below has to wait or the turn is over."""
        if not self._is_ready or self._is_over:
            return
        for _ in range(TURN_PORTIONS):
            if not self._queue or self._below.unsent:
                break
            try:
                self._encrypt()
            except (OSError, StorageError) as error:
                self._fail(reason_of(error))
                return
            self._flush()
        else:
            self._shared.in_turn(self.all_sent)
        self._close_when_sent()

    def _encrypt(self) -> None:
        """A portion of what is first in the queue."""
        left = PORTION_BYTES
        while left > 0 and self._queue:
            piece = self._queue.popleft()
            view = piece if isinstance(piece, memoryview) else self._read(piece)
            size = min(len(view), left)
            self._write(view[:size])
            if size < len(view):
                self._queue.appendleft(view[size:])
            left -= size
            self._queued -= size

    def _read(self, piece: _Slice) -> memoryview:
        """A portion of a file; the rest of its slice stays in the queue."""
        found = piece.file.read_at(piece.position, min(piece.size, PORTION_BYTES))
        if not found:
            raise OSError(f"{piece.file.path} ended before it was sent")
        piece.position += len(found)
        piece.size -= len(found)
        if piece.size:
            self._queue.appendleft(piece)
        return memoryview(found)

    def _write(self, view: memoryview) -> None:
        write, start, end = self._engine.write, 0, len(view)
        while start < end:
            start += write(view[start : start + RECORD_BYTES])

    def _flush(self) -> None:
        if self._leaving.pending:
            self._below.send(self._leaving.read())

    def _close_when_sent(self) -> None:
        """After TLS's own notice that it is the end."""
        if self._queue or self._is_over or not self._is_closing:
            return
        self._is_over = True
        if self._is_ready:
            with suppress(ssl.SSLError):  # the answer to it is not waited for
                self._engine.unwrap()
            self._flush()
        self._below.close()

    def _forget(self) -> None:
        self._queue.clear()
        self._queued = 0
        self._has_more = False


def _joined(buffers: tuple[Buffer, ...]) -> tuple[Buffer, ...]:
    """As one, where that saves records."""
    if sum(map(len, buffers)) <= RECORD_BYTES:
        return (b"".join(buffers),)
    return buffers
