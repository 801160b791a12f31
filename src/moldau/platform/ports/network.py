"""Streams of bytes between nodes, shaped for one loop that serves many of them.

A `Link` is one connection. It never blocks and never waits: its owner, a `Receiver`, is called
when there is something to do, takes bytes into a buffer that it may share among all its links,
and hands over what is to be sent. Rules that every implementation keeps:

- Call-backs come one at a time, from the loop, and never from within a call on the same link.
- Buffers given to `send` belong to the link until they are sent, and are not changed meanwhile.
- Order is kept between buffers and file slices; what is sent arrives in order or not at all.
- `send` takes everything. Back-pressure is the owner's: when `unsent` grows beyond what it
  grants one peer, it pauses reading, and it resumes in `all_sent`.
- `lost` comes exactly once, also after `close`; nothing is called after it.
- A peer that falls silent without a word is not noticed here. Deadlines are the owner's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from moldau.platform.buffers import Buffer
from moldau.platform.ports.files import File

if TYPE_CHECKING:
    from moldau.platform.ports.tls import Tls, TlsTerms

__all__ = ["Address", "FilePart", "Link", "Listener", "Network", "Receiver", "TakeOver"]


class Address(NamedTuple):
    """Where a peer can be reached."""

    host: str
    port: int

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


class FilePart(Protocol):
    """A slice of a file; it leaves by `sendfile`."""

    @property
    def file(self) -> File: ...
    @property
    def position(self) -> int: ...
    @property
    def size(self) -> int: ...


class Link(Protocol):
    """One connection, seen from one of its ends."""

    @property
    def peer(self) -> Address: ...

    @property
    def unsent(self) -> int:
        """Bytes handed over that the network has not taken yet."""
        ...

    def receive_into(self, buffer: bytearray | memoryview) -> int:
        """Move what has arrived to the front of `buffer`; how many bytes, 0 when there are none."""
        ...

    def send(self, *buffers: Buffer) -> None:
        """Send these one after the other, without joining them first."""
        ...

    def send_file(
        self, file: File, position: int, size: int, before: Sequence[Buffer] = ()
    ) -> None:
        """Send a slice of a file that stays open and unchanged there until it is sent.

        By `sendfile` where the file has a descriptor, so the bytes never come up here. The buffers
        `before` it may leave in one packet with its beginning.
        """
        ...

    def pause(self) -> None:
        """Call `readable` no more, so that the peer is slowed down in the end."""
        ...

    def resume(self) -> None: ...

    def close(self) -> None:
        """Send what is unsent, then end the connection. Nothing more is received."""
        ...

    def abort(self) -> None:
        """End the connection now; what is unsent is dropped."""
        ...


class Receiver(Protocol):
    """The owner of a link, as the link calls it."""

    def readable(self) -> None:
        """Bytes are there to be received; called again for as long as some are left."""
        ...

    def all_sent(self) -> None:
        """`unsent` has come down to 0 after a time above it."""
        ...

    def lost(self, reason: str) -> None:
        """The connection is over: one short clause for the log."""
        ...


TakeOver = Callable[[Link], Receiver]
"""Called with each new connection for its owner; to refuse it, abort it and return."""


class Listener(Protocol):
    """An open listener."""

    @property
    def address(self) -> Address:
        """With the port that was given by the system where 0 was asked for."""
        ...

    def close(self) -> None:
        """Accept no more; links that were accepted stay."""
        ...


class Network(Protocol):
    """How a node reaches others, and is reached."""

    async def listen(self, address: Address, take_over: TakeOver) -> Listener:
        """Open a listener, or raise `NetworkError`."""
        ...

    async def connect(self, address: Address, take_over: TakeOver) -> Link:
        """Reach that address, or raise `NetworkError`; how long that may take is the caller's."""
        ...

    def tls(self, terms: TlsTerms, *, is_server: bool) -> Tls:
        """What protects links that come or, if not `is_server`, go out; or `TlsError`."""
        ...

    def close(self) -> None:
        """Close every listener and abort every link that is still there."""
        ...
